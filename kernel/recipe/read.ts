/** Reads a recipe with the files that it extends and includes. */

import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createReadBudget,
  didYouMean,
  expandPattern,
  FileReadError,
  isPattern,
  packageRoot,
  type ReadBudget,
  readText,
  resolveInside,
} from '../base/index.ts'
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import { join, overlay } from './merge.ts'
import { shortPath } from './render.ts'
import type { Entry, MapTree, ScalarTree, Tree } from './tree.ts'
import type { Env } from './variables.ts'
import { parseYaml } from './yaml.ts'

export interface RecipeSource {
  /** The recipe itself, absolute. */
  readonly file: string
  /** The merged files; undefined if the recipe can't be read. */
  readonly tree: MapTree | undefined
  readonly problems: readonly Diagnostic[]
  /** The file with those that it includes, without the recipes that it extends. */
  readonly own: MapTree | undefined
  /** True if a file could not be read: it may contain missing keys. */
  readonly broken: boolean
  readonly env: Env
  /** File → text, in the order in which they were read. */
  readonly texts: ReadonlyMap<string, string>
  /** Absolute patterns of `include`, such as `/shop/pages/*.yaml`. */
  readonly patterns: readonly string[]
}

/** Path of the folder of the recipes that Larder ships: `extends: larder/saas` refers to `saas.yaml` in it. */
export const SHIPPED_FOLDER = fileURLToPath(new URL('recipes/', packageRoot))
const SHIPPED_NAME = /^larder\/([a-z][a-z0-9-]*)$/

interface Reading {
  readonly env: Env
  readonly unsaved: ReadonlyMap<string, string>
  readonly texts: Map<string, string>
  readonly patterns: string[]
  readonly problems: Diagnostic[]
  readonly budget: ReadBudget
  broken: boolean
}
/** How a file was reached. */
interface Origin {
  /** `extends` and `include` can't leave this folder. */
  readonly rootDir: string
  /** The files that extend or include this one. */
  readonly open: readonly string[]
}

/**
 * Reports mistakes in `problems` and doesn't throw. `env` contains the values of `${NAME}`.
 * @param unsaved absolute path → text to read instead of the file.
 */
export function readRecipe(path: string, env: Env, unsaved: ReadonlyMap<string, string> = new Map()): RecipeSource {
  const file = resolve(path)
  const reading: Reading = {
    env,
    unsaved,
    texts: new Map(),
    patterns: [],
    problems: [],
    budget: createReadBudget(),
    broken: false,
  }
  const folder = dirname(file)
  const rootDir = existsSync(folder) ? realpathSync(folder) : folder
  // The file is merged over the recipes that it extends, each once.
  const layers = new Map<string, MapTree>()
  const isRead = readLayers(reading, file, { rootDir, open: [] }, layers)
  const tree = isRead ? [...layers.values()].reduce((base, over) => overlay(base, over) as MapTree) : undefined
  const { problems, broken, texts, patterns } = reading
  return { file, env, tree, own: layers.get(file), problems, broken, texts, patterns }
}

/** Adds the recipes that a file extends, in their order, and then the file. False if it can't be read. */
function readLayers(
  reading: Reading,
  file: string,
  origin: Origin,
  layers: Map<string, MapTree>,
  from?: ScalarTree,
): boolean {
  if (layers.has(file)) return true
  const tree = readOne(reading, file, origin, from)
  if (!tree) return false
  const inner = { ...origin, open: [...origin.open, file] }
  const own = withIncludes(reading, without(tree, 'extends'), inner)
  const named = tree.entries.get('extends')?.value
  for (const base of fileNames(reading, listOf(named), 'extends: ./base.yaml, or a list of files'))
    readBase(reading, base, inner, layers)
  layers.set(file, own)
  return true
}

const listOf = (named: Tree | undefined): readonly Tree[] =>
  named === undefined ? [] : named.kind === 'list' ? named.items : [named]

function readOne(reading: Reading, file: string, { open }: Origin, from?: ScalarTree): MapTree | undefined {
  const fail = (message: string, hint?: string) => {
    reading.broken = true
    const text = from ? `${shortPath(file)}: ${message}` : message
    reading.problems.push(diagnosticAt('unreadable_file', from?.place ?? { file, line: 1, column: 1 }, [], text, hint))
  }
  if (open.includes(file)) return void fail('The file extends or includes itself', 'Remove the extends or include')
  try {
    const text = reading.unsaved.get(file) ?? readText(file, reading.budget)
    reading.texts.set(file, text)
    const { tree, problems, broken } = parseYaml(file, text, reading.env)
    reading.problems.push(...problems)
    if (broken) reading.broken = true
    else if (tree?.kind === 'map') return tree
    else rejectNonMap(reading, file, tree)
  } catch (error) {
    if (!(error instanceof FileReadError)) throw error
    fail(error.message, error.hint)
  }
  return undefined
}

function rejectNonMap(reading: Reading, file: string, tree: Tree | undefined): void {
  const empty = !tree || (tree.kind === 'scalar' && tree.value === null)
  const message = empty
    ? 'The file is empty'
    : `A recipe must be a map, not ${tree.kind === 'list' ? 'a list' : 'a single value'}`
  const hint = 'Start with\n    recipe: 1\n    product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }'
  reading.broken = true
  reading.problems.push(diagnosticAt('not_a_map', tree?.place ?? { file, line: 1, column: 1 }, [], message, hint))
}

function withIncludes(reading: Reading, tree: MapTree, origin: Origin): MapTree {
  const named = tree.entries.get('include')?.value
  let whole = without(tree, 'include')
  for (const item of fileNames(reading, listOf(named), 'include: [./plans.yaml, ./pages/*.yaml]')) {
    const folder = dirname(item.place.file)
    const parts = attempt(reading, item, () => expandPattern(folder, String(item.value)))
    if (parts && isPattern(String(item.value))) reading.patterns.push(resolve(folder, String(item.value)))
    for (const name of parts ?? []) {
      const file = attempt(reading, item, () => resolveInside(origin.rootDir, folder, name))
      const part = file && readInclude(reading, file, origin, item)
      if (!part) continue
      const joined = join(whole, part, shortPath)
      whole = joined.tree
      reading.problems.push(...joined.problems)
    }
  }
  return whole
}

function readInclude(reading: Reading, file: string, origin: Origin, from: ScalarTree): MapTree | undefined {
  const tree = readOne(reading, file, origin, from)
  const base = tree?.entries.get('extends')
  if (base) {
    const hint = 'Move extends to the recipe'
    reading.problems.push(
      diagnosticAt('invalid_extends', base.key, ['extends'], 'An included file cannot have extends', hint),
    )
  }
  return tree && withIncludes(reading, without(tree, 'extends'), { ...origin, open: [...origin.open, file] })
}

function readBase(reading: Reading, item: ScalarTree, origin: Origin, layers: Map<string, MapTree>): void {
  const shipped = SHIPPED_NAME.exec(String(item.value))?.[1]
  const folder = dirname(item.place.file)
  const file = attempt(reading, item, () =>
    shipped ? shippedRecipe(shipped) : resolveInside(origin.rootDir, folder, String(item.value)),
  )
  const inside = shipped ? { ...origin, rootDir: realpathSync(SHIPPED_FOLDER) } : origin
  if (file) readLayers(reading, file, inside, layers, item)
}

function shippedRecipe(name: string): string {
  const known = readdirSync(SHIPPED_FOLDER).flatMap(file => (file.endsWith('.yaml') ? [file.slice(0, -5)] : []))
  if (!known.includes(name))
    throw new FileReadError(
      `Unknown shipped recipe "${name}"`,
      didYouMean(name, known) ?? `Shipped recipes are ${known.join(', ')}`,
    )
  return `${SHIPPED_FOLDER}${name}.yaml`
}

/** The items that are file names. */
function fileNames(reading: Reading, items: readonly Tree[], example: string): ScalarTree[] {
  return items.filter((item): item is ScalarTree => {
    if (item.kind === 'scalar' && typeof item.value === 'string' && item.value !== '') return true
    reading.broken = true
    reading.problems.push(diagnosticAt('invalid_include', item.place, [], 'Expected a file name', `Write ${example}`))
    return false
  })
}

function attempt<T>(reading: Reading, { place }: ScalarTree, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof FileReadError)) throw error
    reading.broken = true
    reading.problems.push(diagnosticAt('unreadable_file', place, [], error.message, error.hint))
    return undefined
  }
}

function without(tree: MapTree, key: string): MapTree {
  const entries = new Map<string, Entry>(tree.entries)
  entries.delete(key)
  return { ...tree, entries }
}
