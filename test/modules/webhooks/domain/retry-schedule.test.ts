import test from 'ava'
import { MAX_ATTEMPTS, type Outcome, verdictOf, wishOf } from '../../../../modules/webhooks/domain/retry-schedule.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.UTC(2026, 0, 1)
const answered = (status: number, retryAfter?: string): Outcome => ({ status, error: null, retryAfter })
const half = () => 0.5
const verdict = (outcome: Outcome, failures = 1, random = half) => verdictOf(outcome, failures, NOW, random)

test('2xx is delivered, and nothing else is', t => {
  for (const status of [200, 201, 204, 299]) t.is(verdict(answered(status)).status, 'delivered')
  for (const status of [199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 500, 503])
    t.is(verdict(answered(status)).status, 'pending')
  t.is(verdict({ status: null, error: 'no answer within 15 s' }).status, 'pending')
})

test('attempts come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then the delivery is dead', t => {
  const delays = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, at) => verdict(answered(500), at + 1))
  t.deepEqual(
    delays.map(v => (v.status === 'pending' ? v.delay : v)),
    [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  )
  t.is(MAX_ATTEMPTS, 8)
  t.deepEqual(verdict(answered(500), 8), { status: 'dead', reason: 'exhausted' })
  t.deepEqual(verdict(answered(429, '1'), 8), { status: 'dead', reason: 'exhausted' })
})

test('each delay is up to a fifth shorter or longer', t => {
  t.deepEqual(
    verdict(answered(500), 1, () => 0),
    { status: 'pending', delay: 4000 },
  )
  t.deepEqual(
    verdict(answered(500), 1, () => 1),
    { status: 'pending', delay: 6000 },
  )
})

test('410 and a refused address stop at once', t => {
  t.deepEqual(verdict(answered(410)), { status: 'dead', reason: 'gone' })
  t.deepEqual(verdict({ status: null, error: 'x', refused: true }), { status: 'dead', reason: 'refused' })
})

test('429 and 503 are given the time that they ask for, never less than the schedule and at most a day', t => {
  const delay = (outcome: Outcome) => {
    const v = verdict(outcome)
    return v.status === 'pending' ? v.delay : v
  }
  t.is(delay(answered(429, '120')), 120_000)
  t.is(delay(answered(503, new Date(NOW + HOUR).toUTCString())), HOUR)
  t.is(delay(answered(503, '1')), 5000)
  t.is(delay(answered(429, '999999')), 24 * HOUR)
  t.is(delay(answered(500, '120')), 5000)
})

test('a Retry-After that says nothing is no wish', t => {
  for (const text of [undefined, '', 'soon', '-5', new Date(NOW - 1).toUTCString()]) t.is(wishOf(text, NOW), 0, text)
})
