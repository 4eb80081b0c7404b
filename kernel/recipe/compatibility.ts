/** Checks the dependencies between the modules of a recipe. Optional modules with unmet ones are left out. */

import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { KERNEL_PORTS, type NamedModule, type WiringProblem, wiringProblems } from './graph.ts'
import type { Loaded, LoadedModule } from './load.ts'
import type { ModuleFinder } from './modules.ts'
import type { FailedModule } from './recipe-module.ts'
import { keyLocation, type MapTree } from './tree.ts'

export interface Compatibility {
  /** The modules that loaded and fit together. */
  readonly modules: readonly LoadedModule[]
  readonly failed: readonly FailedModule[]
  readonly problems: readonly Diagnostic[]
}

export async function checkCompatibility(loaded: Loaded, tree: MapTree, builtIn: ModuleFinder): Promise<Compatibility> {
  const failed = [...loaded.failed]
  const incomplete = loaded.problems.length > 0
  let modules = loaded.modules
  for (;;) {
    const all = [...loaded.services, ...modules]
    const entries = incomplete ? all.map(entry => withoutUnknownNeeds(entry, all)) : all
    const problems = wiringProblems(entries)
    const out = problems.find(({ key }) => modules.some(entry => entry.key === key && entry.optional))
    if (out) {
      failed.push({ key: out.key, reason: out.message })
      modules = modules.filter(({ key }) => key !== out.key)
      continue
    }
    if (problems.length === 0) return { modules, failed, problems: [] }
    // Modules outside the recipe are loaded only to suggest one that provides a missing port.
    const explained = wiringProblems(entries, await unusedModules(loaded, builtIn))
    return { modules, failed, problems: explained.map(problem => wiringDiagnostic(problem, loaded.services, tree)) }
  }
}

/** Locates the problem where the recipe names the definition. */
export function wiringDiagnostic(
  { code, key, message, fix }: WiringProblem,
  services: readonly LoadedModule[],
  tree: MapTree,
): Diagnostic {
  const path = [services.some(service => service.key === key) ? 'services' : 'modules', key]
  return diagnosticAt(code, keyLocation(tree, path), path, message, fix)
}

/** Drops needs that a module that failed to load might have provided. */
function withoutUnknownNeeds(entry: LoadedModule, modules: readonly LoadedModule[]): LoadedModule {
  const provided = new Set([
    ...KERNEL_PORTS,
    ...modules.flatMap(({ module }) => Object.keys(module.provides ?? {})),
  ] as string[])
  return { ...entry, module: { ...entry.module, needs: entry.module.needs?.filter(port => provided.has(port)) } }
}

/** Suggests the shipped module whose section an unknown key is. */
export async function suggestModules(
  problems: readonly Diagnostic[],
  loaded: Loaded,
  builtIn: ModuleFinder,
): Promise<readonly Diagnostic[]> {
  const isSection = ({ code, path }: Diagnostic) => code === 'unknown_key' && path !== '' && !/[.[]/.test(path)
  if (!problems.some(isSection)) return problems
  const unused = await unusedModules(loaded, builtIn)
  return problems.map(problem => {
    const owner = isSection(problem) && unused.find(({ module }) => problem.path in (module.sections ?? {}))
    if (!owner) return problem
    const hint = `The section belongs to module "${owner.key}": add ${owner.key}: {} to modules`
    return { ...problem, hint }
  })
}

async function unusedModules({ modules, failed }: Loaded, builtIn: ModuleFinder): Promise<NamedModule[]> {
  const named = new Set([...modules, ...failed].map(({ key }) => key))
  const others = builtIn.names().filter(name => !named.has(name))
  const found = await Promise.allSettled(others.map(async key => ({ key, module: await builtIn.load(key) })))
  return found.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}
