/** The modules that a recipe names, loaded, with where each of them gets its options from. */

import { dirname } from 'node:path'
import { nearest } from '../base/index.ts'
import type { Module } from '../contract/index.ts'
import { problemAt, type RecipeProblem } from './diagnostic.ts'
import { loadUsed, type ModuleFinder, Unusable } from './modules.ts'
import type { FailedModule } from './recipe-module.ts'
import { at, type Entry, type MapTree, type Path } from './tree.ts'

/** Part of every recipe, named or not. */
const ALWAYS = 'platform'

export interface LoadedModule {
  readonly key: string
  readonly module: Module
  /** `larder`, or the recipe's `use`. */
  readonly source: string
  readonly optional: boolean
  /** Where its options stand. */
  readonly path: Path
}
export interface Loaded {
  readonly modules: readonly LoadedModule[]
  /** Modules whose form `{ use, optional, options }` has to be checked. */
  readonly used: readonly string[]
  /** Optional modules that could not be loaded. */
  readonly failed: readonly FailedModule[]
  readonly problems: readonly RecipeProblem[]
}
type Outcome = { module: LoadedModule } | { failed: FailedModule } | { problem: RecipeProblem }

export async function loadModules(tree: MapTree, builtIn: ModuleFinder): Promise<Loaded> {
  const names = builtIn.names()
  const modules = at(tree, ['modules'])
  const entries = new Map<string, Entry | undefined>(names.includes(ALWAYS) ? [[ALWAYS, undefined]] : [])
  if (modules?.kind === 'map') for (const [key, entry] of modules.entries) entries.set(key, entry)
  const used = [...entries].filter((named): named is [string, Entry] => !!named[1] && useOf(named[1]) !== undefined)
  // A team's modules first: esbuild starts in its own process while those of Larder are loaded in this one.
  const own = new Map(used.map(([key, entry]) => [key, loadOwn(key, entry)]))
  const outcomes = await Promise.all(
    [...entries].map(([key, entry]) => own.get(key) ?? loadBuiltIn(key, entry, builtIn, names, tree)),
  )
  return {
    modules: outcomes.flatMap(outcome => ('module' in outcome ? [outcome.module] : [])),
    used: [...own.keys()],
    failed: outcomes.flatMap(outcome => ('failed' in outcome ? [outcome.failed] : [])),
    problems: outcomes.flatMap(outcome => ('problem' in outcome ? [outcome.problem] : [])),
  }
}

const useOf = ({ value }: Entry) => (value.kind === 'map' ? value.entries.get('use') : undefined)

async function loadOwn(key: string, entry: Entry): Promise<Outcome> {
  const use = useOf(entry) as Entry
  const path = ['modules', key]
  const optional = isTrue(at(entry.value, ['optional']))
  const text = use.value.kind === 'scalar' && typeof use.value.value === 'string' ? use.value.value : ''
  const place = use.value.place
  if (!text)
    return { problem: problemAt(place, [...path, 'use'], 'use says where the module is', 'write use: ./modules/name') }
  try {
    const module = await loadUsed(text, dirname(place.file))
    return { module: { key, module, source: text, optional, path: [...path, 'options'] } }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    if (optional) return { failed: { key, reason: error.message } }
    return { problem: problemAt(place, [...path, 'use'], error.message, error.hint) }
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
    return { problem: problemAt(place, path, `there is no module '${key}'`, unknown(key, names)) }
  try {
    return { module: { key, module: await builtIn.load(key), source: 'larder', optional: false, path } }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { problem: problemAt(place, path, `the module '${key}' cannot be loaded: ${reason}`) }
  }
}

function unknown(key: string, names: readonly string[]): string {
  const near = nearest(key, names)
  const own = `a module of your own says where it is: ${key}: { use: ./modules/${key} }`
  return near ? `did you mean '${near}'? Or ${own}` : `Larder brings ${names.join(', ')}; ${own}`
}
