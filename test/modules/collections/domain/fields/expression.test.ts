import test from 'ava'
import { parseExpression } from '../../../../../modules/collections/domain/fields/expression.ts'
import { expressionSql } from '../../../../../modules/collections/domain/tables/expression-sql.ts'

const columnOf = (field: string) => ({
  column: field,
  type: field.startsWith('n') ? ('number' as const) : field.startsWith('b') ? ('boolean' as const) : ('text' as const),
})
const sql = (source: string) => expressionSql(parseExpression(source), columnOf)

test('follows the precedence of operators', t => {
  t.is(
    sql('n1 + n2 * 2 > 3 && !b'),
    '((("n1"::double precision + ("n2"::double precision * 2::double precision)) > 3::double precision) and (not "b"))',
  )
  t.is(sql('b ? n1 : -n2'), '(case when "b" then "n1"::double precision else (- "n2"::double precision) end)')
})

test('escapes texts and names, so that an expression cannot become another statement', t => {
  t.is(sql(`"'; drop table x; --" + t`), `('''; drop table x; --'::text || "t")`)
  t.is(sql(String.raw`'a\\b\'c'`), String.raw`E'a\\b''c'::text`)
})

test('rejects an expression that is too long or too deep', t => {
  t.throws(() => parseExpression('('.repeat(200)), { message: /nested deeper/ })
  t.throws(() => parseExpression(`${'-'.repeat(200)}1`), { message: /nested deeper/ })
  t.throws(() => parseExpression('1'.repeat(2000)), { message: /longer than/ })
})

for (const source of ['1 +', 'a b', '(1', 'f(1)', '1 ? 2', '#', '"open'])
  test(`rejects ${source}`, t => {
    t.throws(() => parseExpression(source), { name: 'Error' })
  })
