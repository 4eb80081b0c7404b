/** Marks the words of a search in the texts of a row. Pure. */
import { escapeHtml } from '@larder-dev/larder/kernel'
import { partsOf, type Shown } from './search-words.ts'

const MAX_FRAGMENTS = 2
/** Words of a fragment. Two letters of a text without spaces count as one. */
const FRAGMENT_WORDS = 20
/** Characters that are read for a page. */
const MAX_READ = 4_000_000

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
  const prefixes = shown.flatMap(part => ('word' in part && part.prefix ? [part.word] : []))
  const runs = shown.flatMap(part => ('letters' in part ? [part.letters] : []))
  let read = 0

  /** How many words of the text are one word of the search. */
  const matchAt = (found: readonly Word[], at: number): number => {
    const { text, isLetter } = found[at] as Word
    if (!isLetter) return words.has(text) || prefixes.some(prefix => text.startsWith(prefix)) ? 1 : 0
    const fits = (run: readonly string[]) =>
      run.every((letter, offset) => {
        const word = found[at + offset]
        const before = found[at + offset - 1]
        return word?.isLetter && word.text === letter && (offset === 0 || before?.end === word.start)
      })
    return Math.max(0, ...runs.filter(fits).map(run => run.length))
  }

  return {
    highlight(text) {
      if (read > MAX_READ) return undefined
      read += text.length
      const found = wordsOf(text)
      const marked = new Set<number>()
      for (let at = 0; at < found.length; at++) {
        const length = matchAt(found, at)
        for (let offset = 0; offset < length; offset++) marked.add(at + offset)
      }
      return marked.size === 0 ? undefined : fragmentsOf(text, found, marked)
    },
  }
}

const WORD = /[\p{L}\p{M}\p{N}\p{Cf}]+|\p{So}/gu
const LETTER = /\P{M}\p{M}*/gu

function wordsOf(text: string): Word[] {
  const found: Word[] = []
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const parts = partsOf(word)
    const [part] = parts
    if (parts.length === 1 && typeof part === 'string')
      found.push({ start: index, end: index + word.length, text: part, isLetter: false })
    else
      for (const piece of piecesOf(word)) found.push({ ...piece, start: index + piece.start, end: index + piece.end })
  }
  return found
}

/** Letters of a text without spaces, and what is between them. */
function piecesOf(word: string): Word[] {
  const pieces: Word[] = []
  for (const { 0: letter, index } of word.matchAll(LETTER)) {
    const parts = partsOf(letter)
    const end = index + letter.length
    const [part] = parts
    const text = parts.flat().join('')
    const last = pieces.at(-1)
    if (typeof part === 'object') pieces.push({ start: index, end, text, isLetter: true })
    else if (last && !last.isLetter) pieces[pieces.length - 1] = { ...last, end, text: last.text + text }
    else pieces.push({ start: index, end, text, isLetter: false })
  }
  return pieces
}

function fragmentsOf(text: string, words: readonly Word[], marked: ReadonlySet<number>): string {
  const fragments: string[] = []
  let next = 0
  for (const at of [...marked].sort((a, b) => a - b)) {
    if (at < next || fragments.length === MAX_FRAGMENTS) continue
    const [first, end] = fragmentAround(words, marked, at, next)
    next = end
    const from = first === 0 ? 0 : (words[first]?.start ?? 0)
    const to = end === words.length ? text.length : (words[end - 1]?.end ?? text.length)
    fragments.push(
      markedHtml(
        text,
        from,
        to,
        [...marked].filter(word => word >= first && word < end).map(word => words[word] as Word),
      ),
    )
  }
  return fragments.join(' ... ')
}

/** The words around a match, from `least` on: as many before the matches as after them. */
function fragmentAround(
  words: readonly Word[],
  marked: ReadonlySet<number>,
  at: number,
  least: number,
): readonly [first: number, end: number] {
  const weight = (index: number) => (words[index]?.isLetter ? 0.5 : 1)
  let room = FRAGMENT_WORDS
  let end = at
  let last = at
  for (let used = 0; end < words.length && used + weight(end) <= FRAGMENT_WORDS; end++) {
    used += weight(end)
    if (!marked.has(end)) continue
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
  for (const { start, end, isLetter } of [...marks].sort((a, b) => a.start - b.start)) {
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
