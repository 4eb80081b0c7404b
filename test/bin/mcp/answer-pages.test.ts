import test from 'ava'
import { answerPage, answerText, MAX_ANSWER_BYTES } from '../../../bin/mcp/answer-pages.ts'

/** The parts of an answer, following the offsets in their notes. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  let offset: number | undefined = 0
  while (offset !== undefined) {
    const { text: part, note = '' } = answerPage(text, offset, 'Pass `module`.')
    parts.push(part)
    const [, next] = /offset: (\d+)/.exec(note) ?? []
    offset = next === undefined ? undefined : Number(next)
  }
  return parts
}
const bytes = (text: string) => Buffer.byteLength(text)

test('returns a short answer without a note', t => {
  t.deepEqual(answerPage('short', 0, 'Pass `module`.'), { text: 'short' })
})

test('ends a part with a whole line, and says where the next one begins and how to ask for less', t => {
  const text = 'a line\n'.repeat(3000)
  const { text: part, note = '' } = answerPage(text, 0, 'Pass `module`.')
  t.true(part.endsWith('a line\n'))
  t.true(note.includes(`offset: ${part.length}`) && note.endsWith('Pass `module`.'))
  t.true(bytes(part) + bytes(note) <= MAX_ANSWER_BYTES)
})

for (const [title, text] of [
  ['many lines', Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join('')],
  ['one long line', 'x'.repeat(50_000)],
  ['characters of several bytes', '€😀'.repeat(10_000)],
] as const)
  test(`returns all of ${title} in parts of at most 8 KB`, t => {
    const parts = partsOf(text)
    t.is(parts.join(''), text)
    t.true(parts.every(part => bytes(part) <= MAX_ANSWER_BYTES))
  })

test('says that an offset is behind the end', t => {
  t.deepEqual(answerPage('short', 99), { text: '', note: 'The answer has 5 characters.' })
})

test('writes lists with an entry per line', t => {
  const entries = [{ a: 1 }, { a: 2 }]
  t.is(answerText(entries), '[\n  {"a":1},\n  {"a":2}\n]')
  t.deepEqual(JSON.parse(answerText(entries)), entries)
  t.is(answerText([]), '[]')
})
