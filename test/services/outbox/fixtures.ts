/** A database with an outbox and a table of effects, a publisher and relays. */
import pg from 'pg'
import { pino } from 'pino'
import { Type } from 'typebox'
import type { EventPublisher, Inspector } from '../../../kernel/contract/ports.ts'
import type { AnyEvent } from '../../../services/outbox/deliveries.ts'
import { createEventInspector, queueState } from '../../../services/outbox/inspect.ts'
import { createEvents } from '../../../services/outbox/publish.ts'
import { createRelay, type Relay, type RelayHandler, type RelayOptions } from '../../../services/outbox/relay.ts'
import { type OpenDatabase, openDatabase } from '../../../services/postgres/open.ts'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { waitFor } from '../../fixtures/wait.ts'

export const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
const SECRET = 'a secret of thirty-two characters'
/** A relay polls for due retries, whose time a test moves. */
const POLL_MS = 100
const migrations = [
  { module: 'kernel', folder: new URL('../../../services/postgres/migrations/', import.meta.url) },
  { module: 'test', folder: new URL('./migrations/', import.meta.url) },
]
const schemas = new Map([
  ['test.thing.made', { version: 3, schema: Type.Object({ n: Type.Integer() }) }],
  ['test.thing.lost', { version: 1, schema: Type.Object({ n: Type.Integer() }) }],
])

export interface TestEvents {
  'test.thing.made': { n: number }
  'test.thing.lost': { n: number }
}
export type Handle = (event: AnyEvent) => Promise<void>
/** A handler of arrays of events, for a name with `:batch`. */
export const handleBatch = (run: (events: readonly AnyEvent[]) => Promise<void>): Handle => run as unknown as Handle

export interface OutboxFixture {
  readonly db: OpenDatabase
  readonly ownerUrl: string
  readonly operator: string
  readonly clock: { now(): number; forward(milliseconds: number): void }
  readonly events: EventPublisher<TestEvents>
  readonly inspector: Inspector['events']
  /** The owner bypasses row level security. */
  asOwner<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>
  /**
   * Handlers by name. They subscribe to `test.thing.made`, or to `test.thing.lost` if the name contains `:lost`, and take
   * an array of events if it contains `:batch`. `end` stops the relay.
   */
  relay(handlers: Readonly<Record<string, Handle>>, options?: Partial<RelayOptions>): Promise<Relay>
  /** Stores the effect of a handler in the tenant of the event. */
  effect(handler: string, event: AnyEvent): Promise<void>
  /** `handler event` of every effect. */
  effects(): Promise<string[]>
  /** Publishes `count` events in `tenantId` and returns their ids. */
  publish(count: number, tenantId?: string): Promise<string[]>
  queueState(): ReturnType<typeof queueState>
  /** Waits until no event or delivery is pending. */
  settled(): Promise<void>
  end(): Promise<void>
}

const handlersOf = (handlers: Readonly<Record<string, Handle>>): RelayHandler[] =>
  Object.entries(handlers).map(([handler, run]) => ({
    handler,
    event: handler.includes(':lost') ? 'test.thing.lost' : 'test.thing.made',
    batch: handler.includes(':batch'),
    run: run as RelayHandler['run'],
  }))

export async function createOutboxFixture(): Promise<OutboxFixture> {
  const { ownerUrl, drop } = await createTestDatabase({ migrations, log })
  const db = await openTestDatabase(ownerUrl)
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 })
  owner.on('error', () => {})
  const operator = await db.operatorTenantId()
  const relays: Relay[] = []
  let names: string[] = []
  let ahead = 0
  const clock: OutboxFixture['clock'] = {
    now: () => Date.now() + ahead,
    forward(milliseconds) {
      ahead += milliseconds
    },
  }
  const wakeRelay = db.createNotifier('larder_events', () => {})
  const events = createEvents<TestEvents>({
    database: db.database,
    clock,
    operator: { tenantId: operator },
    schemas,
    wakeRelay,
  })
  const fixture: OutboxFixture = {
    db,
    ownerUrl,
    operator,
    clock,
    events,
    inspector: createEventInspector({
      systemDatabase: db.systemDatabase,
      clock,
      wakeRelay,
      handlersOf: () => names,
    }),
    asOwner: async (sql, values) => (await owner.query(sql, values)).rows,
    async relay(handlers, options = {}) {
      names = Object.keys(handlers)
      const relay = createRelay({ db, handlers: handlersOf(handlers), log, clock, pollMs: POLL_MS, ...options })
      relays.push(relay)
      await relay.start()
      return relay
    },
    effect: (handler, event) => effect(db, handler, event),
    effects: async () => {
      const sql = `select handler || ' ' || event_id as line from test_effects order by 1`
      return (await fixture.asOwner<{ line: string }>(sql)).map(({ line }) => line)
    },
    publish: (count, tenantId = 'ten_a') =>
      Promise.all(
        Array.from({ length: count }, (_, n) => events.publish('test.thing.made', { tenantId, payload: { n } })),
      ),
    queueState: () => queueState(db.systemDatabase, clock),
    async settled() {
      await waitFor(async () => {
        const { waiting, pending } = await fixture.queueState()
        return waiting + pending === 0
      })
    },
    async end() {
      await Promise.all(relays.map(relay => relay.stop()))
      await db.close()
      await owner.end()
      await drop()
    },
  }
  return fixture
}

export const openTestDatabase = (ownerUrl: string, applicationName = 'test'): Promise<OpenDatabase> =>
  openDatabase({ ownerUrl, secrets: [SECRET], log, applicationName })

export async function effect({ database }: OpenDatabase, handler: string, { id, tenantId }: AnyEvent): Promise<void> {
  const sql = 'insert into test_effects (tenant_id, event_id, handler) values ($1, $2, $3)'
  await database.tenant(tenantId).query(sql, [tenantId, id, handler])
}
