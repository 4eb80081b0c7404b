import test from 'ava'
import fc from 'fast-check'
import { columnsOfVersions, escapeFormula, headerOf, toCells } from '../../../../modules/forms/domain/csv-table.ts'

for (const text of [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  ' =1',
  '\n=1',
  '\r\n@x',
  '|cmd',
  ...['＝', '＋', '－', '＠'].flatMap(sign => [`${sign}1`, ` ${sign}1`, `\t${sign}1`, `\r${sign}1`]),
  '\tx',
  '\rx',
  '\nx',
  '=HYPERLINK("x")',
])
  test(`${JSON.stringify(text)} is escaped`, t => {
    t.is(escapeFormula(text), `'${text}`)
  })

for (const [value, cell] of [
  [-5, '-5'],
  [0, '0'],
  [true, 'true'],
  [null, ''],
  [undefined, ''],
  ['a=b', 'a=b'],
  [['red', 'blue'], 'red; blue'],
  [['=x', 'y'], "'=x; y"],
  [[{ a: 1 }], '[{"a":1}]'],
  [{ a: '=1' }, '{"a":"=1"}'],
] as const)
  test(`${JSON.stringify(value)} becomes the cell ${JSON.stringify(cell)}`, t => {
    t.is(escapeFormula(value), cell)
  })

test('no cell begins like a formula', t => {
  const unit = fc.constantFrom(...'＝＋－＠=+-@|\t\r\n "a1')
  fc.assert(fc.property(fc.string({ unit }), text => !/^\s*[=+\-@|＝＋－＠]|^[\t\r\n]/.test(escapeFormula(text))))
  fc.assert(fc.property(fc.string(), text => !/^\s*[=+\-@]/.test(escapeFormula(text))))
  t.pass()
})

test('columns are the fields of all versions, and other values are kept as JSON', t => {
  const [newest, older] = [
    { properties: { a: {}, place: { properties: { city: {}, zip: {} } } } },
    { properties: { a: {}, old: {} } },
  ]
  const columns = columnsOfVersions([newest, older])
  t.deepEqual(columns, [['a'], ['place', 'city'], ['place', 'zip'], ['old']])
  const data = { a: 1, old: 'x', place: { city: 'Turin', street: 'Po' }, extra: [1] }
  t.deepEqual(toCells(data, columns), ['1', 'Turin', '', 'x', '{"place":{"street":"Po"},"extra":[1]}'])
  t.deepEqual(toCells({ a: 1, place: { city: 'x' } }, columns), ['1', 'x', '', '', ''])
  t.is(data.a, 1, 'the entry is unchanged')
})

test('a question has a column of its own name, whatever it is called', t => {
  const own = ['id', 'createdAt', 'version', 'spam']
  const header = headerOf(own, [
    ['id'],
    ['createdAt'],
    ['version'],
    ['spam'],
    ['other'],
    ['a', 'b'],
    ['a.b'],
    ['id (2)'],
  ])
  t.is(new Set(header).size, header.length)
  t.deepEqual(header.slice(0, 6), ['id', 'createdAt', 'version', 'spam', 'id (2)', 'createdAt (2)'])
  t.deepEqual(header.slice(-4), ['a.b', 'a.b (2)', 'id (2) (2)', 'other'])
})
