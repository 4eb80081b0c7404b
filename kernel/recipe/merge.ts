/** Merges several files into one recipe. */
import { type Diagnostic, diagnosticAt } from './diagnostic.ts'
import type { Entry, MapTree, Path, Tree } from './tree.ts'

/**
 * `extends`: maps merge deeply, lists and scalars of `over` replace those of `base`, and null removes a key of `base`. A
 * null for another key stays: `forms:` means `forms: {}`.
 */
export function overlay(base: Tree, over: Tree): Tree {
  if (base.kind !== 'map' || over.kind !== 'map') return over
  const entries = new Map<string, Entry>(base.entries)
  for (const [key, { key: place, value }] of over.entries) {
    const below = base.entries.get(key)
    if (below && isNull(value)) entries.delete(key)
    else entries.set(key, { key: place, value: below ? overlay(below.value, value) : value })
  }
  return { ...over, entries }
}

/** A color without quotes reads as null, and is reported as a mistake. */
const isNull = (tree: Tree): boolean =>
  tree.kind === 'scalar' && tree.value === null && tree.unquotedColor === undefined

/** `include`: merges maps. A key that two files set is an error, unless both values are maps. */
export function join(
  whole: MapTree,
  part: MapTree,
  shortPath: (file: string) => string,
): { tree: MapTree; problems: Diagnostic[] } {
  const problems: Diagnostic[] = []
  const merge = (one: MapTree, other: MapTree, path: Path): MapTree => {
    const entries = new Map<string, Entry>(one.entries)
    for (const [key, entry] of other.entries) {
      const own = [...path, key]
      const first = one.entries.get(key)
      if (!first) entries.set(key, entry)
      else if (first.value.kind === 'map' && entry.value.kind === 'map')
        entries.set(key, { key: first.key, value: merge(first.value, entry.value, own) })
      else {
        const message = `Duplicate key "${own.join('.')}"; also set in ${shortPath(first.key.file)}:${first.key.line}`
        problems.push(
          diagnosticAt('duplicate_key', entry.key, own, message, 'Remove one of them. To replace a value, use extends'),
        )
      }
    }
    return { ...one, entries }
  }
  return { tree: merge(whole, part, []), problems }
}
