/** Marks the words of a search in the texts of a row. Pure. */
import { escapeHtml } from '@larder-dev/larder/kernel/internal'
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
  const prefixes = shown.flatMap(part => ('word' in part && part.prefix ? [part.word] : []))
  const runs = shown.flatMap(part => ('letters' in part ? [part.letters] : []))
  const known: KnownWords = new Map()
  let read = 0

  /** How many words of the text are one word of the search. */
  const matchAt = (found: readonly Word[], at: number): number => {
    const { text, isLetter } = found[at] as Word
    if (!isLetter) return words.has(text) || prefixes.some(prefix => text.startsWith(prefix)) ? 1 : 0
    let longest = 0
    for (const run of runs)
      if (run[0] === text && run.length > longest && continues(found, at, run)) longest = run.length
    return longest
  }

  return {
    highlight(text) {
      if (read >= MAX_READ) return undefined
      const part = text.slice(0, MAX_READ - read)
      const found = wordsOf(part, known)
      read += part.length
      const marked = new Set<number>()
      let done = 0
      for (let at = 0; at < found.length; at++) {
        const end = at + matchAt(found, at)
        for (let word = Math.max(at, done); word < end; word++) marked.add(word)
        done = Math.max(done, end)
      }
      return marked.size === 0 ? undefined : fragmentsOf(part, found, marked)
    },
  }
}

const WORD = /[\p{L}\p{M}\p{N}\p{Cf}]+|\p{So}/gu
const LETTER = /\P{M}\p{M}*/gu

/** Whether the letters of a run follow each other from a word on. */
const continues = (found: readonly Word[], at: number, run: readonly string[]): boolean =>
  run.every((letter, offset) => {
    const word = found[at + offset]
    return word?.isLetter && word.text === letter && (offset === 0 || found[at + offset - 1]?.end === word.start)
  })

/** A word without its place, or the pieces of one in a text without spaces. */
type KnownWords = Map<string, string | readonly Word[]>

const IS_ASCII = /^\p{ASCII}*$/u

function wordsOf(text: string, known: KnownWords): Word[] {
  const found: Word[] = []
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const meaning = IS_ASCII.test(word) ? word.toLowerCase() : meaningOf(word, known)
    if (typeof meaning === 'string')
      found.push({ start: index, end: index + word.length, text: meaning, isLetter: false })
    else for (const piece of meaning) found.push({ ...piece, start: index + piece.start, end: index + piece.end })
  }
  return found
}

function meaningOf(word: string, known: KnownWords): string | readonly Word[] {
  const before = known.get(word)
  if (before !== undefined) return before
  const parts = partsOf(word)
  const [part] = parts
  const meaning = parts.length === 1 && typeof part === 'string' ? part : piecesOf(word, known)
  known.set(word, meaning)
  return meaning
}

/** Letters of a text without spaces, and what is between them. */
function piecesOf(word: string, known: KnownWords): Word[] {
  const pieces: Word[] = []
  for (const { 0: letter, index } of word.matchAll(LETTER)) {
    const end = index + letter.length
    const { text, isLetter } = letterOf(letter, known)
    const last = pieces.at(-1)
    if (isLetter || !last || last.isLetter) pieces.push({ start: index, end, text, isLetter })
    else pieces[pieces.length - 1] = { ...last, end, text: last.text + text }
  }
  return pieces
}

function letterOf(letter: string, known: KnownWords): Pick<Word, 'text' | 'isLetter'> {
  // A letter that is a word has another key.
  const key = `\0${letter}`
  const [before] = known.get(key) ?? []
  if (typeof before === 'object') return before
  const parts = partsOf(letter)
  const made = { start: 0, end: 0, text: parts.flat().join(''), isLetter: typeof parts[0] === 'object' }
  known.set(key, [made])
  return made
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
