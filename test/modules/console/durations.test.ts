import test from 'ava'
import {
  amountIn,
  durationIn,
  isDuration,
  partsOfDuration,
  unitOf,
} from '../../../modules/console/app/locales/durations.ts'

test('a property is a duration by the unit at its end', t => {
  t.true(['ttl_seconds', 'delayMs', 'lifetimeSeconds', 'duration_ms'].every(isDuration))
  t.false(['seconds', 'items', 'forms', 'videoBitrateKbps'].some(isDuration))
  t.is(unitOf('ttl_seconds'), 'second')
  t.is(unitOf('delayMs'), 'ms')
})

test('a form shows a duration in the largest unit that gives a whole number', t => {
  t.deepEqual(amountIn('7200', 'second'), { amount: '2', unit: 'hour' })
  t.deepEqual(amountIn('5400', 'second'), { amount: '90', unit: 'minute' })
  t.deepEqual(amountIn('1500', 'ms'), { amount: '1500', unit: 'ms' })
})

test('a form shows a duration in the unit that the reader chose', t => {
  t.deepEqual(amountIn('5400', 'second', 'hour'), { amount: '1.5', unit: 'hour' })
})

test('what is no number stays as it was typed', t => {
  t.is(amountIn('soon', 'second').amount, 'soon')
  t.is(amountIn('', 'second').amount, '')
})

test('a duration has two units at most', t => {
  t.deepEqual(partsOfDuration(90_061_500), [
    [1, 'day'],
    [1, 'hour'],
  ])
  t.deepEqual(partsOfDuration(5_400_000), [
    [1, 'hour'],
    [30, 'minute'],
  ])
  t.deepEqual(partsOfDuration(0), [[0, 'ms']])
})

test('a duration is told in words', t => {
  t.is(durationIn('en', 5_400_000), '1 hour, 30 minutes')
  t.is(durationIn('de', 86_400_000), '1 Tag')
})
