/** Makes every port that the kernel gives, and what runs behind them. */

import type { Logger } from 'pino'
import { createBus } from '../../services/bus/bus.ts'
import { createJobInspector } from '../../services/jobs/inspect.ts'
import { createJobs } from '../../services/jobs/jobs.ts'
import { createEventInspector, queueState } from '../../services/outbox/inspect.ts'
import { createEvents, type EventSchema } from '../../services/outbox/publish.ts'
import { createRelay, type Relay, type RelayHandler } from '../../services/outbox/relay.ts'
import { sweepJob } from '../../services/outbox/sweep.ts'
import type { Connection } from '../../services/postgres/connect.ts'
import { createTenantDeletion } from '../../services/postgres/tenant-deletion.ts'
import type { Look } from '../../services/templates/presentation.ts'
import type { Clock } from '../base/index.ts'
import { createSecrets, packageVersion } from '../base/index.ts'
import type { Bus, Channels, Events, Jobs, Module, Operator, SystemDatabase } from '../contract/index.ts'
import { type CheckedRecipe, createAccess, maskOptions, maskRecipe, type OwnPorts } from '../recipe/index.ts'
import { createInspector, eventVersion, handlerKey, type KnownMigrations } from './inspector.ts'
import type { Member, Staff } from './registry.ts'
import type { Settings } from './settings.ts'
import { createUsage } from './usage.ts'

export interface KernelPortsOptions {
  readonly settings: Settings
  readonly log: Logger
  readonly role: 'all' | 'web' | 'worker' | 'migrate' | 'tool'
  readonly clock?: Clock
  readonly look: Look
  readonly checked: CheckedRecipe
  readonly connection: Connection
  readonly operator: Operator
}

export interface MadePorts {
  readonly ports: OwnPorts
  /** By module: set after migrating. */
  migrations: KnownMigrations
  /** The modules, once there are any to look at. */
  engage(staff: Staff): void
  work(members: readonly Member[]): Promise<void>
  stopWork(): Promise<void>
  close(): Promise<void>
}

export async function createKernelPorts(options: KernelPortsOptions): Promise<MadePorts> {
  const { checked, connection, operator, settings, log } = options
  const { db } = connection
  const clock = options.clock ?? { now: Date.now }
  const { product, mailTemplates } = options.look
  let staff: Staff | undefined
  const members = () => staff?.members() ?? []

  let relay: Relay | undefined
  const bus = await createBus({ settings, db, scope: operator.tenantId, log })
  const unwoken = (error: unknown) => log.debug({ err: error }, 'workers were not woken: they poll')
  const events = createEvents<Events>({
    database: db.database,
    clock,
    operator,
    schemas: eventSchemas(checked.modules),
    notify: () => db.notify('larder_events', ''),
    onError: unwoken,
  })
  // While modules are being made and reconciled nobody knows their jobs yet.
  const known = (name: string) =>
    members().length === 0 || members().some(member => member.jobs.some(job => job.name === name))
  const jobs = createJobs<Jobs>({ db, backend: settings.jobsBackend, settings, log, clock, known })
  const handlersOf = (type: string) =>
    relayHandlers(members())
      .filter(({ event }) => event === type)
      .map(({ handler }) => handler)
  const inspector = createInspector({
    version: packageVersion,
    role: options.role,
    startedAt: new Date(clock.now()),
    recipe: maskRecipe(checked),
    modules: checked.modules,
    masked: key => maskOptions(checked, key),
    members,
    failed: () => [...checked.failed, ...(staff?.failed() ?? [])],
    migrations: () => made.migrations,
    mails: key => mailTemplates.list().filter(({ source }) => source === key),
    events: createEventInspector({ db, clock, handlersOf, poke: events.poke }),
    jobs: createJobInspector(db, clock),
    queue: () => queueState(db, clock),
  })
  const systemDatabase: SystemDatabase = { acrossTenants: why => db.database.system(why) }
  const made: MadePorts = {
    migrations: new Map(),
    ports: {
      access: createAccess(checked.modules, checked.roles),
      // The bus carries any JSON; `Channels` says which messages modules publish.
      bus: bus as Bus<Channels>,
      clock,
      dataFolder: { path: settings.dataDir },
      database: db.database,
      systemDatabase,
      tenantDeletion: createTenantDeletion({
        database: db.database,
        systemDatabase,
        hooks: () => members().flatMap(({ module }) => deletionHook(module, staff?.view(module) ?? {})),
      }),
      events,
      inspector,
      jobs: jobs.queue,
      log,
      mailServer: { url: settings.smtpUrl },
      mailTemplates,
      models: db.models,
      operator,
      product,
      secrets: createSecrets(connection.secrets),
      usage: createUsage(checked.modules, module => staff?.view(module) ?? {}),
    },
    engage(made) {
      staff = made
    },
    async work(list) {
      relay = createRelay({ db, handlers: relayHandlers(list), log, clock })
      await relay.start()
      await jobs.start([...list.flatMap(member => member.jobs), sweepJob(db.database, clock)])
    },
    async stopWork() {
      await Promise.all([relay?.stop(), jobs.stop()])
    },
    close: () => bus.close(),
  }
  return made
}

const deletionHook = ({ deleteTenant }: Module, view: object): ((tenantId: string) => Promise<void>)[] =>
  deleteTenant ? [tenantId => deleteTenant(view as never, tenantId)] : []

const relayHandlers = (members: readonly Member[]): RelayHandler[] =>
  members.flatMap(({ key, listeners }) =>
    listeners.map(listener => {
      const { on, together = false, run } = listener
      return { handler: handlerKey(key, listener), event: on, together, run }
    }),
  )

const eventSchemas = (modules: CheckedRecipe['modules']): Map<string, EventSchema> =>
  new Map(
    modules.flatMap(({ module }) =>
      Object.entries(module.events ?? {}).map(
        ([type, schema]) => [type, { version: eventVersion(schema), schema }] as const,
      ),
    ),
  )
