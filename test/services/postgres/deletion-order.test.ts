import test from 'ava'
import { deletionOrder, type TenantTable } from '../../../services/postgres/deletion-order.ts'

const table = (name: string, references: readonly string[] = [], more: Partial<TenantTable> = {}): TenantTable => ({
  name,
  references,
  deletableByTenant: true,
  deletableBySystem: true,
  ...more,
})
const namesOf = (tables: readonly TenantTable[]) => deletionOrder(tables).map(({ name }) => name)

test('orders referencing tables before the tables that they refer to', t => {
  t.deepEqual(namesOf([table('a'), table('b', ['a']), table('c', ['b', 'a']), table('d')]), ['c', 'd', 'b', 'a'])
})

test('ignores references to tables without a tenant column', t => {
  t.deepEqual(namesOf([table('members', ['users'])]), ['members'])
})

test('puts tables of a cycle last', t => {
  t.deepEqual(namesOf([table('a', ['b']), table('b', ['a']), table('c')]), ['c', 'a', 'b'])
})

test('leaves out append-only tables and the queues', t => {
  const appendOnly = { deletableByTenant: false, deletableBySystem: false }
  t.deepEqual(namesOf([table('audit', [], appendOnly), table('larder_events'), table('notes')]), ['notes'])
})
