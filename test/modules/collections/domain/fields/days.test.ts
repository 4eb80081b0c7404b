import test from 'ava'
import fc from 'fast-check'
import { isDay } from '../../../../../modules/collections/domain/fields/days.ts'

const isDayOfDate = (date: string): boolean => {
  const time = Date.parse(`${date}T00:00:00Z`)
  return !date.startsWith('0000') && new Date(Number.isNaN(time) ? 0 : time).toISOString().startsWith(date)
}
const digits = (length: number, max: number) =>
  fc.integer({ min: 0, max }).map(value => String(value).padStart(length, '0'))

test('agrees with the calendar of Date', t => {
  for (const date of ['2024-02-29', '2000-02-29', '1900-02-28', '0001-01-01', '9999-12-31']) t.true(isDay(date), date)
  for (const date of ['2023-02-29', '1900-02-29', '2026-04-31', '2026-00-01', '2026-13-01', '0000-01-01'])
    t.false(isDay(date), date)
  const date = fc.tuple(digits(4, 9999), digits(2, 14), digits(2, 33)).map(parts => parts.join('-'))
  fc.assert(fc.property(date, each => isDay(each) === isDayOfDate(each) || each === '1970-01-01'))
  t.pass()
})
