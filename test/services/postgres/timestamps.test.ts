import test from 'ava'
import pg from 'pg'
import { parseTimestamp } from '../../../services/postgres/timestamps.ts'

const parseAny = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text')

const TEXTS = [
  '2026-01-31 12:00:00+00',
  '2026-02-28 23:59:59.1+00',
  '2026-02-28 23:59:59.12+00',
  '2026-02-28 23:59:59.123+00',
  '2026-02-28 23:59:59.123456+00',
  '2026-02-28 23:59:59.999999+00',
  '1969-12-31 23:59:59.5+00',
  '9999-12-31 23:59:59.999+00',
  '0001-01-01 00:00:00+00',
  '0099-06-01 00:00:00+00',
  '12026-01-31 12:00:00+00',
  '0044-03-15 12:00:00+00 BC',
  '2026-01-31 13:00:00.25+01',
  '2026-01-31 06:30:00-05:30',
  'infinity',
  '-infinity',
]

for (const text of TEXTS) test(`parses ${text} as pg does`, t => t.deepEqual(parseTimestamp(text), parseAny(text)))

test('truncates microseconds', t => {
  for (let milliseconds = 0; milliseconds < 1000; milliseconds++) {
    const decimals = String(milliseconds).padStart(3, '0')
    for (const rest of ['', '001', '999'])
      t.is(Number(parseTimestamp(`2026-01-31 12:00:00.${decimals}${rest}+00`)) % 1000, milliseconds)
  }
})
