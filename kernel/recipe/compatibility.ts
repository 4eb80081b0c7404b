/** Whether the modules of a recipe fit together; an optional one that does not stays out. */

import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { KERNEL_PORTS, type NamedModule, wiringProblems } from './graph.ts'
import type { Loaded, LoadedModule } from './load.ts'
import type { ModuleFinder } from './modules.ts'
import type { FailedModule } from './recipe-module.ts'
import { keyLocation, type MapTree } from './tree.ts'

export interface Fit {
  /** Those that are left. */
  readonly modules: readonly LoadedModule[]
  readonly failed: readonly FailedModule[]
  readonly problems: readonly Diagnostic[]
}

export async function checkCompatibility(loaded: Loaded, tree: MapTree, builtIn: ModuleFinder): Promise<Fit> {
  const failed = [...loaded.failed]
  const anyLost = loaded.problems.length > 0
  let modules = loaded.modules
  for (;;) {
    const all = [...loaded.services, ...modules]
    const entries = anyLost ? all.map(entry => withoutLost(entry, all)) : all
    const faults = wiringProblems(entries)
    const out = faults.find(({ key }) => modules.some(entry => entry.key === key && entry.optional))
    if (out) {
      failed.push({ key: out.key, reason: out.message })
      modules = modules.filter(({ key }) => key !== out.key)
      continue
    }
    if (faults.length === 0) return { modules, failed, problems: [] }
    // Only now it matters what the modules that the recipe leaves out would give.
    const told = wiringProblems(entries, await leftOut(loaded, builtIn))
    const problems = told.map(({ code, key, message, fix }) => {
      const path = [loaded.services.some(service => service.key === key) ? 'services' : 'modules', key]
      return diagnosticAt(code, keyLocation(tree, path), path, message, fix)
    })
    return { modules, failed, problems }
  }
}

/** What a module that could not be loaded would have given is unknown: that its ports are missing is no news. */
function withoutLost(entry: LoadedModule, modules: readonly LoadedModule[]): LoadedModule {
  const given = new Set([
    ...KERNEL_PORTS,
    ...modules.flatMap(({ module }) => Object.keys(module.provides ?? {})),
  ] as string[])
  return { ...entry, module: { ...entry.module, needs: entry.module.needs?.filter(port => given.has(port)) } }
}

async function leftOut({ modules, failed }: Loaded, builtIn: ModuleFinder): Promise<NamedModule[]> {
  const named = new Set([...modules, ...failed].map(({ key }) => key))
  const others = builtIn.names().filter(name => !named.has(name))
  const found = await Promise.allSettled(others.map(async key => ({ key, module: await builtIn.load(key) })))
  return found.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}
