import test from 'ava'
import {
  bytes,
  DAY,
  DURATION_PATTERN,
  formatSize,
  GIB,
  MIB,
  MINUTE,
  milliseconds,
  POSITIVE_DURATION_PATTERN,
  SECOND,
} from '../../../kernel/base/units.ts'

test('parses durations and sizes with units', t => {
  t.is(milliseconds('500ms'), 500)
  t.is(milliseconds('30s'), 30 * SECOND)
  t.is(milliseconds('15m'), 15 * MINUTE)
  t.is(milliseconds('7d'), 7 * DAY)
  t.is(milliseconds('99999d'), 99_999 * DAY)
  t.is(bytes('1GiB'), GIB)
  t.is(bytes('1GB'), 1e9)
})

test('rejects a number without a unit and shows valid examples', t => {
  t.throws(() => milliseconds('15'), { message: /such as 500ms, 30s/ })
  t.throws(() => milliseconds('1.5h'), { instanceOf: RangeError })
  t.throws(() => bytes('100 MiB'), { message: /such as 64KiB/ })
})

test('formats sizes', t => {
  t.deepEqual([0, 1023, 1536, 100 * MIB].map(formatSize), ['0 B', '1023 B', '1.5 KiB', '100 MiB'])
})

test('a duration of a recipe has at most 99999 days', t => {
  const pattern = new RegExp(DURATION_PATTERN)
  for (const text of ['500ms', '30s', '15m', '12h', '7d', '99999d', '0d']) t.true(pattern.test(text), text)
  for (const text of ['100000d', '9999999999d', '100000h', '15', '1.5h', '']) t.false(pattern.test(text), text)
})

test('a duration that must be positive is more than zero', t => {
  const pattern = new RegExp(POSITIVE_DURATION_PATTERN)
  for (const text of ['500ms', '1s', '10m', '7d', '99999d']) t.true(pattern.test(text), text)
  for (const text of ['0d', '0ms', '000h', '100000d', '15']) t.false(pattern.test(text), text)
})
