import test from 'ava'
import { createAnswers } from '../../../../modules/features/services/response-cache.ts'

/** Asks, and counts how often the answer had to be written. */
function counting(most?: number) {
  const answers = createAnswers(most)
  const count = { written: 0 }
  const ask = (question: string, length = 0) =>
    answers.of(question, () => `${question[0]}${++count.written}`.padEnd(length))
  /** The second time it is kept. */
  const keep = (question: string, length?: number) => {
    ask(question, length)
    return ask(question, length)
  }
  return { ask, keep, count }
}

test('an answer is kept for those who ask the same, from the second time on', t => {
  const { ask, count } = counting(1000)
  for (let n = 0; n < 5; n++) ask('a')
  t.is(count.written, 2)
  t.is(ask('a'), ask('a'))
  t.not(ask('a').etag, ask('b').etag)
})

test('the same answer has the same tag in every process', t => {
  const tagOf = (question: string) => createAnswers().of(question, () => '[1]').etag
  t.is(tagOf('x'), tagOf('y'))
})

test('what is kept stays within its bound: the oldest goes, and what is too long is not kept', t => {
  const { ask, keep, count } = counting(100)
  const first = keep('a', 39)
  keep('b', 39)
  t.is(ask('a', 39), first)
  keep('c', 39)
  t.not(ask('a', 39), first)
  const before = count.written
  for (let n = 0; n < 3; n++) ask('huge', 200)
  t.is(count.written, before + 3)
  const wide = counting(100_000)
  for (let n = 0; n < 3; n++) wide.ask('q'.repeat(2001))
  t.is(wide.count.written, 3)
})

test('thousands who ask once push out nothing that is kept, and are forgotten themselves', t => {
  const { ask, keep, count } = counting(1000)
  const kept = keep('a')
  ask('early')
  for (let n = 0; n < 2000; n++) ask(`once ${n}`)
  t.is(ask('a'), kept)
  const before = count.written
  ask('early')
  ask('early')
  ask('early')
  t.is(count.written, before + 2)
})
