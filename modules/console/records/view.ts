import { idPattern, NameOf, named, type RecordOf, Time, Type, table } from '@larder-dev/larder/kernel'

const MAX_CONDITIONS = 30
const MAX_COLUMNS = 100

const ViewState = named(
  'SavedViewState',
  Type.Object(
    {
      q: Type.Optional(Type.String({ maxLength: 500, description: 'Words to search for' })),
      sort: Type.Optional(Type.String({ maxLength: 300 })),
      filters: Type.Optional(
        Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 2_000 }), {
          maxProperties: MAX_CONDITIONS,
          description: 'Values by query parameter of the list',
        }),
      ),
      columns: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: MAX_COLUMNS })),
    },
    { description: 'What is searched for, filtered, sorted and shown' },
  ),
)
const Name = NameOf(100)
const Shared = Type.Boolean({ description: 'True for everyone in the workspace who can open the list' })
/** `collections.courses`: module and resource. */
const List = Type.String({ maxLength: 200, pattern: '^[a-z][a-z0-9-]*\\.[a-z0-9_-]+$' })

export const ViewQuery = Type.Object({ list: List })
export const NewView = Type.Object(
  { list: List, name: Name, shared: Type.Optional(Shared), state: ViewState },
  { examples: [{ list: 'content.pages', name: 'Drafts', state: { filters: { status: 'draft' } } }] },
)
export const ViewPatch = Type.Object({
  name: Type.Optional(Name),
  shared: Type.Optional(Shared),
  state: Type.Optional(ViewState),
})

export const View = named(
  'SavedView',
  Type.Object({
    id: Type.String({ pattern: idPattern('viw') }),
    list: Type.String({ description: 'The resource whose list it shows, such as `content.pages`' }),
    name: Type.String(),
    shared: Shared,
    state: ViewState,
    version: Type.Integer({ description: 'Increases by one with every change' }),
    createdBy: Type.String({ description: 'User ID' }),
    createdAt: Time,
    updatedAt: Time,
  }),
)

export const viewTable = table('console_views', View, {
  what: 'view',
  defaults: { version: 1 },
  hidden: { tenantId: Type.String() },
  revision: 'version',
})
export type View = RecordOf<typeof viewTable>
