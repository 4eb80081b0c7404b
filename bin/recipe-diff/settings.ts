/** Compares the values of two recipes. Pure. */
import { isDeepStrictEqual } from 'node:util'
import type { RecipeChange } from '../../kernel/index.ts'

const MAX_VALUE_LENGTH = 120

/**
 * Lists each value that differs, except below the paths in `described`, whose differences are listed elsewhere.
 * @param shown the recipes with secrets masked. Their values are quoted.
 */
export function compareValues(
  before: unknown,
  after: unknown,
  shown: readonly [unknown, unknown],
  described: readonly (readonly string[])[],
): RecipeChange[] {
  const changes: RecipeChange[] = []
  visit(before, after, shown, [])
  return changes

  function visit(old: unknown, now: unknown, [quotedOld, quoted]: readonly [unknown, unknown], path: string[]): void {
    if (described.some(known => known.length <= path.length && known.every((key, at) => key === path[at]))) return
    if (isDeepStrictEqual(old, now)) return
    if (isMap(old) && isMap(now))
      for (const key of new Set([...Object.keys(old), ...Object.keys(now)]))
        visit(inner(old, key), inner(now, key), [inner(quotedOld, key), inner(quoted, key)], [...path, key])
    else if (isMap(old ?? now) && described.some(known => path.every((key, at) => key === known[at]))) {
      const [had, has] = [isMap(old) ? old : {}, isMap(now) ? now : {}]
      visit(had, has, [quotedOld ?? {}, quoted ?? {}], path)
    } else changes.push(toChange(path.join('.'), quotedOld, quoted, [old, now]))
  }
}

function toChange(subject: string, old: unknown, now: unknown, [had, has]: readonly unknown[]): RecipeChange {
  if (had === undefined) return { change: 'add', subject, detail: toText(now) }
  if (has === undefined) return { change: 'remove', subject, detail: toText(old) }
  const [from, to] = [toText(old), toText(now)]
  return { change: 'change', subject, detail: from === to ? 'another value' : `${from} → ${to}` }
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const inner = (value: unknown, key: string): unknown =>
  isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined

function toText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'none'
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}
