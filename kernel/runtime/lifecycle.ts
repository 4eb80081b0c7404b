/** The definitions of one product, from their first instance to their last: created, started, drained and stopped in order. */
import { common, Problem } from '../base/index.ts'
import type { DeclaredModule, Registry, RunningModule } from '../contract/index.ts'
import { type FailedModule, inOrder, type RecipeModule } from '../recipe/index.ts'
import type { Container } from './container.ts'
import type { LoadedEntry } from './factories.ts'

/** Not a fault of the definition: the start fails, and can be repeated. */
const UNAVAILABLE_CODES = [common.unavailable.code, common.database_unavailable.code, common.database_full.code]

type HookName = 'init' | 'verify' | 'start' | 'serve' | 'work' | 'drain' | 'stop'

/** A stage of the start that a definition failed. */
export class StartError extends Error {
  readonly key: string
  /** Why, without the definition. */
  readonly reason: string

  constructor({ key, module }: RecipeModule, stage: string, reason: string, cause: unknown) {
    super(`${module.role} '${key}' could not ${stage}: ${reason}`, { cause })
    this.name = 'StartError'
    this.key = key
    this.reason = reason
  }
}

export interface Lifecycle {
  readonly registry: Registry
  /** Definitions that take part, in dependency order. */
  entries(): readonly LoadedEntry[]
  failed(): readonly FailedModule[]
  /** Runs `work` for each definition in dependency order. An optional one that throws is left out from then on. */
  each(stage: string, work: (entry: LoadedEntry) => Promise<void> | void): Promise<void>
  /** Runs a hook of each definition in dependency order. */
  run(hook: Exclude<HookName, 'drain' | 'stop'>, stage?: string): Promise<void>
  /** Creates the registrations of each definition: routes, pages, listeners, jobs, checks. */
  register(): Promise<void>
  /** Runs `drain` of every definition, then `stop`, then disposers, each in reverse order. Throws the first failure at the end. */
  stop(container: Container): Promise<void>
}

export function createLifecycle(definitions: readonly LoadedEntry[], container: () => Container): Lifecycle {
  const order = inOrder(definitions)
  const failed = new Map<string, string>()
  let running: RunningModule[] = []
  const started = new Set<string>()
  const entries = () => order.filter(({ key }) => !failed.has(key))

  function fail(entry: RecipeModule, stage: string, error: unknown): void {
    if (Problem.is(error) && UNAVAILABLE_CODES.includes(error.code)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    if (!entry.optional) throw new StartError(entry, stage, reason, error)
    container().withdraw(entry.key)
    failed.set(entry.key, `could not ${stage}: ${reason}`)
    running = running.filter(({ key }) => key !== entry.key)
  }
  async function each(stage: string, work: (entry: LoadedEntry) => Promise<void> | void): Promise<void> {
    for (const entry of entries())
      try {
        const missing = missingPort(entry, container().has)
        if (missing) throw new Error(`needs port '${missing}' of a module that failed`)
        await work(entry)
      } catch (error) {
        fail(entry, stage, error)
      }
  }
  async function runReversed(hook: 'drain' | 'stop', failures: unknown[]): Promise<void> {
    for (const { key, module } of entries().reverse()) {
      if (hook === 'drain' && !started.has(key)) continue
      try {
        await container().call(key, module[hook])
      } catch (error) {
        failures.push(error)
      }
    }
  }
  return {
    registry: {
      declared: () => entries() as readonly DeclaredModule[],
      running: () => running,
      collect: kind =>
        entries().flatMap(({ key }) => {
          const value = container().registration(key, kind)
          return value === undefined ? [] : [{ key, value: value as never }]
        }),
    },
    entries,
    failed: () => [...failed].map(([key, reason]) => ({ key, reason })),
    each,
    run: (hook, stage = hook) =>
      each(stage, async ({ key, module }) => {
        await container().call(key, module[hook])
        if (hook === 'start') started.add(key)
      }),
    async register() {
      const made: RunningModule[] = []
      await each('create its routes, listeners and jobs', entry => {
        made.push({ ...entry, ...registrations(entry.key, container()) })
      })
      running = made
    },
    async stop(container) {
      const failures: unknown[] = []
      await runReversed('drain', failures)
      await runReversed('stop', failures)
      failures.push(...(await container.dispose()))
      if (failures.length > 0) throw new AggregateError(failures, 'Some services or modules did not stop cleanly.')
    },
  }
}

const missingPort = ({ module }: RecipeModule, has: (port: string) => boolean): string | undefined =>
  (module.needs ?? []).find(port => !has(port))

type Registrations = Omit<RunningModule, keyof RecipeModule>

function registrations(key: string, container: Container): Registrations {
  const list = <K extends keyof Registrations>(kind: K) => (container.registration(key, kind) ?? []) as Registrations[K]
  return {
    routes: list('routes'),
    rawRoutes: list('rawRoutes'),
    sockets: list('sockets'),
    pages: list('pages'),
    site: container.registration(key, 'site') as Registrations['site'],
    listeners: list('listeners'),
    jobs: list('jobs'),
    checks: list('checks'),
  }
}
