import { Nullable, named, OneOf, Timestamp, Type } from '@larder-dev/larder/kernel'

const Text = Type.String()
const Texts = Type.Array(Text)
const Scope = OneOf(['tenant', 'platform'])

export const Info = named(
  'Installation',
  Type.Object({
    name: Text,
    version: Text,
    product: named('ProductInfo', Type.Object({ key: Text, name: Text })),
    publicUrl: Text,
    docsUrl: Text,
    openapiUrl: Text,
    startedAt: Timestamp,
    role: OneOf(['all', 'web', 'worker']),
    modules: Texts,
  }),
)

export const ModuleDetail = named(
  'ModuleDetails',
  Type.Object({
    key: Text,
    version: Text,
    summary: Text,
    state: OneOf(['running', 'failed']),
    source: Text,
    needs: Texts,
    optional: Texts,
    provides: Texts,
    routes: Type.Array(named('ModuleRoute', Type.Object({ method: Text, path: Text, allow: Texts, summary: Text }))),
    sockets: Type.Array(named('ModuleSocket', Type.Object({ path: Text, allow: Texts }))),
    pages: Type.Array(named('ModulePage', Type.Object({ path: Text, name: Text, allow: Texts }))),
    permissions: Type.Array(
      named('ModulePermission', Type.Object({ key: Text, title: Text, scope: Scope }), {
        leavesOut: ['module', 'operatorOnly', 'customers'],
      }),
    ),
    roles: Type.Array(
      named(
        'ModuleRole',
        Type.Object({ key: Text, name: Text, description: Nullable(Text), scope: Scope, permissions: Texts }),
        {
          leavesOut: ['from', 'operatorOnly'],
        },
      ),
    ),
    events: Type.Array(named('ModuleEvent', Type.Object({ type: Text, version: Type.Integer() }))),
    listeners: Type.Array(named('ModuleListener', Type.Object({ event: Text, handler: Text }))),
    jobs: Type.Array(named('ModuleJob', Type.Object({ name: Text, every: Nullable(Text) }))),
    resources: Type.Array(Text, { description: 'IDs of `listResources`: records that the console lists and edits' }),
    mails: Type.Array(
      named('ModuleMail', Type.Object({ key: Text, locales: Texts }), {
        leavesOut: ['source', 'category', 'sendable', 'digest'],
      }),
    ),
    migrations: Type.Array(named('ModuleMigration', Type.Object({ name: Text, appliedAt: Nullable(Timestamp) }))),
    reason: Type.Optional(
      Type.String({ description: 'Why the module failed. Only with `platform.module.configure`.' }),
    ),
    options: Type.Optional(
      Type.Unknown({ description: 'Secrets are masked as ***. Only with `platform.module.configure`.' }),
    ),
  }),
)

export const Recipe = Type.Unknown({ description: 'The recipe with secrets masked as ***' })

export const RecipeFile = named(
  'RecipeFile',
  Type.Object({
    status: OneOf(['current', 'changed', 'invalid']),
    file: Text,
    recipe: Nullable(
      Type.Unknown({ description: 'The recipe in the file with secrets masked as ***; null unless `changed`' }),
    ),
    problems: Type.Array(
      named(
        'RecipeProblem',
        Type.Object({
          severity: OneOf(['error', 'warning']),
          code: Text,
          file: Type.String({ description: 'Relative to the folder of the recipe' }),
          line: Type.Integer(),
          column: Type.Integer(),
          path: Type.String({ description: 'Path in the recipe: `modules.comms.from`' }),
          message: Text,
          hint: Nullable(Text),
        }),
      ),
    ),
    process: Type.String({ description: 'Host name and ID of the process that answers' }),
    startedAt: Timestamp,
  }),
)

export const Queue = named(
  'Queue',
  Type.Object({
    waiting: Type.Integer({ description: 'Events not yet dispatched' }),
    pending: Type.Integer({ description: 'Deliveries to retry' }),
    dead: Type.Integer({ description: 'Deliveries and jobs that failed permanently' }),
    oldestSeconds: Nullable(Type.Number({ description: 'Age of the oldest pending event' })),
  }),
)
