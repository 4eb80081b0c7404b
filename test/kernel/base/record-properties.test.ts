import {
  bodyOf,
  Nullable,
  named,
  type Static,
  Type,
  table,
  valuesOf,
  Writable,
  without,
} from '@larder-dev/larder/kernel'
import test from 'ava'

const fields = {
  id: Type.String(),
  kind: Writable(Type.String()),
  title: Writable(Nullable(Type.String()), Type.Optional(Type.String({ maxLength: 5 }))),
  version: Type.Integer(),
}
const Record = named('Record', Type.Object(fields))

test('a body has the properties that are writable, with their schemas in bodies', t => {
  const Body = Type.Object(bodyOf(fields))
  const body: Static<typeof Body> = { kind: 'a' }
  t.deepEqual(Object.keys(body), ['kind'])
  t.deepEqual(Body.required, ['kind'])
  t.deepEqual(JSON.parse(JSON.stringify(Body.properties)), {
    kind: { type: 'string' },
    title: { type: 'string', maxLength: 5 },
  })
})

test('a body derives from the properties of a named record', t => {
  t.deepEqual(Object.keys(bodyOf(Record.properties)), ['kind', 'title'])
})

test('a record has no trace of the schemas in bodies', t => {
  t.deepEqual(JSON.parse(JSON.stringify(Record.properties.title)), { anyOf: [{ type: 'string' }, { type: 'null' }] })
  const stored = table('test_records', Record, { what: 'record' })
  t.is(stored.columns(), '"id" as "id", "kind" as "kind", "title" as "title", "version" as "version"')
})

test('without leaves out what stays inside, and valuesOf has the values of the rest', t => {
  const exported = without(fields, ['version', 'kind'])
  t.deepEqual(Object.keys(exported), ['id', 'title'])
  t.deepEqual(valuesOf(exported, { id: '1', title: null }), { id: '1', title: null })
  const whole = { id: '1', kind: 'a', title: 'b', version: 2 }
  t.deepEqual(valuesOf(exported, whole), { id: '1', title: 'b' })
})
