/** The port `events`: an event is a row written in the transaction of the change. */

import {
  type Actor,
  type Clock,
  currentContext,
  currentTraceparent,
  type Database,
  type Deps,
  type EventPublisher,
  type Events,
  eventVersion,
  extendAjv,
  type NewEvent,
  newId,
  type Operator,
  type Registry,
  type Step,
  statement,
} from '@larder-dev/larder/kernel/internal'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'

export interface EventSchema {
  readonly version: number
  readonly schema: TSchema
}
export interface EventsOptions {
  readonly database: Database
  readonly clock: Clock
  readonly operator: Operator
  /** By event type. */
  readonly schemas: ReadonlyMap<string, EventSchema>
  /** Called after the commit of an event. Calls may be frequent. */
  readonly wakeRelay: () => void
}

type AnyEvents = Record<string, unknown>
type AnyEvent = NewEvent<unknown>

const COLUMNS = `id, tenant_id, type, version, occurred_at, actor, subject, correlation_id, causation_id, depth, traceparent, payload`
const insert = (columns = '', values = '') =>
  `insert into larder_events (${COLUMNS}${columns})
   values ($id, $tenantId, $type, $version, $at, $actor, $subject, $correlationId, $causationId, $depth, $traceparent, $payload${values})`
const INSERT = statement(insert())
const INSERT_SHARED = statement(insert(', share', ', $share'))
/** Events of one type in one transaction differ in these columns. */
const insertList = (columns = '', values = '') =>
  `insert into larder_events (${COLUMNS}${columns})
   select e.id, e.tenant_id, $type, $version, $at, $actor, e.subject, $correlationId, $causationId, $depth, $traceparent, e.payload${values}
   from json_to_recordset($events::json) as e (id text, tenant_id text, subject text, payload jsonb)`
const INSERT_LIST = statement(insertList())
const INSERT_LIST_SHARED = statement(insertList(', share', ', $share'))
const SYSTEM_ACTOR: Actor = { kind: 'system', id: 'larder' }

type PublisherDeps = Deps<'database' | 'operator' | 'clock' | 'registry'> & Pick<EventsOptions, 'wakeRelay'>

export const createEventPublisher = ({ database, operator, clock, registry, wakeRelay }: PublisherDeps) =>
  createEvents<Events>({
    database,
    clock,
    operator,
    schemas: eventSchemas(registry),
    wakeRelay,
  })

const eventSchemas = (registry: Registry): Map<string, EventSchema> =>
  new Map(
    registry
      .collect<Readonly<Record<string, TSchema>>>('events')
      .flatMap(({ value }) =>
        Object.entries(value).map(([type, schema]) => [type, { version: eventVersion(schema), schema }] as const),
      ),
  )

export function createEvents<Events>(options: EventsOptions): EventPublisher<Events> {
  const { database, clock, operator, wakeRelay } = options
  const check = createPayloadCheck(options.schemas)
  const wakes = { afterCommit: wakeRelay }

  /** When an event happens, and because of what. */
  function origin(now: number) {
    const { actor = SYSTEM_ACTOR, correlationId = null, causationId = null, depth = 0 } = currentContext()
    const traceparent = currentTraceparent() ?? null
    return {
      at: new Date(now).toISOString(),
      actor: JSON.stringify(actor),
      correlationId,
      causationId,
      depth,
      traceparent,
    }
  }

  function row(type: string, { payload, subject }: AnyEvent, tenantId: string): { id: string; step: Step } {
    const version = check(type, payload)
    const now = clock.now()
    const id = newId('evt', now)
    const values = { ...origin(now), id, tenantId, type, version, subject: subject ?? null }
    const all = { ...values, payload: JSON.stringify(payload) }
    const { share } = currentContext()
    return { id, step: share === undefined ? INSERT(all, wakes) : INSERT_SHARED({ ...all, share }, wakes) }
  }

  function rows(type: string, events: readonly (AnyEvent & { tenantId: string })[]): Step {
    const now = clock.now()
    let version: number | undefined
    const list = events.map(({ payload, subject, tenantId }) => {
      version = check(type, payload)
      return { id: newId('evt', now), tenant_id: tenantId, subject, payload }
    })
    const values = { ...origin(now), type, version, events: JSON.stringify(list) }
    const { share } = currentContext()
    return share === undefined ? INSERT_LIST(values, wakes) : INSERT_LIST_SHARED({ ...values, share }, wakes)
  }

  const publisher: EventPublisher<AnyEvents> = {
    async publish(type, event) {
      const tenantId = event.tenantId ?? database.currentTenant() ?? operator.tenantId
      const { id, step } = row(type, event, tenantId)
      await database.tenant(tenantId).defer([step])
      return id
    },
    publishStep: (type, ...events) => {
      const [only] = events
      return only && events.length === 1 ? row(type, only, only.tenantId).step : rows(type, events)
    },
  }
  return publisher as EventPublisher<Events>
}

const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  // Modules declare these schemas with TypeBox: compiling the metaschema, to validate them, takes 50 ms.
  validateSchema: false,
  meta: false,
  // `validators` holds them instead, as long as their module is in use.
  addUsedSchema: false,
})
addFormats.default(ajv)
extendAjv(ajv)

const validators = new WeakMap<TSchema, ValidateFunction>()

/**
 * Compiles a schema at the first event of its type, because a process publishes few of all types. Products in the same
 * process share compiled schemas.
 */
function validatorOf(schema: TSchema): ValidateFunction {
  const validate = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validate)
  return validate
}

/** Returns the version of an event whose payload is valid. */
const createPayloadCheck =
  (schemas: ReadonlyMap<string, EventSchema>) =>
  (type: string, payload: unknown): number => {
    const known = schemas.get(type)
    if (!known) throw new Error(`no module of this recipe declares the event '${type}'`)
    const accepts = validatorOf(known.schema)
    if (!accepts(payload)) throw new Error(`payload of '${type}': ${ajv.errorsText(accepts.errors)}`)
    return known.version
  }
