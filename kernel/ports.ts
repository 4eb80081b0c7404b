/** The ports that the kernel itself gives: types only. A module asks for them in `needs` like for any other. */
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Model, ModelAttributes, ModelOptions, ModelStatic } from 'sequelize'

// ── Database ────────────────────────────────────────────────────────────────────────────────────────────────────

/** One statement: text with `$1`, and its values. */
export type Step = readonly [text: string, values?: readonly unknown[]]

export interface Result<Row = Record<string, unknown>> {
  readonly rows: Row[]
  readonly rowCount: number
}

/** A unit of work: what stands in it happens as a whole or not at all. */
export interface Unit {
  /** One statement, one flight to the server and back. */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Result<Row>>
  /** Several statements, still one flight; an error rolls back all of them. */
  batch(steps: readonly Step[]): Promise<Result[]>
  /** Look, then write. What `work` throws rolls back. Every port called inside joins this unit by itself. */
  transaction<T>(work: (unit: Unit) => Promise<T>): Promise<T>
}

export interface Database {
  /** Work of one tenant: row level security shows and takes that tenant's rows alone. */
  tenant(tenantId: string): Unit
  /** Work across tenants. `why` stands in the code for its reader; a test lists every such place. */
  system(why: string): Unit
  /** The tenant of the unit that surrounds this call; undefined outside one, and inside a unit of the system. */
  currentTenant(): string | undefined
  /** Runs after the unit that surrounds this call has committed; at once where there is none; never after a rollback. */
  afterCommit(run: () => void | Promise<void>): void
}

/** Sequelize 6 models for admin writes: their statements join the unit that surrounds them, and fail outside one. */
export interface Models {
  /** Sequelize itself is loaded at the first call of the function that this returns. */
  define<Row extends object>(
    name: string,
    attributes: (types: typeof import('sequelize').DataTypes) => ModelAttributes<Model<Row>, Row>,
    options: ModelOptions & { tableName: string },
  ): () => Promise<ModelStatic<Model<Row, Row>>>
}

// ── Events, jobs, bus ───────────────────────────────────────────────────────────────────────────────────────────

export interface Actor {
  readonly kind: 'login' | 'apiKey' | 'system'
  readonly id: string
}

/** The envelope that a listener gets. Times are RFC 3339 UTC. */
export interface EventEnvelope<Type extends string, Payload> {
  readonly id: string
  readonly type: Type
  readonly version: number
  /** The operator's own tenant where the event has none. */
  readonly tenantId: string
  readonly occurredAt: string
  readonly actor: Actor
  readonly subject: string | null
  readonly correlationId: string | null
  readonly causationId: string | null
  readonly payload: Payload
}

export interface NewEvent<Payload> {
  readonly payload: Payload
  /** Left out: the tenant of the unit that surrounds the call, else the operator's. */
  readonly tenantId?: string
  /** The id of what this is about. */
  readonly subject?: string
}

export interface EventPublisher<Events> {
  /** Writes the event into the unit that surrounds the call, or into one of its own. Returns its id, `evt_…`. */
  publish<E extends keyof Events & string>(type: E, event: NewEvent<Events[E]>): Promise<string>
  /** The same as a statement for `batch`. `tenantId` is required: no unit surrounds it. */
  step<E extends keyof Events & string>(type: E, event: NewEvent<Events[E]> & { tenantId: string }): Step
  /** Wakes the relay after a `batch` that held a step: cheap, coalesced. */
  poke(): void
}

export interface JobOptions {
  /** Not before this time. */
  readonly at?: Date
  /** At most one waiting job of this name and key: a second call moves nothing and adds nothing. */
  readonly key?: string
  readonly tenantId?: string
}

export interface JobQueue<Jobs> {
  /** Written into the unit that surrounds the call, or into one of its own. Returns the job's id, `job_…`. */
  enqueue<J extends keyof Jobs & string>(name: J, data: Jobs[J], options?: JobOptions): Promise<string>
  /** Takes back waiting jobs of this name and key; says how many. */
  cancel<J extends keyof Jobs & string>(name: J, key: string): Promise<number>
}

/** Fan-out to every process, at most once, in order per sender. Messages are plain JSON data. */
export interface Bus {
  publish(channel: string, message: unknown): void
  /** `onGap` runs when messages may have been missed (a reconnection): drop what you cached. */
  subscribe(channel: string, onMessage: (message: unknown) => void, onGap?: () => void): () => void
}

// ── Small things ────────────────────────────────────────────────────────────────────────────────────────────────

/** Milliseconds since 1970, and timers: tests replace it. */
export interface Clock {
  now(): number
}

/** Subkeys of LARDER_SECRET by HKDF-SHA-256 (RFC 5869), one per purpose; the older secret still verifies. */
export interface Secrets {
  /** base64url HMAC-SHA-256 of the parts. */
  sign(purpose: string, ...parts: string[]): string
  /** In constant time, against each accepted secret. */
  verify(signature: string, purpose: string, ...parts: string[]): boolean
  /** AES-256-GCM. */
  encrypt(purpose: string, plain: string): Buffer
  /** Throws on anything that this server did not encrypt for this purpose. */
  decrypt(purpose: string, sealed: Buffer): string
}

/** What the recipe says of the product, and where it is reached. */
export interface Product {
  readonly key: string
  readonly name: string
  /** Without a slash at its end. */
  readonly publicUrl: string
  readonly locales: { readonly default: string; readonly available: readonly string[] }
  readonly theme: { readonly name: string; readonly tokens: Readonly<Record<string, string>> }
  readonly production: boolean
}

/** The tenant that the operator of this installation owns. */
export interface Operator {
  readonly tenantId: string
}

// ── Templates ───────────────────────────────────────────────────────────────────────────────────────────────────

export interface RenderedMail {
  readonly subject: string
  readonly html: string
  readonly text: string
}

export interface MailTemplateInfo {
  readonly key: string
  readonly locales: readonly string[]
  /** The module that brings it, or `recipe`. */
  readonly source: string
  readonly category: 'transactional' | 'marketing'
}

export interface MailTemplates {
  /** Keys are `<module>.<file>`, e.g. `identity.welcome`. */
  has(key: string): boolean
  list(): readonly MailTemplateInfo[]
  /** Data with which the template can be shown, of its own head. Throws problem `unknown_template`. */
  sample(key: string, locale: string): Readonly<Record<string, unknown>>
  /** Fills every part but styles none: cheap. Throws problems `unknown_template` and `template_failed`. */
  check(
    key: string,
    locale: string,
    data: Readonly<Record<string, unknown>>,
  ): { readonly subject: string; readonly category: MailTemplateInfo['category'] }
  /** Strict: a name that is not in `data` is an error that names it. Throws problem `template_failed`. */
  render(key: string, locale: string, data: Readonly<Record<string, unknown>>): RenderedMail
}

// ── Access ──────────────────────────────────────────────────────────────────────────────────────────────────────

export type Credential =
  | { readonly kind: 'cookie'; readonly secret: string }
  | { readonly kind: 'bearer'; readonly secret: string }
  | { readonly kind: 'apiKey'; readonly secret: string }

/** Who a credential is, before any tenant. */
export interface Principal {
  readonly kind: 'login' | 'apiKey'
  /** `lgn_…` or `key_…`. */
  readonly id: string
  readonly userId: string
  /** An API key is bound to it; a dashboard token without the header means it. */
  readonly homeTenantId: string | null
  /** RFC 3339; nothing is cached past it. */
  readonly expiresAt: string | null
  /** For an API key: what it may at most; null is all that its creator may. */
  readonly permissions: readonly string[] | null
}

export interface Membership {
  readonly tenantId: string
  readonly memberId: string
  /** Role keys, those of scope platform included. */
  readonly roles: readonly string[]
  /** Patterns of scope tenant: `*`, `area.*`, `area.resource.*` or exact. */
  readonly permissions: readonly string[]
  /** Patterns of scope platform. */
  readonly platformPermissions: readonly string[]
}

/** Given by identity. The kernel caches both answers for at most 1 s and drops them on `callers.changed`. */
export interface Authenticator {
  identify(credential: Credential): Promise<Principal | null>
  /** `tenant` is an id or a slug; null where the principal is no member, or there is no such tenant. */
  membership(principal: Principal, tenant: string): Promise<Membership | null>
}

/** Message on the bus channel `callers.changed`: what to drop. Nothing named means all. */
export interface CallersChanged {
  readonly userId?: string
  readonly tenantId?: string
  readonly principalId?: string
}

/** Every permission and role of this recipe. */
export interface AccessCatalogue {
  permissions(): readonly PermissionEntry[]
  roles(): readonly RoleEntry[]
}
export interface PermissionEntry {
  readonly key: string
  readonly title: string
  readonly scope: 'tenant' | 'platform'
  readonly module: string
}
export interface RoleEntry {
  readonly key: string
  readonly name: string
  readonly scope: 'tenant' | 'platform'
  readonly permissions: readonly string[]
  /** The module that brings it, or `recipe`. */
  readonly from: string
}

/** What gauge entitlements count. */
export interface Usage {
  keys(): readonly string[]
  count(key: string, tenantId: string): Promise<number>
}

// ── Looking inside ──────────────────────────────────────────────────────────────────────────────────────────────

export interface ModuleReport {
  readonly name: string
  readonly version: string
  readonly summary: string
  /** `running`, or `failed` for an optional module that could not start, with the reason. */
  readonly state: 'running' | 'failed'
  readonly reason?: string
  /** Where it was loaded from: `larder`, or the recipe's `use`. */
  readonly source: string
  readonly needs: readonly string[]
  readonly wants: readonly string[]
  readonly gives: readonly string[]
  readonly routes: readonly { method: string; path: string; allow: readonly string[]; summary: string }[]
  readonly sockets: readonly { path: string; allow: readonly string[] }[]
  readonly pages: readonly { path: string; name: string }[]
  readonly permissions: readonly PermissionEntry[]
  readonly roles: readonly RoleEntry[]
  readonly events: readonly { type: string; version: number }[]
  readonly listeners: readonly { event: string; handler: string }[]
  readonly jobs: readonly { name: string; every: string | null }[]
  readonly mails: readonly { key: string; locales: readonly string[] }[]
  /** As the recipe says, secrets as `***`. */
  readonly options: unknown
  readonly migrations: readonly { name: string; appliedAt: string | null }[]
}

export interface EventRecord extends EventEnvelope<string, unknown> {
  readonly deliveries: readonly DeliveryRecord[]
}
export interface DeliveryRecord {
  readonly id: string
  readonly eventId: string
  readonly eventType: string
  readonly tenantId: string
  readonly handler: string
  readonly state: 'pending' | 'done' | 'dead'
  readonly attempts: number
  readonly nextAttemptAt: string | null
  readonly lastError: string | null
  readonly doneAt: string | null
}
export interface DeadJob {
  readonly id: string
  readonly name: string
  readonly tenantId: string | null
  readonly attempts: number
  readonly lastError: string | null
  readonly data: unknown
  readonly createdAt: string
}
export interface PageOf<T> {
  readonly data: T[]
  readonly nextCursor: string | null
}

/** The admin's view of this process and of what waits in the database. `tenantId: null` looks at every tenant. */
export interface Inspector {
  modules(): readonly ModuleReport[]
  /** The recipe as it was read, secrets as `***`. */
  recipe(): unknown
  info(): { version: string; startedAt: string; role: 'all' | 'web' | 'worker'; node: string }
  events: {
    list(q: { tenantId: string | null; type?: string; limit: number; cursor?: string }): Promise<PageOf<EventRecord>>
    get(id: string, tenantId: string | null): Promise<EventRecord | null>
    dead(q: { tenantId: string | null; limit: number; cursor?: string }): Promise<PageOf<DeliveryRecord>>
    /** Makes a dead delivery pending again, now; null where there is no such dead delivery. */
    retry(deliveryId: string, tenantId: string | null): Promise<DeliveryRecord | null>
    /** Delivers an event again to every handler that did not finish it, or to all with `force`; says to how many. */
    replay(eventId: string, options: { tenantId: string | null; force?: boolean }): Promise<number | null>
  }
  jobs: {
    dead(q: { tenantId: string | null; limit: number; cursor?: string }): Promise<PageOf<DeadJob>>
    retry(jobId: string, tenantId: string | null): Promise<DeadJob | null>
  }
  queue(): Promise<{ waiting: number; pending: number; dead: number; oldestSeconds: number | null }>
}

export interface KernelPorts<Events, Jobs> {
  database: Database
  models: Models
  events: EventPublisher<Events>
  jobs: JobQueue<Jobs>
  bus: Bus
  clock: Clock
  secrets: Secrets
  log: Logger
  product: Product
  operator: Operator
  mailTemplates: MailTemplates
  access: AccessCatalogue
  usage: Usage
  inspector: Inspector
}

/** A file on its way through a raw route. */
export type ByteStream = Readable
