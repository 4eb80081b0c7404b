import test from 'ava'
import { bytes, DAY, GIB, MINUTE, milliseconds, SECOND } from '../../../kernel/base/units.ts'

test('durations and sizes of a recipe carry their unit', t => {
  t.is(milliseconds('500ms'), 500)
  t.is(milliseconds('30s'), 30 * SECOND)
  t.is(milliseconds('15m'), 15 * MINUTE)
  t.is(milliseconds('7d'), 7 * DAY)
  t.is(bytes('1GiB'), GIB)
  t.is(bytes('1GB'), 1e9)
})

test('a number without a unit is refused with what would be right', t => {
  t.throws(() => milliseconds('15'), { message: /write 500ms, 30s/ })
  t.throws(() => milliseconds('1.5h'), { instanceOf: RangeError })
  t.throws(() => bytes('100 MiB'), { message: /write 64KiB/ })
})
