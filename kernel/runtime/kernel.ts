/**
 * The boot of a recipe that was checked: connect → make → migrate → reconcile → mount → listen or work; and the way
 * back. Nothing is connected before every problem of the recipe is known.
 */

import type { Logger } from 'pino'
import { createHttp, type Http } from '../../services/http/server.ts'
import { type Connection, connect } from '../../services/postgres/connect.ts'
import { pendingMigrations } from '../../services/postgres/pending.ts'
import { createLook, type Look } from '../../services/templates/presentation.ts'
import type { Clock } from '../base/index.ts'
import { once, packageVersion } from '../base/index.ts'
import type { Inspector, Product } from '../contract/index.ts'
import type { CheckedRecipe, OwnPorts } from '../recipe/index.ts'
import { makeModules } from './make.ts'
import { KERNEL, KERNEL_MIGRATIONS, setsOf } from './migration-sets.ts'
import { mounted, readinessOf } from './mount.ts'
import { appliedBy, keepApplied } from './plan/applied-recipe.ts'
import type { Settings } from './settings.ts'

/**
 * `web` answers requests, `worker` drains events and jobs, `all` does both. `migrate` brings the database up to date
 * and no more; `tool` looks at the kernel's own tables, as they are.
 */
export type Role = 'all' | 'web' | 'worker' | 'migrate' | 'tool'

export interface KernelOptions {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  readonly role: Role
  readonly log: Logger
  readonly clock?: Clock
  /** Themes are read anew at each request. */
  readonly reload?: boolean
  /** Told before each stage, for a person who waits. */
  readonly onStep?: (step: string) => void
}

export interface Kernel {
  readonly checked: CheckedRecipe
  readonly product: Product
  readonly inspector: Inspector
  readonly ports: OwnPorts
  /** Where the data is, without a password. */
  readonly place: string
  readonly http: Http
  /** Takes requests. Rejects with EADDRINUSE where the port is taken. */
  listen(): Promise<{ url: string }>
  /** Drains events and jobs until `stop`. */
  work(): Promise<void>
  /** Stops in reverse order; a second call waits for the first. */
  stop(): Promise<void>
}

/** Throws the error of the stage that failed, with everything closed again. */
export async function bootKernel(options: KernelOptions): Promise<Kernel> {
  const { settings, log, onStep = () => {} } = options
  onStep('connecting to the database')
  const look = once(() => createLook(options))
  const meanwhile = () => {
    try {
      look()
    } catch {
      // It fails again below, where what was connected is closed.
    }
  }
  const connection = await connect(settings, log, `larder ${options.role}`, { meanwhile })
  try {
    return await assemble({ ...options, onStep, look: look() }, connection)
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function assemble(
  options: KernelOptions & { onStep: (step: string) => void; look: Look },
  connection: Connection,
): Promise<Kernel> {
  const { checked, settings, log, onStep } = options
  const { db } = connection
  const looks = options.role === 'tool'
  if (looks) await mustStand(db)
  else {
    onStep('migrating the database')
    // What may fail waits for its own turn.
    await db.migrate([KERNEL_MIGRATIONS, ...setsOf(checked.modules.filter(({ optional }) => !optional))])
  }
  const operator = { tenantId: await db.operatorTenantId() }
  onStep('making the modules')
  const { made, wiring, staff } = await makeModules({ ...options, connection, operator })
  const { ports } = made
  if (!looks)
    await staff.each('migrate', async entry => {
      if (entry.optional) await db.migrate(setsOf([entry]))
    })
  made.migrations = await db.applied()
  if (!looks) {
    onStep('bringing the recipe into the database')
    await db.locked('reconcile', async () => {
      await staff.run('reconcile')
      await keepApplied(ports.database, appliedBy(checked), ports.clock.now())
    })
  }
  await staff.engage()
  if (!looks && options.role !== 'migrate') await staff.run('start')

  const members = staff.members()
  const http = createHttp({
    settings,
    log,
    clock: ports.clock,
    product: ports.product,
    secrets: ports.secrets,
    database: ports.database,
    bus: ports.bus,
    operator: ports.operator,
    authenticator: wiring.port('authenticator'),
    access: ports.access,
    modules: members.map(mounted),
    checks: readinessOf(db, members),
    theme: options.look.theme,
    version: packageVersion,
    docs: checked.docs,
    rateLimits: checked.rateLimits,
  })
  let stopping: Promise<void> | undefined
  const stop = async () => {
    await http.drain()
    await made.stopWork()
    await staff.stop()
    await http.close()
    await made.close()
    await connection.close()
  }
  return {
    checked,
    product: ports.product,
    inspector: ports.inspector,
    ports,
    place: connection.place,
    http,
    async listen() {
      const { port } = await http.listen(settings.port, settings.host)
      return { url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}` }
    },
    work: () => made.work(members),
    stop: () => (stopping ??= stop()),
  }
}

/** Whoever only looks changes no table: another version of Larder may be at work on them. */
async function mustStand(db: Connection['db']): Promise<void> {
  const { waiting } = await pendingMigrations([KERNEL_MIGRATIONS], await db.applied())
  const lacking = waiting.get(KERNEL) ?? []
  if (lacking.length > 0)
    throw new Error(`this database lacks ${lacking.join(', ')} of the kernel: larder migrate brings it up to date`)
}
