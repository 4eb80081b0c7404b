import test from 'ava'
import {
  type AttemptOutcome,
  evaluateAttempt,
  MAX_ATTEMPTS,
  parseRetryAfter,
} from '../../../../modules/webhooks/domain/retry-schedule.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOW = Date.UTC(2026, 0, 1)
const answered = (status: number, retryAfter?: string): AttemptOutcome => ({ status, error: null, retryAfter })
const half = () => 0.5
const result = (outcome: AttemptOutcome, failures = 1, random = half) => evaluateAttempt(outcome, failures, NOW, random)

test('only 2xx counts as delivered', t => {
  for (const status of [200, 201, 204, 299]) t.is(result(answered(status)).status, 'delivered')
  for (const status of [199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 500, 503])
    t.is(result(answered(status)).status, 'pending')
  t.is(result({ status: null, error: 'no response within 15 s' }).status, 'pending')
})

test('retries after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then gives up', t => {
  const delays = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, at) => result(answered(500), at + 1))
  t.deepEqual(
    delays.map(v => (v.status === 'pending' ? v.delay : v)),
    [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR],
  )
  t.is(MAX_ATTEMPTS, 8)
  t.deepEqual(result(answered(500), 8), { status: 'dead', reason: 'exhausted' })
  t.deepEqual(result(answered(429, '1'), 8), { status: 'dead', reason: 'exhausted' })
})

test('each delay has up to 20% jitter', t => {
  t.deepEqual(
    result(answered(500), 1, () => 0),
    { status: 'pending', delay: 4000 },
  )
  t.deepEqual(
    result(answered(500), 1, () => 1),
    { status: 'pending', delay: 6000 },
  )
})

test('410 and a disallowed address stop retries', t => {
  t.deepEqual(result(answered(410)), { status: 'dead', reason: 'gone' })
  t.deepEqual(result({ status: null, error: 'x', refused: true }), { status: 'dead', reason: 'refused' })
})

test('honors Retry-After of 429 and 503, between the schedule and one day', t => {
  const delay = (outcome: AttemptOutcome) => {
    const v = result(outcome)
    return v.status === 'pending' ? v.delay : v
  }
  t.is(delay(answered(429, '120')), 120_000)
  t.is(delay(answered(503, new Date(NOW + HOUR).toUTCString())), HOUR)
  t.is(delay(answered(503, '1')), 5000)
  t.is(delay(answered(429, '999999')), 24 * HOUR)
  t.is(delay(answered(500, '120')), 5000)
})

test('ignores an invalid Retry-After', t => {
  for (const text of [undefined, '', 'soon', '-5', new Date(NOW - 1).toUTCString()])
    t.is(parseRetryAfter(text, NOW), 0, text)
})
