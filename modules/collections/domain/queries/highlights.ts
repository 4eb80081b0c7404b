/** Marks the words of a search in the texts of a row. Pure. */
import { escapeHtml } from '@larder-dev/larder/kernel/internal'
import { createRunFinder } from './letter-runs.ts'
import { partsOf, type Shown } from './search-words.ts'

const MAX_FRAGMENTS = 2
/** Words of a fragment. Two letters of a text without spaces count as one. */
const FRAGMENT_WORDS = 20
/** Characters that are read for a page: other requests wait meanwhile. */
const MAX_READ = 250_000

interface Word {
  readonly start: number
  readonly end: number
  /** Folded. */
  readonly text: string
  /** Whether it is a letter of a text without spaces. */
  readonly isLetter: boolean
}

/** Marks texts of one page. */
export interface Highlighter {
  /** Up to two fragments as HTML: escaped text with `<mark>`. Undefined if the text has no word of the search. */
  highlight(text: string): string | undefined
}

export function createHighlighter(shown: readonly Shown[]): Highlighter {
  const words = new Set(shown.flatMap(part => ('word' in part && !part.prefix ? [part.word] : [])))
  const prefixes = new Set(shown.flatMap(part => ('word' in part && part.prefix ? [part.word] : [])))
  const prefixLengths = [...new Set([...prefixes].map(({ length }) => length))]
  // Texts are read backward, so that a run is found where it begins.
  const runs = createRunFinder(shown.flatMap(part => ('letters' in part ? [part.letters.toReversed()] : [])))
  const known: Known = { words: new Map(), letters: new Map() }
  let read = 0

  const isMarked = (text: string): boolean =>
    words.has(text) || prefixLengths.some(length => prefixes.has(text.slice(0, length)))

  /** How many words, from each one of the text on, are one word of the search. */
  function lengthsIn(found: readonly Word[]): number[] {
    const lengths = new Array<number>(found.length).fill(0)
    runs.restart()
    for (let at = found.length - 1; at >= 0; at--) {
      const { text, isLetter, end } = found[at] as Word
      if (!isLetter || found[at + 1]?.start !== end) runs.restart()
      lengths[at] = isLetter ? runs.lengthAfter(text) : Number(isMarked(text))
    }
    return lengths
  }

  return {
    highlight(text) {
      if (read >= MAX_READ) return undefined
      const part = text.slice(0, MAX_READ - read)
      const found = wordsOf(part, known)
      read += part.length
      const marked: boolean[] = []
      let end = 0
      for (const [at, length] of lengthsIn(found).entries()) {
        end = Math.max(end, at + length)
        marked.push(at < end)
      }
      return end === 0 ? undefined : fragmentsOf(part, found, marked)
    },
  }
}

const WORD = /[\p{L}\p{M}\p{N}\p{Cf}]+|\p{So}/gu
const LETTER = /\P{M}\p{M}*/gu

/** What was found out about words and letters of the page. */
interface Known {
  /** Folded. Undefined: a word of a text without spaces, whose pieces have places of their own. */
  readonly words: Map<string, string | undefined>
  readonly letters: Map<string, Pick<Word, 'text' | 'isLetter'>>
}

const IS_ASCII = /^\p{ASCII}*$/u

function wordsOf(text: string, known: Known): Word[] {
  const found: Word[] = []
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = IS_ASCII.test(word) ? word.toLowerCase() : foldedWord(word, known)
    if (folded === undefined) addPieces(found, word, index, known)
    else found.push({ start: index, end: index + word.length, text: folded, isLetter: false })
  }
  return found
}

function foldedWord(word: string, { words }: Known): string | undefined {
  if (words.has(word)) return words.get(word)
  const parts = partsOf(word)
  const [part] = parts
  const folded = parts.length === 1 && typeof part === 'string' ? part : undefined
  words.set(word, folded)
  return folded
}

/** Letters of a text without spaces, and what is between them. */
function addPieces(found: Word[], word: string, begin: number, known: Known): void {
  let isFirst = true
  for (const { 0: letter, index } of word.matchAll(LETTER)) {
    const start = begin + index
    const end = start + letter.length
    const { text, isLetter } = letterOf(letter, known)
    const last = found.at(-1)
    if (isFirst || isLetter || !last || last.isLetter) found.push({ start, end, text, isLetter })
    else found[found.length - 1] = { ...last, end, text: last.text + text }
    isFirst = false
  }
}

function letterOf(letter: string, { letters }: Known): Pick<Word, 'text' | 'isLetter'> {
  const before = letters.get(letter)
  if (before) return before
  const parts = partsOf(letter)
  const made = { text: parts.flat().join(''), isLetter: typeof parts[0] === 'object' }
  letters.set(letter, made)
  return made
}

/** @param marked whether a word is one of the search, by its place. */
function fragmentsOf(text: string, words: readonly Word[], marked: readonly boolean[]): string {
  const fragments: string[] = []
  let next = 0
  for (let at = marked.indexOf(true); at !== -1 && fragments.length < MAX_FRAGMENTS; at = marked.indexOf(true, next)) {
    const [first, end] = fragmentAround(words, marked, at, next)
    next = end
    const from = first === 0 ? 0 : (words[first]?.start ?? 0)
    const to = end === words.length ? text.length : (words[end - 1]?.end ?? text.length)
    const marks = words.slice(first, end).filter((_, index) => marked[first + index])
    fragments.push(markedHtml(text, from, to, marks))
  }
  return fragments.join(' ... ')
}

/** The words around a match, from `least` on: as many before the matches as after them. */
function fragmentAround(
  words: readonly Word[],
  marked: readonly boolean[],
  at: number,
  least: number,
): readonly [first: number, end: number] {
  const weight = (index: number) => (words[index]?.isLetter ? 0.5 : 1)
  let room = FRAGMENT_WORDS
  let end = at
  let last = at
  for (let used = 0; end < words.length && used + weight(end) <= FRAGMENT_WORDS; end++) {
    used += weight(end)
    if (!marked[end]) continue
    last = end
    room = FRAGMENT_WORDS - used
  }
  end = last + 1
  let first = at
  while (room > 0) {
    const before = first > least
    const after = end < words.length
    if (!before && !after) break
    if (before) room -= weight(--first)
    if (after && room > 0) room -= weight(end++)
  }
  return [first, end]
}

/** Neighboring letters share a mark. */
function markedHtml(text: string, from: number, to: number, marks: readonly Word[]): string {
  const ranges: { start: number; end: number }[] = []
  for (const { start, end, isLetter } of marks) {
    const last = ranges.at(-1)
    if (last && isLetter && last.end === start) last.end = end
    else ranges.push({ start, end })
  }
  let html = ''
  let done = from
  for (const { start, end } of ranges) {
    html += `${escapeHtml(text.slice(done, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`
    done = end
  }
  return html + escapeHtml(text.slice(done, to))
}
