/** Problems that modules find with the servers of the recipe, as in `larder doctor`, and in the running product. */
import { type Deps, MINUTE, type Registrations } from '@larder-dev/larder/kernel'
import type { ListedProblem } from '../records/problem.ts'

export interface Diagnosis {
  /** At most a minute old, because modules ask other servers. */
  list(): Promise<readonly ListedProblem[]>
}

export function createDiagnosis({ registry, clock }: Deps<'registry' | 'clock'>): Diagnosis {
  let last: { readonly at: number; readonly found: Promise<readonly ListedProblem[]> } | undefined

  async function examine(): Promise<readonly ListedProblem[]> {
    const options = new Map(registry.running().map(running => [running.key, running.options]))
    const found = await Promise.all(
      registry.declared().map(async ({ key, module }) => {
        // The options match the schema of the same definition.
        const problems = options.has(key) ? await module.diagnose?.(options.get(key) as never) : undefined
        return (problems ?? []).map(problem => ({ module: key, problem }))
      }),
    )
    return [...found.flat(), ...(await examineProduct())]
  }

  async function examineProduct(): Promise<readonly ListedProblem[]> {
    const sources = registry
      .collect<Registrations['findings']>('findings')
      .flatMap(({ key, value }) => value.map(source => ({ key, source })))
    const found = await Promise.all(
      sources.map(async ({ key, source }) => (await source.list()).map(problem => ({ module: key, problem }))),
    )
    return found.flat()
  }

  return {
    list() {
      if (last === undefined || clock.now() - last.at >= MINUTE) last = { at: clock.now(), found: examine() }
      return last.found
    },
  }
}
