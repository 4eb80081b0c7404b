import { Nullable, named, OneOf, type Static, Type } from '@larder-dev/larder/kernel'

const Text = Type.String()
const Texts = Type.Array(Text)

const operation = {
  id: Type.String({ description: '`operationId` in the API document' }),
  method: Text,
  path: Type.String({ description: 'As in the API document: `/v1/content/pages/{id}`' }),
}
const Operation = named('ResourceOperation', Type.Object(operation))

const Labels = Type.Record(Text, Text, {
  description: 'Labels of properties and filters by their names, at every level',
})
const Hints = Type.Record(Text, Text, {
  description: 'Translations of descriptions in the schemas of bodies. English ones are in the API document',
})
const States = Type.Record(
  Text,
  Type.Record(
    Text,
    named(
      'ResourceState',
      Type.Object({
        title: Text,
        tone: Type.Union([OneOf(['neutral', 'success', 'warning', 'danger']), Type.Null()], {
          description: 'Null for a value that the resource does not declare: the console chooses a color by its name',
        }),
      }),
    ),
  ),
  { description: 'Property → its values in words, also those of nested objects' },
)

export const ListedResource = named(
  'Resource',
  Type.Object({
    id: Type.String({ description: '`<module>.<name>`' }),
    module: Text,
    name: Text,
    group: Type.String({ description: 'Group of the navigation: that of the module, or its key' }),
    title: Text,
    singular: Text,
    createTitle: Nullable(Type.String({ description: 'Label of the button that creates a record' })),
    label: Type.String({ description: 'Property that names a record' }),
    key: Type.String({ description: 'Property that identifies a record in paths' }),
    icon: Nullable(Type.String({ description: 'Name of a Lucide icon' })),
    columns: Texts,
    filters: Type.Array(Text, { description: 'Query parameters of the list' }),
    search: Nullable(Text),
    sort: Nullable(Text),
    fields: Nullable(Type.Array(Text, { description: 'Order of the fields of forms' })),
    more: Type.Array(Text, { description: 'Fields that the form of a new record shows under *More*' }),
    labels: Labels,
    hints: Hints,
    states: States,
    readOnly: Nullable(
      named(
        'ReadOnlyRecords',
        Type.Object({
          when: Type.Record(Text, Texts, { description: 'Property → values of records that nobody edits or deletes' }),
          text: Type.String({ description: 'Where such a record is changed' }),
        }),
      ),
    ),
    refreshSeconds: Nullable(Type.Integer({ description: 'Time after which a shown list is loaded again' })),
    within: Nullable(Type.String({ description: 'ID of the parent resource' })),
    offered: Type.Boolean({
      description: 'False in a workspace where its records have no effect: the console leaves it out of its navigation',
    }),
    listed: Type.Boolean({ description: 'False if other resources list the same records in the navigation' }),
    operations: named(
      'ResourceOperations',
      Type.Object({
        list: Type.Optional(Operation),
        get: Type.Optional(Operation),
        create: Type.Optional(Operation),
        update: Type.Optional(Operation),
        delete: Type.Optional(Operation),
      }),
    ),
    actions: Type.Array(
      named(
        'ResourceAction',
        Type.Object({
          ...operation,
          title: Text,
          danger: Type.Boolean(),
          confirm: Nullable(Text),
          when: Type.Record(Text, Texts, { description: 'Property → values of the records that have the action' }),
          on: OneOf(['record', 'list']),
          body: Type.Record(Text, Text, {
            description: 'Property of the body → property of the record. The form asks for the others',
          }),
          isButton: Type.Boolean({ description: 'Whether the page of a record shows it as a button' }),
          done: Nullable(Type.String({ description: 'Shown when it has succeeded' })),
          labels: Labels,
          hints: Hints,
          states: States,
        }),
      ),
    ),
    relations: Type.Array(
      named(
        'ResourceRelation',
        Type.Object({
          resource: Text,
          parameters: Type.Record(Text, Text, { description: 'Parameter of the list → property of the record' }),
        }),
      ),
    ),
  }),
)
export type ListedResource = Static<typeof ListedResource>
