/** The port `events`: an event is a row written in the transaction of the change. */

import {
  type Actor,
  type Clock,
  currentContext,
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

const COLUMNS = `id, tenant_id, type, version, occurred_at, actor, subject, correlation_id, causation_id, payload`
const INSERT = `insert into larder_events (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
/** Events of one type in one transaction differ in these columns. */
const INSERT_LIST = `insert into larder_events (${COLUMNS})
  select e.id, e.tenant_id, $2, $3, $4, $5, e.subject, $6, $7, e.payload
  from json_to_recordset($1::json) as e (id text, tenant_id text, subject text, payload jsonb)`
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

  function row(type: string, { payload, subject }: AnyEvent, tenantId: string): { id: string; step: Step } {
    const version = check(type, payload)
    const { actor = SYSTEM_ACTOR, correlationId = null, causationId = null } = currentContext()
    const now = clock.now()
    const id = newId('evt', now)
    const at = new Date(now).toISOString()
    const facts = [id, tenantId, type, version, at, JSON.stringify(actor), subject ?? null, correlationId, causationId]
    return { id, step: [INSERT, [...facts, JSON.stringify(payload)], wakes] }
  }

  function rows(type: string, events: readonly (AnyEvent & { tenantId: string })[]): Step {
    const { actor = SYSTEM_ACTOR, correlationId = null, causationId = null } = currentContext()
    const now = clock.now()
    let version: number | undefined
    const list = events.map(({ payload, subject, tenantId }) => {
      version = check(type, payload)
      return { id: newId('evt', now), tenant_id: tenantId, subject, payload }
    })
    const at = new Date(now).toISOString()
    const facts = [type, version, at, JSON.stringify(actor), correlationId, causationId]
    return [INSERT_LIST, [JSON.stringify(list), ...facts], wakes]
  }

  const publisher: EventPublisher<AnyEvents> = {
    async publish(type, event) {
      const tenantId = event.tenantId ?? database.currentTenant() ?? operator.tenantId
      const { id, step } = row(type, event, tenantId)
      await database.tenant(tenantId).defer([step])
      return id
    },
    step: (type, ...events) => {
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
