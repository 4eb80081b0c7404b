/**
 * The boot: read → check all → connect → make → migrate → reconcile → mount → listen or work; and the way back.
 * Nothing is connected before every problem of the recipe is known.
 */
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { type Connection, connect } from './connect.ts'
import type { Clock, Inspector, Product } from './contract.ts'
import type { MigrationSet } from './database/open.ts'
import { createHttp, type Http } from './http/http.ts'
import { once } from './http/validate.ts'
import { createKernelPorts } from './kernel-ports.ts'
import { createLook, type Look } from './look.ts'
import { mounted, readinessOf } from './mount.ts'
import { type CheckedRecipe, checkRecipe } from './recipe/check.ts'
import { appliedBy, keepApplied } from './recipe/plan-applied.ts'
import { readRecipe } from './recipe/read.ts'
import { packageVersion } from './root.ts'
import type { Settings } from './settings.ts'
import { createStaff, type RecipeModule } from './staff.ts'
import type { OwnPorts } from './wire.ts'
import { createWiring } from './wiring.ts'

/**
 * `web` answers requests, `worker` drains events and jobs, `all` does both. `migrate` brings the database up to date
 * and no more; `tool` looks, and leaves what the recipe says of the database's content to the others.
 */
export type Role = 'all' | 'web' | 'worker' | 'migrate' | 'tool'

export interface KernelOptions {
  /** Path of the recipe, or one that was checked already. */
  readonly recipe: string | CheckedRecipe
  readonly settings: Settings
  readonly role: Role
  readonly log: Logger
  readonly env?: Readonly<Record<string, string | undefined>>
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

const KERNEL_MIGRATIONS: MigrationSet = { module: 'kernel', folder: new URL('./migrations/', import.meta.url) }

const setsOf = (modules: readonly RecipeModule[]): MigrationSet[] =>
  modules.flatMap(({ key, module }) => (module.migrations ? [{ module: key, folder: module.migrations }] : []))

/** Everything that a recipe migrates, in order. */
export const migrationSets = ({ modules }: CheckedRecipe): MigrationSet[] => [KERNEL_MIGRATIONS, ...setsOf(modules)]

/** Throws a RecipeError, or the error of the stage that failed, with everything closed again. */
export async function bootKernel(options: KernelOptions): Promise<Kernel> {
  const { settings, log, onStep = () => {} } = options
  onStep('checking the recipe')
  const checked =
    typeof options.recipe === 'string'
      ? await checkRecipe(readRecipe(options.recipe, options.env ?? process.env))
      : options.recipe
  onStep('connecting to the database')
  const look = once(() => createLook({ ...options, checked }))
  const meanwhile = () => {
    try {
      look()
    } catch {
      // It fails again below, where what was connected is closed.
    }
  }
  const connection = await connect(settings, log, `larder ${options.role}`, { meanwhile })
  try {
    return await assemble({ ...options, onStep, look: look() }, checked, connection)
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function assemble(
  options: KernelOptions & { onStep: (step: string) => void; look: Look },
  checked: CheckedRecipe,
  connection: Connection,
): Promise<Kernel> {
  const { settings, log, onStep } = options
  const { db } = connection
  onStep('migrating the database')
  // The kernel's own tables and roles come first: its ports stand on them. What may fail waits for its own turn.
  await db.migrate([KERNEL_MIGRATIONS, ...setsOf(checked.modules.filter(({ optional }) => !optional))])
  const operator = { tenantId: await db.operatorTenantId() }
  const made = await createKernelPorts({ ...options, checked, connection, operator })
  const { ports } = made
  const wiring = createWiring(ports)
  const recipe = { product: ports.product, folder: dirname(checked.file) }
  const staff = createStaff(checked.modules, wiring, recipe)
  made.engage(staff)

  onStep('making the modules')
  await staff.each('be made', ({ module, options: own, sections }) => {
    wiring.make(module, own, { ...recipe, sections })
  })
  await staff.each('migrate', async entry => {
    if (entry.optional) await db.migrate(setsOf([entry]))
  })
  made.migrations = await db.applied()
  if (options.role !== 'tool') {
    onStep('bringing the recipe into the database')
    await db.locked('reconcile', async () => {
      await staff.run('reconcile')
      await keepApplied(ports.database, appliedBy(checked), ports.clock.now())
    })
  }
  await staff.engage()
  if (options.role !== 'tool' && options.role !== 'migrate') await staff.run('start')

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
