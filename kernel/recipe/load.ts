/** Loads the services and modules of a recipe. */

import { dirname } from 'node:path'
import { didYouMean, Type } from '../base/index.ts'
import type { Definition } from '../contract/index.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { loadUsed, type ModuleFinder, ModuleLoadError } from './modules.ts'
import type { FailedModule } from './recipe-module.ts'
import { at, type Entry, type MapTree, type Path } from './tree.ts'

export interface LoadedModule {
  readonly key: string
  readonly module: Definition
  /** `larder`, or the recipe's `use`. */
  readonly source: string
  readonly optional: boolean
  /** Path of its options in the recipe. */
  readonly path: Path
}
export interface Loaded {
  /** The core services, or what the recipe replaces them with. */
  readonly services: readonly LoadedModule[]
  readonly modules: readonly LoadedModule[]
  /** Keys of modules with `use`. */
  readonly used: readonly string[]
  /** Optional modules that could not be loaded. */
  readonly failed: readonly FailedModule[]
  readonly problems: readonly Diagnostic[]
}
type Outcome = { module: LoadedModule } | { failed: FailedModule } | { problem: Diagnostic }

/** The shipped services and modules. */
export interface Catalog {
  readonly services: readonly Definition[]
  readonly modules: ModuleFinder
  /** Modules of every recipe, whether or not it names them. */
  readonly alwaysLoaded?: readonly string[]
}

export async function loadDefinitions(tree: MapTree, catalog: Catalog): Promise<Loaded> {
  const [services, modules] = await Promise.all([loadServices(tree, catalog.services), loadModules(tree, catalog)])
  return { ...modules, services: services.loaded, problems: [...services.problems, ...modules.problems] }
}

async function loadServices(tree: MapTree, known: readonly Definition[]) {
  const named = at(tree, ['services'])
  const entries = named?.kind === 'map' ? named.entries : new Map<string, Entry>()
  const problems: Diagnostic[] = []
  const names = known.map(({ name }) => name)
  for (const [key, entry] of entries)
    if (!names.includes(key)) {
      const hint = didYouMean(key, names) ?? `Services are ${names.join(', ')}`
      problems.push(diagnosticAt('unknown_service', entry.key, ['services', key], `Unknown service "${key}"`, hint))
    }
  const loaded = await Promise.all(
    known.map(async (service): Promise<LoadedModule> => {
      const key = service.name
      const shipped: LoadedModule = {
        key,
        module: service,
        source: 'larder',
        optional: false,
        path: ['services', key],
      }
      const entry = entries.get(key)
      if (!entry || useOf(entry) === undefined) return shipped
      const outcome = await loadTeamModule('services', key, entry)
      if ('problem' in outcome) problems.push(outcome.problem)
      // The options belong to the replacement, so the schema of the shipped service does not apply.
      if (!('module' in outcome)) return { ...shipped, module: { ...service, options: Type.Unknown() } }
      problems.push(...replacementProblems(outcome.module.module, service, useOf(entry) as Entry))
      return outcome.module
    }),
  )
  return { loaded, problems }
}

/** A replacement provides the ports of the service that it replaces, and no others. */
function replacementProblems(replacement: Definition, { name, provides }: Definition, use: Entry): Diagnostic[] {
  const path = ['services', name, 'use']
  const [wanted, given] = [Object.keys(provides ?? {}), Object.keys(replacement.provides ?? {})]
  const missing = wanted.filter(port => !given.includes(port))
  const extra = given.filter(port => !wanted.includes(port))
  return [
    ...missing.map(port =>
      diagnosticAt(
        'missing_port',
        use.value.place,
        path,
        `The replacement for service "${name}" does not provide port "${port}"`,
        `Add ${port} to its provides`,
      ),
    ),
    ...extra.map(port =>
      diagnosticAt(
        'undeclared_port',
        use.value.place,
        path,
        `The replacement for service "${name}" provides port "${port}", which that service does not have`,
        'Provide additional ports in a module',
      ),
    ),
  ]
}

async function loadModules(
  tree: MapTree,
  { modules: builtIn, alwaysLoaded = [] }: Catalog,
): Promise<Omit<Loaded, 'services'>> {
  const names = builtIn.names()
  const modules = at(tree, ['modules'])
  const entries = new Map<string, Entry | undefined>(
    alwaysLoaded.filter(name => names.includes(name)).map(name => [name, undefined]),
  )
  if (modules?.kind === 'map') for (const [key, entry] of modules.entries) entries.set(key, entry)
  const used = [...entries].filter((named): named is [string, Entry] => !!named[1] && useOf(named[1]) !== undefined)
  // A team's modules first: esbuild runs in its own process while this one loads the shipped modules.
  const teamModules = new Map(used.map(([key, entry]) => [key, loadTeamModule('modules', key, entry)]))
  const outcomes = await Promise.all(
    [...entries].map(([key, entry]) => teamModules.get(key) ?? loadBuiltIn(key, entry, builtIn, names, tree)),
  )
  return {
    modules: outcomes.flatMap(outcome => ('module' in outcome ? [outcome.module] : [])),
    used: [...teamModules.keys()],
    failed: outcomes.flatMap(outcome => ('failed' in outcome ? [outcome.failed] : [])),
    problems: outcomes.flatMap(outcome => ('problem' in outcome ? [outcome.problem] : [])),
  }
}

const useOf = ({ value }: Entry) => (value.kind === 'map' ? value.entries.get('use') : undefined)

async function loadTeamModule(kind: 'modules' | 'services', key: string, entry: Entry): Promise<Outcome> {
  const use = useOf(entry) as Entry
  const path = [kind, key]
  // Other definitions need the ports of a service, so a product can't start without it.
  const optional = kind === 'modules' && isTrue(at(entry.value, ['optional']))
  const text = use.value.kind === 'scalar' && typeof use.value.value === 'string' ? use.value.value : ''
  const place = use.value.place
  if (!text)
    return {
      problem: diagnosticAt(
        'invalid_use',
        place,
        [...path, 'use'],
        '"use" must be a path or a package name',
        'Write use: ./modules/name',
      ),
    }
  try {
    const module = await loadUsed(text, dirname(place.file), kind === 'modules' ? 'module' : 'service')
    return { module: { key, module, source: text, optional, path: [...path, 'options'] } }
  } catch (error) {
    if (!(error instanceof ModuleLoadError)) throw error
    if (optional) return { failed: { key, reason: error.message } }
    return { problem: diagnosticAt('load_failed', place, [...path, 'use'], error.message, error.hint) }
  }
}

const isTrue = (tree: ReturnType<typeof at>): boolean => tree?.kind === 'scalar' && tree.value === true

async function loadBuiltIn(
  key: string,
  entry: Entry | undefined,
  builtIn: ModuleFinder,
  names: readonly string[],
  tree: MapTree,
): Promise<Outcome> {
  const path = ['modules', key]
  const place = entry?.key ?? tree.place
  if (!names.includes(key))
    return {
      problem: diagnosticAt('unknown_module', place, path, `Unknown module "${key}"`, unknownModuleHint(key, names)),
    }
  try {
    return { module: { key, module: await builtIn.load(key), source: 'larder', optional: false, path } }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { problem: diagnosticAt('load_failed', place, path, `Cannot load module "${key}": ${reason}`) }
  }
}

function unknownModuleHint(key: string, names: readonly string[]): string {
  const known = didYouMean(key, names) ?? `Shipped modules are ${names.join(', ')}.`
  return `${known} To use a module of your own, write ${key}: { use: ./modules/${key} }`
}
