import test from 'ava'
import { statement } from '../../../kernel/records/statement.ts'

const INSERT = statement(`insert into a (id, name, at, by) values ($id, $name::text, $at, $at::text || $id)`)

test('gives each name one number, in the order of the text', t => {
  t.deepEqual(INSERT({ name: 'b', at: 'c', id: 'a' }), [
    'insert into a (id, name, at, by) values ($1, $2::text, $3, $3::text || $1)',
    ['a', 'b', 'c'],
  ])
})

test('a name that begins with another one is a value of its own', t => {
  t.deepEqual(statement('select $id, $ids::text[], $id')({ id: 1, ids: [2] }), ['select $1, $2::text[], $1', [1, [2]]])
})

test('passes the options of the statement', t => {
  t.deepEqual(statement('select $id')({ id: 1 }, { scans: true }), ['select $1', [1], { scans: true }])
})

test('leaves dollar-quoted strings and other dollar signs unchanged', t => {
  t.deepEqual(statement("select $tag$ a $tag$, $$b$$, 'US$', a$b, $id")({ id: 1 }), [
    "select $tag$ a $tag$, $$b$$, 'US$', a$b, $1",
    [1],
  ])
})

test('rejects values that are missing, also of a property that every object has', t => {
  t.throws(() => INSERT({ id: 'a', name: 'b' }), { message: 'a statement has no value for at' })
  t.throws(() => statement('select $toString')({}), { message: 'a statement has no value for toString' })
})

test('rejects values that the text does not name', t => {
  t.throws(() => INSERT({ id: 'a', name: 'b', at: 'c', by: 'd' }), { message: "a statement doesn't use by" })
})

test('rejects a text with numbers and names', t => {
  t.throws(() => statement('select $1, $id'), { message: /numbers and names/ })
})
