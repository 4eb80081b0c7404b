/** A recipe as it was written: values together with where each of them stands. */

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
  /** Where the key stands. */
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
  /** Some of it came from the environment. */
  readonly fromEnv: boolean
}

/** Steps from the root, e.g. `['modules', 'comms', 'from']`; of a list its index. */
export type Path = readonly (string | number)[]

/** Plain data, made anew at each call. */
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

/** Where the value at `path` stands, or the nearest thing around it that was written. */
export function valueLocation(tree: Tree, path: Path): SourceLocation {
  return path.reduce<{ tree: Tree | undefined; place: SourceLocation }>(
    (found, step) => {
      const next = child(found.tree, step)
      return { tree: next, place: next?.place ?? found.place }
    },
    { tree, place: tree.place },
  ).place
}

/** Where the last key of `path` stands; of a list's item, the item; of what was not written, what surrounds it. */
export function keyLocation(tree: Tree, path: Path): SourceLocation {
  for (let length = path.length; length > 0; length--) {
    const around = at(tree, path.slice(0, length - 1))
    const step = path[length - 1] as string | number
    if (around?.kind === 'map' && around.entries.has(String(step)))
      return (around.entries.get(String(step)) as Entry).key
    if (around?.kind === 'list' && around.items[Number(step)]) return (around.items[Number(step)] as Tree).place
  }
  return tree.place
}

/** `['plans', 'pro', 0]` → `plans.pro[0]`; '' for the root. */
export const dotted = (path: Path): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')

/** JSON Pointer (RFC 6901). */
export const pointer = (path: Path): string =>
  path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Pointers of everything that came from the environment, whole or in part. */
export function fromEnvironment(tree: Tree, path: Path = []): string[] {
  if (tree.kind === 'scalar') return tree.fromEnv ? [pointer(path)] : []
  if (tree.kind === 'list') return tree.items.flatMap((item, index) => fromEnvironment(item, [...path, index]))
  return [...tree.entries].flatMap(([key, { value }]) => fromEnvironment(value, [...path, key]))
}
