import { Problem } from '../base/index.ts'
/** The modules of one kernel, made in order: the parts of each, and those that could not take part. */
import type {
  AnyPage,
  AnyRawRoute,
  AnyRoute,
  AnySocket,
  Check,
  Job,
  Listener,
  Module,
  RecipeView,
  Site,
} from '../contract/index.ts'
import type { FailedModule, RecipeModule } from '../recipe/index.ts'
import { inOrder } from '../recipe/index.ts'
import type { Wiring } from './container.ts'

/** A module at work, with everything that it declared. */
export interface Member extends RecipeModule {
  readonly routes: readonly AnyRoute[]
  readonly rawRoutes: readonly AnyRawRoute[]
  readonly sockets: readonly AnySocket[]
  readonly pages: readonly AnyPage[]
  readonly site: Site | undefined
  readonly listeners: readonly Listener[]
  readonly jobs: readonly Job[]
  readonly checks: readonly Check[]
}

export interface Staff {
  members(): readonly Member[]
  failed(): readonly FailedModule[]
  /** Does `work` for each module in the order of needs; an optional one that throws is out from then on. */
  each(stage: string, work: (entry: RecipeModule) => Promise<void> | void): Promise<void>
  /** A hook of every module (`reconcile`, `start`). */
  run(hook: 'reconcile' | 'start'): Promise<void>
  /** `stop` of every module in reverse; each is tried, the first failure is thrown at the end. */
  stop(): Promise<void>
  /** Makes routes, pages, listeners, jobs and checks of every module that is left. */
  engage(): Promise<void>
  view(module: Module): object
}

export function createStaff(
  modules: readonly RecipeModule[],
  wiring: Wiring,
  recipe: Omit<RecipeView, 'sections'>,
): Staff {
  const order = inOrder(modules)
  const failed = new Map<string, string>()
  let members: Member[] = []
  const left = () => order.filter(({ key }) => !failed.has(key))

  const part = <T>(entry: RecipeModule, make: ((...made: never[]) => T) | undefined): T | undefined =>
    make?.(...([wiring.view(entry.module), entry.options, { ...recipe, sections: entry.sections }] as never[]))

  async function each(stage: string, work: (entry: RecipeModule) => Promise<void> | void): Promise<void> {
    for (const entry of left()) {
      const view = wiring.view(entry.module)
      const lost = (entry.module.needs ?? []).find(port => Reflect.get(view, port) === undefined)
      try {
        if (lost) throw new Error(`it needs the port '${lost}' of a module that failed`)
        await work(entry)
      } catch (error) {
        leave(entry, stage, error)
      }
    }
  }
  function leave(entry: RecipeModule, stage: string, error: unknown): void {
    if (Problem.is(error) && error.code === 'unavailable') throw error
    const reason = error instanceof Error ? error.message : String(error)
    if (!entry.optional) throw new Error(`module '${entry.key}' could not ${stage}: ${reason}`, { cause: error })
    wiring.forget(entry.module)
    failed.set(entry.key, `could not ${stage}: ${reason}`)
  }
  return {
    members: () => members,
    failed: () => [...failed].map(([key, reason]) => ({ key, reason })),
    each,
    view: module => wiring.view(module),
    async run(hook) {
      await each(hook, async entry => {
        await part(entry, entry.module[hook])
      })
      members = members.filter(({ key }) => !failed.has(key))
    },
    async engage() {
      const engaged: Member[] = []
      await each('make its routes, listeners and jobs', entry => {
        const { routes, rawRoutes, sockets, pages, site, listeners, jobs, checks } = entry.module
        engaged.push({
          ...entry,
          routes: part(entry, routes) ?? [],
          rawRoutes: part(entry, rawRoutes) ?? [],
          sockets: part(entry, sockets) ?? [],
          pages: part(entry, pages) ?? [],
          site: part(entry, site),
          listeners: part(entry, listeners) ?? [],
          jobs: part(entry, jobs) ?? [],
          checks: part(entry, checks) ?? [],
        })
      })
      members = engaged
    },
    async stop() {
      const failures: unknown[] = []
      for (const entry of left().reverse())
        try {
          await part(entry, entry.module.stop)
        } catch (error) {
          failures.push(error)
        }
      if (failures.length > 0) throw new AggregateError(failures, 'some modules could not stop')
    },
  }
}
