import { idPattern, Nullable, OneOf, Timestamp, Type } from 'larder/kernel'

const Text = Type.String()
const Texts = Type.Array(Text)
const Scope = OneOf(['tenant', 'platform'])

/** In the query of a list. */
export const OfTenant = Type.Optional(
  Type.String({ pattern: idPattern('ten'), description: 'With platform.tenant.read_all' }),
)

export const Info = Type.Object({
  name: Text,
  version: Text,
  product: Type.Object({ key: Text, name: Text }),
  publicUrl: Text,
  docsUrl: Text,
  openapiUrl: Text,
  startedAt: Timestamp,
  role: OneOf(['all', 'web', 'worker']),
  modules: Texts,
})

/** One row of the list of modules; the counts say how much `/platform/modules/{key}` holds. */
export const ModuleSummary = Type.Object({
  key: Text,
  version: Text,
  summary: Text,
  state: OneOf(['running', 'failed']),
  source: Text,
})

export const ModuleDetail = Type.Object({
  ...ModuleSummary.properties,
  needs: Texts,
  optional: Texts,
  provides: Texts,
  routes: Type.Array(Type.Object({ method: Text, path: Text, allow: Texts, summary: Text })),
  sockets: Type.Array(Type.Object({ path: Text, allow: Texts })),
  pages: Type.Array(Type.Object({ path: Text, name: Text, allow: Texts })),
  permissions: Type.Array(Type.Object({ key: Text, title: Text, scope: Scope })),
  roles: Type.Array(Type.Object({ key: Text, name: Text, scope: Scope, permissions: Texts })),
  events: Type.Array(Type.Object({ type: Text, version: Type.Integer() })),
  listeners: Type.Array(Type.Object({ event: Text, handler: Text })),
  jobs: Type.Array(Type.Object({ name: Text, every: Nullable(Text) })),
  mails: Type.Array(Type.Object({ key: Text, locales: Texts })),
  migrations: Type.Array(Type.Object({ name: Text, appliedAt: Nullable(Timestamp) })),
  reason: Type.Optional(Type.String({ description: 'Why it failed; with platform.module.configure alone' })),
  options: Type.Optional(Type.Unknown({ description: 'Secrets as ***; with platform.module.configure alone' })),
})

export const Recipe = Type.Unknown({ description: 'The recipe as it was read, secrets as ***' })

export const Queue = Type.Object({
  waiting: Type.Integer({ description: 'Events that no handler has seen yet' }),
  pending: Type.Integer({ description: 'Deliveries to retry' }),
  dead: Type.Integer({ description: 'Deliveries and jobs that were given up' }),
  oldestSeconds: Nullable(Type.Number({ description: 'Age of the oldest event that waits' })),
})

export const Delivery = Type.Object({
  id: Text,
  eventId: Text,
  eventType: Text,
  tenantId: Text,
  handler: Text,
  state: OneOf(['pending', 'done', 'dead']),
  attempts: Type.Integer(),
  nextAttemptAt: Nullable(Timestamp),
  lastError: Nullable(Text),
  doneAt: Nullable(Timestamp),
})

export const EventEnvelope = Type.Object({
  id: Text,
  type: Text,
  version: Type.Integer(),
  tenantId: Text,
  occurredAt: Timestamp,
  actor: Type.Object({ kind: OneOf(['login', 'apiKey', 'system']), id: Text }),
  subject: Nullable(Text),
  correlationId: Nullable(Text),
  causationId: Nullable(Text),
  payload: Type.Unknown(),
  deliveries: Type.Array(Delivery),
})

export const Replay = Type.Object({ eventId: Text, deliveries: Type.Integer({ description: 'How many go out again' }) })

/** A delivery of an event to a handler, or a job, that was given up after its last attempt. */
export const DeadLetter = Type.Object({
  id: Text,
  kind: OneOf(['delivery', 'job']),
  name: Type.String({ description: 'The handler or the job' }),
  tenantId: Nullable(Text),
  eventId: Nullable(Text),
  eventType: Nullable(Text),
  attempts: Type.Integer(),
  lastError: Nullable(Text),
})

export const AuditRecord = Type.Object({
  id: Text,
  tenantId: Text,
  action: Text,
  actor: Type.Object({ kind: Text, id: Text, userId: Nullable(Text) }),
  subject: Nullable(Text),
  details: Type.Record(Type.String(), Type.Unknown()),
  createdAt: Timestamp,
})
