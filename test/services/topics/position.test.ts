import test from 'ava'
import { encodePosition, MAX_POSITION_LENGTH, parsePosition } from '../../../services/topics/position.ts'

test('a position survives its text form', t => {
  for (const heads of [
    new Map<string, number>(),
    new Map([['abc', 1]]),
    new Map([
      ['abc', 1],
      ['0d9', 2 ** 40],
    ]),
  ]) {
    const position = { at: 1_795_000_000_000, heads }
    t.deepEqual(parsePosition(encodePosition(position)), position)
  }
})

test('keeps the last 16 senders, which fit into the limit', t => {
  const heads = new Map(Array.from({ length: 20 }, (_, n) => [`abcdefghij${10 + n}`, Number.MAX_SAFE_INTEGER]))
  const text = encodePosition({ at: 1_795_000_000_000, heads })
  t.true(text.length <= MAX_POSITION_LENGTH)
  t.is(parsePosition(text)?.heads.size, 16)
  t.true(parsePosition(text)?.heads.has('abcdefghij29'))
})

test('rejects other texts', t => {
  for (const text of [
    '',
    '~',
    'A',
    '1.b',
    '1.b~a.1',
    '1~',
    '1~a',
    '1~a.',
    '1~.1',
    '1~a.A',
    '1~a.1~',
    '1 ',
    '-1',
    '123456789012',
    `1${'~a.1'.repeat(50)}`,
  ])
    t.is(parsePosition(text), undefined, text)
})
