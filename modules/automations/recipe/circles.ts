/** Automations that start one another. Pure. */
import type { DeclaredAutomations } from '../domain/definition/declared.ts'

/** An event that a step publishes. */
export interface Publication {
  readonly type: string
  /** Names of the fields that it changes; undefined if they aren't known. */
  readonly changes: readonly string[] | undefined
}

/** Each circle once, from the automation that the recipe has first. */
export function circles(
  automations: DeclaredAutomations,
  published: ReadonlyMap<string, readonly Publication[]>,
): readonly (readonly string[])[] {
  const keys = Object.keys(automations)
  const startedBy = new Map<string, string[]>()
  for (const key of keys)
    for (const type of [automations[key]?.on ?? []].flat()) startedBy.set(type, [...(startedBy.get(type) ?? []), key])
  const startedWith = ({ type, changes }: Publication): readonly string[] =>
    (startedBy.get(type) ?? []).filter(key => {
      const { changed } = automations[key] ?? {}
      return !changed || !changes || changed.some(field => changes.includes(field))
    })
  const next = (key: string) => [...new Set((published.get(key) ?? []).flatMap(startedWith))]

  const found = new Map<string, readonly string[]>()
  const done = new Set<string>()
  function visit(key: string, open: readonly string[]): void {
    const from = open.indexOf(key)
    if (from >= 0) {
      const circle = open.slice(from)
      const start = circle.indexOf(keys.find(each => circle.includes(each)) ?? key)
      const ordered = [...circle.slice(start), ...circle.slice(0, start)]
      found.set(ordered.join(), ordered)
      return
    }
    if (done.has(key)) return
    for (const each of next(key)) visit(each, [...open, key])
    done.add(key)
  }
  for (const key of keys) visit(key, [])
  return [...found.values()]
}
