import test from 'ava'
import { inEnglish } from '../../../../../kernel/index.ts'
import { rowFromCells } from '../../../../../modules/collections/domain/imports/columns.ts'
import { makeCollection } from '../../hand-made.ts'

const { fields } = makeCollection('items', {
  fields: { open: { type: 'boolean' }, day: { type: 'date' }, at: { type: 'datetime' }, rating: { type: 'number' } },
})
const columns = [...fields.values()]
const rowOf = (cells: readonly string[]) => rowFromCells(columns, { line: 2, cells, decimalComma: true })

test('reads the booleans that spreadsheets write in English and German', t => {
  for (const [cell, value] of [
    ['TRUE', true],
    ['WAHR', true],
    ['falsch', false],
    ['false', false],
  ] as const)
    t.deepEqual(rowOf([cell, '', '', '']), { line: 2, values: { open: value } })
})

test('names the format of a boolean, a date and a time that a spreadsheet wrote in another one', t => {
  const errorOf = (...cells: string[]) => {
    const { error } = rowOf(cells)
    return error && { column: error.column, code: error.code, detail: inEnglish(error.wording) }
  }
  t.deepEqual(errorOf('VRAI', '', '', ''), { column: 'open', code: 'wrong_format', detail: 'must be true or false' })
  t.deepEqual(errorOf('', '31.12.2026', '', ''), {
    column: 'day',
    code: 'wrong_format',
    detail: 'must be a date like 2026-12-31',
  })
  t.deepEqual(errorOf('', '', '31.12.2026 18:30', ''), {
    column: 'at',
    code: 'wrong_format',
    detail: 'must be a time like 2026-12-31T18:30:00Z',
  })
  t.is(errorOf('wahr', '2026-12-31', '2026-12-31T18:30:00Z', '1.234,5'), undefined)
})

test('reads thousands as the language of the file writes them, and refuses numbers that can be read in two ways', t => {
  const numbers = makeCollection('items', { fields: { stock: { type: 'integer' }, rating: { type: 'number' } } })
  const read = (decimalComma: boolean, ...cells: readonly string[]) => {
    const { values, error } = rowFromCells([...numbers.fields.values()], { line: 2, cells, decimalComma })
    return error ? [error.column, error.code, inEnglish(error.wording)] : values
  }
  const twoWays = 'can be read in two ways; write the decimals, and no separators of thousands'
  t.deepEqual(read(true, '1.000', '1.234,5'), { stock: 1000, rating: 1234.5 })
  t.deepEqual(read(false, '12,000', '1.234'), { stock: 12000, rating: 1.234 })
  t.deepEqual(read(false, '1.000'), ['stock', 'wrong_format', twoWays])
  t.deepEqual(read(true, '', '1.234'), ['rating', 'wrong_format', twoWays])
})
