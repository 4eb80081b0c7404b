import test from 'ava'
import { periodEnd, periodStart } from '../../../../modules/billing/domain/calendar.ts'

const at = (text: string) => Date.parse(text)
const month = (text: string) => new Date(periodEnd('month', at(text))).toISOString()

test('adds a month, limited to the last day of a shorter month', t => {
  t.is(month('2026-11-05T23:59:59.999Z'), '2026-12-05T23:59:59.999Z')
  t.is(month('2026-12-31T00:00:00.000Z'), '2027-01-31T00:00:00.000Z')
  t.is(month('2027-01-31T12:30:00.000Z'), '2027-02-28T12:30:00.000Z')
  t.is(month('2028-01-31T12:30:00.000Z'), '2028-02-29T12:30:00.000Z')
})

test('adds a year, with February 29 becoming February 28', t => {
  t.is(new Date(periodEnd('year', at('2026-11-05T01:02:03.004Z'))).toISOString(), '2027-11-05T01:02:03.004Z')
  t.is(new Date(periodEnd('year', at('2028-02-29T00:00:00.000Z'))).toISOString(), '2029-02-28T00:00:00.000Z')
})

test('returns to the day of the first period after a shorter month', t => {
  const ends = ['2027-01-31T12:00:00.000Z']
  for (let n = 0; n < 4; n++) ends.push(new Date(periodEnd('month', at(ends.at(-1) as string), 31)).toISOString())
  t.deepEqual(
    ends.map(end => end.slice(5, 10)),
    ['01-31', '02-28', '03-31', '04-30', '05-31'],
  )
  t.is(new Date(periodEnd('year', at('2031-02-28T00:00:00.000Z'), 29)).toISOString(), '2032-02-29T00:00:00.000Z')
})

test('starts the period of a meter with the day or month in UTC', t => {
  t.is(periodStart('month', at('2026-11-30T23:59:59Z')).toISOString(), '2026-11-01T00:00:00.000Z')
  t.is(periodStart('day', at('2026-11-30T23:59:59Z')).toISOString(), '2026-11-30T00:00:00.000Z')
  t.is(periodStart(undefined, at('2026-11-30T23:59:59Z')).toISOString(), '2026-11-01T00:00:00.000Z')
})
