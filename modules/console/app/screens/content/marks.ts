/** What the buttons above the text do with it: a mark is added, or removed where it is already. */

export type Mark = 'bold' | 'italic' | 'heading' | 'link' | 'list' | 'quote' | 'code'

interface Range {
  readonly from: number
  readonly to: number
}
export interface Change extends Range {
  /** In place of the text from `from` to `to`. */
  readonly text: string
  /** What is selected then. */
  readonly selection: { readonly anchor: number; readonly head: number }
}

const AROUND = { bold: '**', italic: '*', code: '`' } as const
/** At the beginning of each line, and what a line has there instead of it. */
const LINES = {
  heading: ['## ', /^#{1,6} /],
  list: ['- ', /^[-*+] /],
  quote: ['> ', /^> ?/],
} as const
const ADDRESS = /^https?:\/\/\S+$/
const NO_ADDRESS = 'https://'
const LETTER = /[\p{L}\p{M}\p{N}_]/u

/** @param range the selection; without one, the word or the line at the cursor is marked. */
export function withMark(text: string, { from, to }: Range, mark: Mark): Change {
  if (mark === 'heading' || mark === 'list' || mark === 'quote') return ofLines(text, { from, to }, mark)
  if (mark === 'link') return asLink(text, { from, to })
  if (mark === 'code' && text.slice(from, to).includes('\n')) return asBlock(text, { from, to })
  return around(text, from === to ? wordAt(text, from) : { from, to }, AROUND[mark], from === to ? from : undefined)
}

/** @param cursor where it is if nothing was selected. */
function around(text: string, { from, to }: Range, sign: string, cursor?: number): Change {
  const isMarked =
    sign === '`'
      ? text[from - 1] === sign && text[to] === sign
      : [3, sign.length].includes(Math.min(stars(text, from, -1), stars(text, to, 1)))
  const length = isMarked ? -sign.length : sign.length
  const marked = text.slice(from, to)
  const at = (position: number) => position + length
  return {
    from: isMarked ? from - sign.length : from,
    to: isMarked ? to + sign.length : to,
    text: isMarked ? marked : `${sign}${marked}${sign}`,
    selection: cursor === undefined ? { anchor: at(from), head: at(to) } : { anchor: at(cursor), head: at(cursor) },
  }
}

/** How many stars there are before or after a position. */
function stars(text: string, position: number, step: 1 | -1): number {
  let count = 0
  for (let at = step > 0 ? position : position - 1; text[at] === '*'; at += step) count++
  return count
}

function ofLines(text: string, { from, to }: Range, mark: keyof typeof LINES): Change {
  const [prefix, present] = LINES[mark]
  const start = text.lastIndexOf('\n', from - 1) + 1
  // A selection to the beginning of a line doesn't contain that line.
  const last = to > from && text[to - 1] === '\n' ? to - 1 : to
  const end = text.indexOf('\n', last) < 0 ? text.length : text.indexOf('\n', last)
  const lines = text.slice(start, end).split('\n')
  const isBlank = (line: string) => lines.length > 1 && line.trim() === ''
  const isMarked = lines.every(line => isBlank(line) || line.startsWith(prefix))
  const changed = lines.map(line => (isBlank(line) ? line : (isMarked ? '' : prefix) + line.replace(present, '')))
  const result = changed.join('\n')
  const cursor = Math.max(start, from + result.length - (end - start))
  return {
    from: start,
    to: end,
    text: result,
    selection: from === to ? { anchor: cursor, head: cursor } : { anchor: start, head: start + result.length },
  }
}

/** What is missing is selected: the address, or the text of an address. */
function asLink(text: string, { from, to }: Range): Change {
  const chosen = text.slice(from, to)
  if (ADDRESS.test(chosen)) return { from, to, text: `[](${chosen})`, selection: { anchor: from + 1, head: from + 1 } }
  const start = from + chosen.length + 3
  return {
    from,
    to,
    text: `[${chosen}](${NO_ADDRESS})`,
    selection:
      chosen === '' ? { anchor: from + 1, head: from + 1 } : { anchor: start, head: start + NO_ADDRESS.length },
  }
}

function asBlock(text: string, { from, to }: Range): Change {
  const before = from === 0 || text[from - 1] === '\n' ? '' : '\n'
  const chosen = text.slice(from, to).replace(/\n$/, '')
  const after = text[to] === undefined || text[to] === '\n' ? '' : '\n'
  const start = from + before.length + 4
  return {
    from,
    to,
    text: `${before}\`\`\`\n${chosen}\n\`\`\`${after}`,
    selection: { anchor: start, head: start + chosen.length },
  }
}

function wordAt(text: string, cursor: number): Range {
  let [from, to] = [cursor, cursor]
  while (from > 0 && LETTER.test(text[from - 1] ?? '')) from--
  while (LETTER.test(text[to] ?? '')) to++
  return { from, to }
}
