import test from 'ava'
import pg from 'pg'
import { rowShapeOf, StatementResult } from '../../../services/postgres/statement-result.ts'

const { INT4, TEXT, TIMESTAMPTZ } = pg.types.builtins

test('parses the columns of a row by their types', t => {
  const shape = rowShapeOf([
    { name: 'count', dataTypeID: INT4 },
    { name: 'title', dataTypeID: TEXT },
    { name: 'at', dataTypeID: TIMESTAMPTZ },
    { name: 'none', dataTypeID: TEXT },
  ])
  const result = new StatementResult(shape)
  result.addRow(['7', 'a', '2026-01-31 12:00:00+00', null])
  t.deepEqual(result.rows, [{ count: 7, title: 'a', at: new Date('2026-01-31T12:00:00Z'), none: null }])
  t.deepEqual(
    result.fields.map(({ name }) => name),
    ['count', 'title', 'at', 'none'],
  )
})

test('reads the command and the number of rows from the tag', t => {
  const read = (tag: string) => {
    const result = new StatementResult(undefined)
    result.complete(tag)
    return [result.command, result.rowCount]
  }
  t.deepEqual(read('SELECT 2'), ['SELECT', 2])
  t.deepEqual(read('INSERT 0 1'), ['INSERT', 1])
  t.deepEqual(read('UPDATE 0'), ['UPDATE', 0])
  t.deepEqual(read('CREATE TABLE'), ['CREATE', null])
  t.deepEqual(read('COMMIT'), ['COMMIT', null])
})
