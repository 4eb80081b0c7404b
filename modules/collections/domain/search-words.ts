/**
 * Words of searched texts and of queries. PostgreSQL's parser takes `Alpha/Beta`, `node.js` and addresses as one word, so
 * that their parts aren't found. Here, characters that join words separate them, and the whole is a phrase. Pure.
 */
import { literal } from './sql-literals.ts'

/** Also punctuation outside ASCII, which the locale C takes for letters. */
const JOINERS = '/\\._-@:+~,;|·…–—／・。、，：；！？（）「」『』【】«»“”„‘’\u00a0\u3000'

/** A text as SQL in which spaces replace what joins words. */
export const separatedSql = (text: string): string =>
  `translate(${text}, ${literal(JOINERS)}, ${literal(' '.repeat([...JOINERS].length))})`

const JOINED = new RegExp(`[${JOINERS.replace(/[\\\]-]/g, '\\$&')}]+`, 'gu')

export interface SearchedWords {
  /** A query of `websearch_to_tsquery`. */
  readonly words: string
  /** What words begin with, as a query of `to_tsquery`; empty for none. */
  readonly prefixes: string
}

/** `-node.js "a/b" c te*` has the words `-"node js" "a b" c` and the prefix `te`. */
export function searchedWords(query: string): SearchedWords {
  const prefixes: string[] = []
  const words = query.replace(/"[^"]*"?|[^\s"]+/g, part => {
    if (part.startsWith('"')) return part.replace(JOINED, ' ')
    if (part.endsWith('*') && !part.startsWith('-')) {
      const parts = part.replace(/\*+$/, '').split(JOINED).filter(Boolean)
      prefixes.push(...parts.slice(-1))
      return parts.slice(0, -1).join(' ')
    }
    const [, minus = '', word = ''] = /^(-?)(.*)$/su.exec(part) ?? []
    const words = word.split(JOINED).filter(Boolean)
    return words.length > 1 ? `${minus}"${words.join(' ')}"` : `${minus}${words[0] ?? ''}`
  })
  return { words, prefixes: prefixes.map(prefix => `${quoted(prefix)}:*`).join(' & ') }
}

/** A word of `to_tsquery`, whatever characters it has. */
const quoted = (word: string): string => `'${word.replace(/['\\]/g, '$&$&')}'`

/** Separates the words of a text that is shown. */
const MARK = '\u0001'

/** A text as SQL whose words are separated by invisible marks next to what joins them. */
export const markedSql = (text: string): string =>
  `regexp_replace(${text}, ${literal(`([${JOINERS.replace(/[\\\]-]/g, '\\$&')}])`)}, ${literal(`${MARK}\\1${MARK}`)}, 'g')`

export const unmarked = (text: string): string => text.replaceAll(MARK, '')
