/** The port `events`: an event is a row in the transaction of the change, or it is not at all. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  type Actor,
  type Clock,
  createPoke,
  currentContext,
  type Database,
  type EventPublisher,
  type NewEvent,
  newId,
  type Operator,
  type Step,
} from 'larder/kernel'
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
  /** Tells workers that there is something to do. */
  readonly notify: () => Promise<void>
  readonly onError: (error: unknown) => void
}

type AnyEvents = Record<string, unknown>
type AnyEvent = NewEvent<unknown>

const INSERT = `insert into larder_events
  (id, tenant_id, type, version, occurred_at, actor, subject, correlation_id, causation_id, payload)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
const NOBODY: Actor = { kind: 'system', id: 'larder' }

export function createEvents<Events>(options: EventsOptions): EventPublisher<Events> {
  const { database, clock, operator } = options
  const check = createPayloadCheck(options.schemas)
  const poke = createPoke(options.notify, options.onError)

  function row(type: string, { payload, subject }: AnyEvent, tenantId: string): { id: string; step: Step } {
    const { version } = check(type, payload)
    const { actor = NOBODY, correlationId = null, causationId = null } = currentContext()
    const id = newId('evt', clock.now())
    const at = new Date(clock.now()).toISOString()
    const facts = [id, tenantId, type, version, at, JSON.stringify(actor), subject ?? null, correlationId, causationId]
    return { id, step: [INSERT, [...facts, JSON.stringify(payload)]] }
  }

  const publisher: EventPublisher<AnyEvents> = {
    async publish(type, event) {
      const tenantId = event.tenantId ?? database.currentTenant() ?? operator.tenantId
      const { id, step } = row(type, event, tenantId)
      await database.tenant(tenantId).query(...(step as [string, unknown[]]))
      database.afterCommit(poke)
      return id
    },
    step: (type, event) => row(type, event, event.tenantId).step,
    poke,
  }
  return publisher as EventPublisher<Events>
}

/** Compiled at the first event of a type: a process that publishes few types need not pay for all. */
function createPayloadCheck(schemas: ReadonlyMap<string, EventSchema>) {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  addFormats.default(ajv)
  return (type: string, payload: unknown): EventSchema => {
    const known = schemas.get(type)
    if (!known) throw new Error(`no module of this recipe declares the event '${type}'`)
    if (!ajv.validate(known.schema, payload)) throw new Error(`payload of '${type}': ${ajv.errorsText(ajv.errors)}`)
    return known
  }
}
