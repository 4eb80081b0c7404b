/** The values of a recipe with their locations. */
import { dirname, resolve } from 'node:path'

/** Lines and columns count from 1; `file` is absolute. */
export interface SourceLocation {
  readonly file: string
  readonly line: number
  readonly column: number
}

export type Tree = MapTree | ListTree | ScalarTree
export interface MapTree {
  readonly kind: 'map'
  readonly place: SourceLocation
  readonly entries: ReadonlyMap<string, Entry>
}
export interface Entry {
  /** Location of the key. */
  readonly key: SourceLocation
  readonly value: Tree
}
export interface ListTree {
  readonly kind: 'list'
  readonly place: SourceLocation
  readonly items: readonly Tree[]
}
export interface ScalarTree {
  readonly kind: 'scalar'
  readonly place: SourceLocation
  readonly value: string | number | boolean | null
  /** True if a variable was filled in. */
  readonly fromEnv: boolean
  /** The unquoted color after an empty value, which YAML reads as a comment. */
  readonly unquotedColor?: string
}

/** Keys and list indexes from the root, e.g. `['modules', 'comms', 'from']`. */
export type Path = readonly (string | number)[]

/** Converts a tree to plain data. */
export function toValue(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value
  if (tree.kind === 'list') return tree.items.map(toValue)
  return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, toValue(value)]))
}

export function child(tree: Tree | undefined, step: string | number): Tree | undefined {
  if (tree?.kind === 'map') return tree.entries.get(String(step))?.value
  return tree?.kind === 'list' ? tree.items[Number(step)] : undefined
}

export const at = (tree: Tree | undefined, path: Path): Tree | undefined =>
  path.reduce<Tree | undefined>((found, step) => child(found, step), tree)

/** Location of the value at `path`, or of the nearest existing value that would contain it. */
export function valueLocation(tree: Tree, path: Path): SourceLocation {
  return path.reduce<{ tree: Tree | undefined; place: SourceLocation }>(
    (found, step) => {
      const next = child(found.tree, step)
      return { tree: next, place: next?.place ?? found.place }
    },
    { tree, place: tree.place },
  ).place
}

/** Location of the last key or list item of `path`, or of the nearest existing one that would contain it. */
export function keyLocation(tree: Tree, path: Path): SourceLocation {
  for (let length = path.length; length > 0; length--) {
    const parent = at(tree, path.slice(0, length - 1))
    const step = path[length - 1] as string | number
    if (parent?.kind === 'map' && parent.entries.has(String(step)))
      return (parent.entries.get(String(step)) as Entry).key
    if (parent?.kind === 'list' && parent.items[Number(step)]) return (parent.items[Number(step)] as Tree).place
  }
  return tree.place
}

/** Resolves a path against the file that contains the value at `path`. */
export const fileResolver =
  (tree: MapTree) =>
  (path: Path, value: string): string =>
    resolve(dirname(valueLocation(tree, path).file), value)

/** `['plans', 'pro', 0]` → `plans.pro[0]`; '' for the root. */
export const dotted = (path: Path): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')

/** JSON Pointer (RFC 6901). */
export const pointer = (path: Path): string =>
  path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** JSON Pointers of values into which variables were filled in. */
export function fromEnvironment(tree: Tree, path: Path = []): string[] {
  if (tree.kind === 'scalar') return tree.fromEnv ? [pointer(path)] : []
  if (tree.kind === 'list') return tree.items.flatMap((item, index) => fromEnvironment(item, [...path, index]))
  return [...tree.entries].flatMap(([key, { value }]) => fromEnvironment(value, [...path, key]))
}
