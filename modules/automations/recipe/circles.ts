/** Automations that start one another. Pure. */
import type { DeclaredAutomations } from '../domain/definition/declared.ts'

/** Each circle once, from the automation that the recipe has first. */
export function circles(
  automations: DeclaredAutomations,
  published: ReadonlyMap<string, ReadonlySet<string>>,
): readonly (readonly string[])[] {
  const keys = Object.keys(automations)
  const startedBy = new Map<string, string[]>()
  for (const key of keys)
    for (const type of [automations[key]?.on ?? []].flat()) startedBy.set(type, [...(startedBy.get(type) ?? []), key])
  const next = (key: string) => [...new Set([...(published.get(key) ?? [])].flatMap(type => startedBy.get(type) ?? []))]

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
