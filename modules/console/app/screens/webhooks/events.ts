/** What an endpoint can subscribe to: events of the product, and wildcards for all below a name. Pure. */
import type { Api } from '@larder-dev/larder/console'

export interface Choice {
  readonly pattern: string
  readonly description: string
}

const parentsOf = (type: string): readonly string[] =>
  type
    .split('.')
    .slice(0, -1)
    .map((_, at, parts) => `${parts.slice(0, at + 1).join('.')}.*`)

/** `*`, and each wildcard before the events that it contains. @param all describes wildcards */
export function choicesOf(types: readonly Api.EventType[], all: string): readonly Choice[] {
  const seen = new Set<string>()
  const wildcards = (type: string): Choice[] =>
    ['*', ...parentsOf(type)].flatMap(pattern => {
      if (seen.has(pattern)) return []
      seen.add(pattern)
      return [{ pattern, description: all }]
    })
  return types
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .flatMap(({ type, description }) => [...wildcards(type), { pattern: type, description }])
}

/** The choices with every word of the search. */
export function findChoices(choices: readonly Choice[], search: string): readonly Choice[] {
  const words = search.toLowerCase().split(/\s+/)
  return choices.filter(({ pattern, description }) => {
    const text = `${pattern} ${description}`.toLowerCase()
    return words.every(word => text.includes(word))
  })
}

/** The chosen wildcard that contains the pattern already. */
export const coveredBy = (pattern: string, chosen: readonly string[]): string | undefined =>
  chosen.find(
    other => other !== pattern && (other === '*' || (other.endsWith('.*') && pattern.startsWith(other.slice(0, -1)))),
  )

/** Adds the pattern in place of those that it contains, or removes it. */
export const toggle = (pattern: string, chosen: readonly string[]): readonly string[] =>
  chosen.includes(pattern)
    ? chosen.filter(other => other !== pattern)
    : [...chosen.filter(other => coveredBy(other, [pattern]) === undefined), pattern]
