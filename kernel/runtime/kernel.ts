/**
 * Runs a checked recipe: init → migrate → create → reconcile → register → verify → start → serve or work, and back. Nothing is
 * connected before every problem of the recipe is known.
 */
import { tracingChannel } from 'node:diagnostics_channel'
import type { Logger } from 'pino'
import type { Clock } from '../base/index.ts'
import type { Inspector, MigrationSet, Ports, ProcessInfo, Product, Settings } from '../contract/index.ts'
import type { CheckedRecipe, RecipeModule } from '../recipe/index.ts'
import { applyRecipe, assertMayMigrate } from './plan/apply.ts'
import { type AssembledProduct, assembleProduct } from './product.ts'
import { loadSecrets } from './secret-file.ts'

export type Role = ProcessInfo['role']

export interface KernelOptions {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  readonly role: Role
  readonly log: Logger
  readonly clock?: Clock
  /** Settings of modules are read from it; the environment of the process by default. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Whether themes are read for each request. */
  readonly reload?: boolean
  /** Whether the operator has confirmed changes that lose data; false by default. */
  readonly confirmed?: boolean
  /** The operator's answers to the questions of the plan, by their keys. */
  readonly answers?: Readonly<Record<string, string>>
  /** Aborts the start: what has started is stopped, and `bootKernel` rejects. */
  readonly signal?: AbortSignal
  /** Called before each stage, for progress on a terminal. */
  readonly onStep?: (step: string) => void
}

export interface Kernel {
  readonly checked: CheckedRecipe
  readonly product: Product
  readonly inspector: Inspector
  /** Every port of the product, created on first use. */
  readonly ports: Readonly<Ports>
  /** Where the data is, without a password. */
  readonly place: string
  /** Begins to accept requests. */
  serve(): Promise<void>
  /** Begins to process events and jobs. */
  work(): Promise<void>
  /** Drains, stops and disposes in reverse order. A second call waits for the first. */
  stop(): Promise<void>
}

/** docs/observability.md */
const starts = tracingChannel<unknown, { readonly role: Role }>('larder.kernel.start')

/** Throws the error of the stage that failed, after stopping what had started. */
export const bootKernel = (options: KernelOptions): Promise<Kernel> =>
  starts.tracePromise(() => boot(options), { role: options.role })

async function boot(options: KernelOptions): Promise<Kernel> {
  const { checked, settings, role, log, clock, env, reload = false, confirmed = false, answers = {}, signal } = options
  const assembled = await assembleProduct({
    checked,
    settings,
    secrets: await loadSecrets(settings),
    log,
    clock,
    env,
    process: { role, reload, confirmed, answers, connected: true, readOnly: false, ...(signal && { signal }) },
  })
  const { container, lifecycle, product } = assembled
  try {
    await prepare(assembled, options)
  } catch (error) {
    // The first error is the cause.
    await lifecycle.stop(container).catch(() => undefined)
    throw error
  }
  const ports = portsOf(assembled)
  let stopping: Promise<void> | undefined
  return {
    checked,
    product,
    inspector: ports.inspector,
    ports,
    place: ports.migrations.place,
    serve: () => lifecycle.run('serve'),
    work: () => lifecycle.run('work'),
    stop: () => (stopping ??= lifecycle.stop(container)),
  }
}

async function prepare(assembled: AssembledProduct, options: KernelOptions): Promise<void> {
  const { lifecycle } = assembled
  const { role, signal } = options
  const onStep = (step: string) => {
    signal?.throwIfAborted()
    options.onStep?.(step)
  }
  const writes = role !== 'tool'
  const applying = { ...options, confirmed: options.confirmed === true }
  onStep('connecting to the database')
  await openSchema(assembled)
  const migrations = portsOf(assembled).migrations
  if (writes) {
    onStep('migrating the database')
    const sets = migrationSets(lifecycle.entries().filter(({ optional }) => !optional))
    await assertMayMigrate(migrations, sets, applying)
    await migrations.run(sets)
  }
  await migrations.open()
  onStep('creating the modules')
  await createAll(assembled, async entry => {
    if (!writes || !entry.optional) return
    await assertMayMigrate(migrations, migrationSets([entry]), applying)
    await migrations.run(migrationSets([entry]))
  })
  assembled.migrations = await migrations.applied()
  if (writes) {
    onStep('applying the recipe')
    await applyRecipe({ ...assembled, ports: portsOf(assembled) }, applying)
  }
  await lifecycle.register()
  if (writes && role !== 'migrate') {
    await lifecycle.run('verify', 'start')
    await lifecycle.run('start')
  }
  signal?.throwIfAborted()
}

/** Initializes the service that owns the schema; the others may need what a migration creates. */
export async function openSchema({ container, lifecycle }: AssembledProduct): Promise<void> {
  const owner = lifecycle.entries().find(({ module }) => 'migrations' in (module.provides ?? {}))
  if (!owner) throw new Error("No service of this recipe provides the port 'migrations'.")
  await container.call(owner.key, owner.module.init)
}

/** Initializes and creates every other definition, in dependency order. */
export async function createAll(
  { container, lifecycle }: AssembledProduct,
  before: (entry: RecipeModule) => Promise<void> = async () => {},
): Promise<void> {
  await lifecycle.each('be created', async entry => {
    await before(entry)
    if (!('migrations' in (entry.module.provides ?? {}))) await container.call(entry.key, entry.module.init)
    container.create(entry.key)
  })
}

/** The migrations of these definitions, in order. */
export const migrationSets = (entries: readonly Pick<RecipeModule, 'key' | 'module'>[]): MigrationSet[] =>
  entries.flatMap(({ key, module }) => (module.migrations ? [{ module: key, folder: module.migrations }] : []))

/** A view that creates a port when it is first read. */
export const portsOf = ({ container }: AssembledProduct): Readonly<Ports> =>
  new Proxy({} as Ports, { get: (_, name) => container.port(name as keyof Ports) })
