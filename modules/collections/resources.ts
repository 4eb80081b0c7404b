/** One resource per collection, with its trash and the former versions of its rows. */
import type { LocalText, Registrations } from '@larder-dev/larder/kernel'
import { operationIds } from './domain/declarations/api-names.ts'
import type { Collection, Collections, Field } from './domain/declarations/collection.ts'
import { rowLabel, shownFields } from './domain/fields/field-lists.ts'
import { operatorsOf } from './domain/fields/field-types.ts'

type Resource = Registrations['resources'][number]

/** Upper bound of the columns that a list shows by default. The reader chooses others. */
const MAX_COLUMNS = 8
/** Types whose values don't fit into a cell. */
const LONG_TYPES: readonly Field['type'][] = ['longtext', 'markdown', 'json']
/** Types with few values, or whose values are chosen from a list. */
const FILTER_TYPES: readonly Field['type'][] = ['enum', 'boolean', 'reference', 'member', 'date']

export const collectionResources = (collections: Collections): Registrations['resources'] =>
  [...collections.values()].flatMap(collection => [
    rows(collection, collections),
    ...(collection.trashMs > 0 ? [trash(collection)] : []),
    ...(collection.history > 0 ? [versions(collection)] : []),
  ])

function rows(collection: Collection, collections: Collections): Resource {
  const { name, title, label, search, history } = collection
  const { list, get, create, update, delete: remove } = operationIds(collection)
  const filters = shownFields(collection).filter(
    field => FILTER_TYPES.includes(field.type) && operatorsOf(field).includes('eq'),
  )
  return {
    name,
    title,
    singular: label,
    label: rowLabel(collection),
    icon: 'table-2',
    operations: { list, get, create, update, delete: remove },
    columns: columnsOf(collection),
    filters: filters.map(field => `filter[${field.name}]`),
    ...(search.length > 0 && { search: 'q' }),
    sort: 'sort',
    fields: shownFields(collection).flatMap(field => (isWritable(field) ? [field.name] : [])),
    labels: labelsOf(collection),
    hints: shownFields(collection).flatMap(({ help }) => (help === undefined ? [] : [help])),
    states: statesOf(collection),
    relations: [
      ...(history > 0 ? [{ resource: `collections.${versionsName(collection)}`, parameters: { id: 'id' } }] : []),
      ...referencesTo(collection, collections),
    ],
  }
}

/** Lists of rows that refer to a row of the collection. */
const referencesTo = ({ name }: Collection, collections: Collections) =>
  [...collections.values()].flatMap(other =>
    shownFields(other)
      .filter(({ reference }) => reference?.to === name)
      .map(field => ({
        resource: `collections.${other.name}`,
        parameters: { [field.reference?.many ? `filter[${field.name}][contains]` : `filter[${field.name}]`]: 'id' },
      })),
  )

const trash = (collection: Collection): Resource => ({
  name: `${collection.name}-trash`,
  title: mapText(collection.title, text => `Trash: ${text}`),
  singular: collection.label,
  label: rowLabel(collection),
  icon: 'trash-2',
  operations: { list: operationIds(collection).listDeleted },
  columns: [...columnsOf(collection).filter(name => name !== 'updatedAt'), 'deletedAt'],
  labels: labelsOf(collection),
  states: statesOf(collection),
  actions: [{ operation: operationIds(collection).restore, title: 'Restore' }],
})

const versionsName = ({ name }: Collection): string => `${name}-versions`

const versions = (collection: Collection): Resource => ({
  name: versionsName(collection),
  title: 'Versions',
  singular: 'Version',
  label: 'revision',
  key: 'revision',
  icon: 'history',
  within: `collections.${collection.name}`,
  operations: { list: operationIds(collection).listVersions },
  columns: ['revision', 'changedAt', 'changedBy', 'changes'],
  actions: [
    {
      operation: operationIds(collection).restoreVersion,
      title: 'Restore',
      confirm: 'Replace the current values with those of this version?',
    },
  ],
})

const isWritable = ({ type, readOnly }: Field): boolean => type !== 'computed' && !readOnly

/** What names a row comes first. Addresses of pages are for the record. */
function columnsOf(collection: Collection): string[] {
  const label = rowLabel(collection)
  const short = shownFields(collection).filter(
    ({ name, type }) => name === label || !(LONG_TYPES.includes(type) || type === 'slug'),
  )
  const names = short.map(({ name }) => name).sort((a, b) => Number(b === label) - Number(a === label))
  return [...names.slice(0, MAX_COLUMNS), 'updatedAt']
}

const statesOf = (collection: Collection): NonNullable<Resource['states']> =>
  Object.fromEntries(
    shownFields(collection)
      .filter(({ valueLabels }) => Object.keys(valueLabels).length > 0)
      .map(({ name, valueLabels }) => [
        name,
        Object.fromEntries(Object.entries(valueLabels).map(([value, title]) => [value, { title }])),
      ]),
  )

const labelsOf = (collection: Collection): Resource['labels'] =>
  Object.fromEntries(
    shownFields(collection).flatMap(({ name, label }) => [
      [name, label],
      [`filter[${name}]`, label],
    ]),
  )

/** The result for English is translated by `locales/`. */
const mapText = (text: LocalText, map: (text: string) => string): LocalText =>
  typeof text === 'string'
    ? map(text)
    : Object.fromEntries(Object.entries(text).map(([locale, one]) => [locale, map(one)]))
