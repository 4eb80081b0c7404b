import { closest, distance } from 'fastest-levenshtein'
import { type Wording, wording } from './wording.ts'

/** Letters. */
const SHORT = 4

/** The known word that `word` is probably a misspelling of. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || word.length > 100) return undefined
  const low = word.toLowerCase()
  const same = known.find(other => other.toLowerCase() === low)
  const near = same ?? closest(word, known)
  const length = Math.max(word.length, near.length)
  // Short words that differ in two letters, such as `jobs` and `docs`, have nothing in common.
  const allowed = length <= SHORT && letters(word) !== letters(near) ? 1 : Math.max(2, Math.round(length * 0.4))
  return same || distance(word, near) <= allowed ? near : undefined
}

const letters = (word: string): string => [...word].sort().join('')

/** `Did you mean "…"?` with the known word that is most similar; undefined if none is. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const near = nearest(word, known)
  return near === undefined ? undefined : `Did you mean "${near}"?`
}

/** The end of a sentence about an unknown name: `is not a known field (did you mean "roles"?)`. */
export function withSuggestion(problem: Wording, word: string, known: readonly string[]): Wording {
  const name = nearest(word, known)
  return name === undefined ? problem : wording('{problem} (did you mean "{name}"?)', { problem, name })
}

/** `a, b, c and 4 more`. */
export function formatList(words: readonly string[], most = 12): string {
  return words.length <= most ? words.join(', ') : `${words.slice(0, most).join(', ')} and ${words.length - most} more`
}
