/** Words of searched texts and of queries, as the function `larder_words` of the database separates them. Pure. */
import { folded } from '@larder-dev/larder/kernel/internal'

/** Everything that isn't a letter, a digit or a space. */
const SEPARATORS = String.raw`!-\/:-@\[-\u0060\{-~\u00a1\u00a7\u00ab\u00b6\u00b7\u00bb\u00bf\u05be\u060c\u061b\u061f\u06d4\u0964\u0965\u0e2f\u0e4f\u0e5a\u0e5b\u0f0b\u0f0c\u104a\u104b\u17d4-\u17da\u2010-\u205e\u3001-\u3004\u3008-\u3020\u3030\u30fb`
/** Letters and vowel signs of scripts that are written without spaces, and Korean, whose words have endings. */
const JOINED = String.raw`\u0e01-\u0e4e\u0e81-\u0edf\u1000-\u109f\u1100-\u11ff\u1780-\u17d3\u17dd\u3005\u3007\u3041-\u312f\u31a0-\u31ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\u{20000}-\u{3ffff}`
const LETTERS = String.raw`\u0e01-\u0e30\u0e32-\u0e33\u0e3b-\u0e46\u0e81-\u0eb0\u0eb2-\u0eb3\u0ebd-\u0ec7\u0ecf-\u0edf\u1000-\u102a\u103f-\u1055\u105a-\u105d\u1061\u1065-\u1066\u106e-\u1070\u1075-\u1081\u108e-\u1099\u109e-\u109f\u1100-\u11ff\u1780-\u17b3\u3005\u3007\u3041-\u3098\u309b-\u312f\u31a0-\u31ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\u{20000}-\u{3ffff}`
const SIGNS = String.raw`\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u109a-\u109d\u17b4-\u17d3\u17dd\u3099\u309a`

const SEPARATED = new RegExp(`[${SEPARATORS}\\s]+`, 'gu')
const RUNS = new RegExp(`[${JOINED}]+|[^${JOINED}]+`, 'gu')
const LETTER = new RegExp(`[${LETTERS}][${SIGNS}]*|[${SIGNS}]+`, 'gu')
const IS_JOINED = new RegExp(`^[${JOINED}]`, 'u')

/** Words that follow each other in a text. */
export interface Phrase {
  readonly words: readonly string[]
  /** Whether the last word may be the beginning of one. */
  readonly prefix: boolean
  /** What a text shows for it: words, and runs of letters of a text without spaces. Folded. */
  readonly shown: readonly Shown[]
}
export type Shown = { readonly word: string; readonly prefix: boolean } | { readonly letters: readonly string[] }

export interface Term {
  readonly phrase: Phrase
  readonly excluded: boolean
  /** Whether the term before is an alternative. */
  readonly alternative: boolean
}

/** The words and letters of a text, in their order. */
export const partsOf = (text: string): (string | readonly string[])[] =>
  folded(text)
    .split(SEPARATED)
    .flatMap(piece => piece.match(RUNS) ?? [])
    .map(run => (IS_JOINED.test(run) ? (run.match(LETTER) ?? []) : run))

/**
 * The phrase of a text. Letters of a text without spaces are joined in pairs; the last one stands alone only if more
 * follows, because a longer text may continue it.
 */
function phraseOf(text: string, beginning: boolean): Phrase | undefined {
  const parts = partsOf(text)
  if (parts.length === 0) return undefined
  const isLast = (at: number) => at === parts.length - 1
  const words = parts.flatMap((part, at) => {
    if (typeof part === 'string') return [part]
    const pairs = part.slice(1).map((letter, before) => `${part[before]}${letter}`)
    return isLast(at) && part.length > 1 ? pairs : [...pairs, ...part.slice(-1)]
  })
  const last = parts.at(-1)
  return {
    words: words.map(shortened),
    prefix: beginning || (typeof last === 'object' && last.length === 1),
    shown: parts.map((part, at) =>
      typeof part === 'string' ? { word: part, prefix: beginning && isLast(at) } : { letters: part },
    ),
  }
}

/** Code points: PostgreSQL refuses words of queries with more than 2,046 bytes. */
const MAX_WORD = 500
const shortened = (word: string): string => (word.length > MAX_WORD ? [...word].slice(0, MAX_WORD).join('') : word)

/** `-node.js "a/b" c or te*` has the phrases `node js`, `a b`, `c` and `te…`; the first one is excluded. */
export function searchTerms(query: string): Term[] {
  const terms: Term[] = []
  let alternative = false
  for (const [part] of query.matchAll(/-?"[^"]*"?|[^\s"]+/g)) {
    if (/^or$/i.test(part) && terms.length > 0) {
      alternative = true
      continue
    }
    const excluded = part.startsWith('-')
    const phrase = phraseOf(part, /[^*]\*+$/.test(part) && !excluded)
    if (!phrase) continue
    terms.push({ phrase, excluded, alternative })
    alternative = false
  }
  return terms
}

/** The terms as a query of `to_tsquery`; empty for none. */
export const searchQuery = (terms: readonly Term[]): string =>
  terms
    .map(({ phrase: { words, prefix }, excluded, alternative }, at) => {
      const quoted = words.map((word, at) => `${quote(word)}${prefix && at === words.length - 1 ? ':*' : ''}`)
      return `${at === 0 ? '' : alternative ? ' | ' : ' & '}${excluded ? '!' : ''}(${quoted.join(' <-> ')})`
    })
    .join('')

const quote = (word: string): string => `'${word.replace(/['\\]/g, '$&$&')}'`

/** What a text shows for the terms that rows must have. */
export const shownTerms = (terms: readonly Term[]): readonly Shown[] =>
  terms.flatMap(({ phrase, excluded }) => (excluded ? [] : phrase.shown))
