import test from 'ava'
import { operationOf, queryText } from '../../../services/telemetry/query-text.ts'

for (const [what, text, expected] of [
  ['a string', `select 'ada@example.test'`, 'select ?'],
  ['a string with a quote', `select 'it''s', 1 as b`, 'select ?, ? as b'],
  ['a string with escapes', String.raw`select E'it\'s', a`, 'select ?, a'],
  ['a string without an end', `select 'secret`, 'select ?'],
  ['a string in dollars', 'select $a$it$b$s$a$, $$x$$', 'select ?, ?'],
  ['a number', 'select 4917012345678, 1.5e3', 'select ?, ?'],
] as const)
  test(`replaces ${what}`, t => {
    t.is(queryText(text), expected)
  })

test('keeps parameters, names and casts', t => {
  const text = `select $1::text, "a'b", t.x2 from t where y1 = $12`
  t.is(queryText(text), text)
})

test('a quote in a comment begins no string', t => {
  t.is(queryText(`select a -- it doesn't\n, 'secret' /* isn't */ from t`), 'select a , ? from t')
})

test('texts have a limit, also of many statements', t => {
  t.is(queryText(`select ${'a, '.repeat(2000)}a`).length, 2000)
})

test('names the operation', t => {
  t.is(operationOf('-- why\n insert into t values ($1)'), 'INSERT')
})
