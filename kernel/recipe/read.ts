/** Reads a recipe with everything that it extends and includes. Nothing is loaded, connected or checked. */

import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Budget,
  didYouMean,
  expand,
  newBudget,
  packageRoot,
  readText,
  resolveInside,
  Unreadable,
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
  /** Everything merged; undefined where nothing usable was read. */
  readonly tree: MapTree | undefined
  readonly problems: readonly Diagnostic[]
  /** Some file could not be read: what the tree lacks may stand there. */
  readonly broken: boolean
  /** File → its text, in the order in which they were read. */
  readonly texts: ReadonlyMap<string, string>
}

/** Folder of the recipes that are shipped: `extends: larder/saas` means `saas.yaml` in it. */
const SHIPPED = fileURLToPath(new URL('recipes/', packageRoot))
const SHIPPED_NAME = /^larder\/([a-z][a-z0-9-]*)$/

interface Reading {
  readonly env: Env
  readonly texts: Map<string, string>
  readonly problems: Diagnostic[]
  readonly budget: Budget
  broken: boolean
}
/** One file, and what it may reach. */
interface Around {
  /** Neither extends nor includes lead out of it. */
  readonly rootDir: string
  /** Files that led to this one. */
  readonly open: readonly string[]
}

/** Never throws for what a file says: see `problems`. Values of `env` fill `${NAME}`. */
export function readRecipe(path: string, env: Env): RecipeSource {
  const file = resolve(path)
  const reading: Reading = { env, texts: new Map(), problems: [], budget: newBudget(), broken: false }
  const folder = dirname(file)
  const rootDir = existsSync(folder) ? realpathSync(folder) : folder
  const tree = readWhole(reading, file, { rootDir, open: [] })
  return { file, tree, problems: reading.problems, broken: reading.broken, texts: reading.texts }
}

/** A file with its parts, over what it extends. */
function readWhole(reading: Reading, file: string, around: Around, from?: ScalarTree): MapTree | undefined {
  const tree = readOne(reading, file, around, from)
  if (!tree) return undefined
  const inner = { ...around, open: [...around.open, file] }
  const own = withParts(reading, without(tree, 'extends'), inner)
  const named = tree.entries.get('extends')?.value
  if (named === undefined) return own
  const base = readBase(reading, named, inner)
  return base ? (overlay(base, own) as MapTree) : own
}

function readOne(reading: Reading, file: string, { open }: Around, from?: ScalarTree): MapTree | undefined {
  const fail = (message: string, hint?: string) => {
    reading.broken = true
    const text = from ? `${shortPath(file)}: ${message}` : message
    reading.problems.push(diagnosticAt('unreadable_file', from?.place ?? { file, line: 1, column: 1 }, [], text, hint))
  }
  if (open.includes(file)) return void fail('this file leads back to itself', 'take the extends or include out')
  try {
    const text = readText(file, reading.budget)
    reading.texts.set(file, text)
    const { tree, problems, broken } = parseYaml(file, text, reading.env)
    reading.problems.push(...problems)
    if (broken) reading.broken = true
    else if (tree?.kind === 'map') return tree
    else refuse(reading, file, tree)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    fail(error.message, error.hint)
  }
  return undefined
}

function refuse(reading: Reading, file: string, tree: Tree | undefined): void {
  const empty = !tree || (tree.kind === 'scalar' && tree.value === null)
  const message = empty
    ? 'the file is empty'
    : `a recipe is a map of keys, not ${tree.kind === 'list' ? 'a list' : 'a single value'}`
  const hint = 'begin with\n    recipe: 1\n    product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }'
  reading.broken = true
  reading.problems.push(diagnosticAt('not_a_map', tree?.place ?? { file, line: 1, column: 1 }, [], message, hint))
}

function withParts(reading: Reading, tree: MapTree, around: Around): MapTree {
  const named = tree.entries.get('include')?.value
  let whole = without(tree, 'include')
  const items = named?.kind === 'list' ? named.items : named ? [named] : []
  for (const item of names(reading, items, 'include: [./plans.yaml, ./pages/*.yaml]')) {
    const parts = attempt(reading, item, () => expand(dirname(item.place.file), String(item.value)))
    for (const name of parts ?? []) {
      const file = attempt(reading, item, () => resolveInside(around.rootDir, dirname(item.place.file), name))
      const part = file && readPart(reading, file, around, item)
      if (!part) continue
      const joined = join(whole, part, shortPath)
      whole = joined.tree
      reading.problems.push(...joined.problems)
    }
  }
  return whole
}

function readPart(reading: Reading, file: string, around: Around, from: ScalarTree): MapTree | undefined {
  const tree = readOne(reading, file, around, from)
  const base = tree?.entries.get('extends')
  if (base) {
    const hint = 'let the recipe extend it'
    reading.problems.push(
      diagnosticAt('invalid_extends', base.key, ['extends'], 'a part that is included extends nothing', hint),
    )
  }
  return tree && withParts(reading, without(tree, 'extends'), { ...around, open: [...around.open, file] })
}

function readBase(reading: Reading, named: Tree, around: Around): MapTree | undefined {
  const [item] = names(reading, [named], 'extends: ./base.yaml')
  if (!item) return undefined
  const shipped = SHIPPED_NAME.exec(String(item.value))?.[1]
  const folder = dirname(item.place.file)
  const file = attempt(reading, item, () =>
    shipped ? shippedRecipe(shipped) : resolveInside(around.rootDir, folder, String(item.value)),
  )
  return file
    ? readWhole(reading, file, shipped ? { ...around, rootDir: realpathSync(SHIPPED) } : around, item)
    : undefined
}

function shippedRecipe(name: string): string {
  const known = readdirSync(SHIPPED).flatMap(file => (file.endsWith('.yaml') ? [file.slice(0, -5)] : []))
  if (!known.includes(name))
    throw new Unreadable(`Larder ships no recipe '${name}'`, didYouMean(name, known) ?? `it ships ${known.join(', ')}`)
  return `${SHIPPED}${name}.yaml`
}

/** Those of `items` that can be the name of a file. */
function names(reading: Reading, items: readonly Tree[], right: string): ScalarTree[] {
  return items.filter((item): item is ScalarTree => {
    if (item.kind === 'scalar' && typeof item.value === 'string' && item.value !== '') return true
    reading.broken = true
    reading.problems.push(
      diagnosticAt('invalid_include', item.place, [], 'here stands the name of a file, as text', `write ${right}`),
    )
    return false
  })
}

function attempt<T>(reading: Reading, { place }: ScalarTree, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
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
