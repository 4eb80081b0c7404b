import test from 'ava'
import { diffManagedRows, type ManagedRowRules } from '../../../kernel/base/managed-rows.ts'

interface Row {
  readonly key: string
  readonly managedBy: string | null
  readonly recipeHash: string | null
  readonly edited?: boolean
}
interface Declared {
  readonly key: string
  readonly hash: string
}

const managed = (key: string, recipeHash: string, more: Partial<Row> = {}): Row => ({
  key,
  managedBy: 'recipe',
  recipeHash,
  ...more,
})
const own = (key: string): Row => ({ key, managedBy: null, recipeHash: null })

function diff(
  declared: Record<string, string>,
  rows: readonly Row[],
  rules: Partial<ManagedRowRules<Declared, Row>> = {},
) {
  const declarations = Object.entries(declared).map(([key, hash]) => ({ key, hash }))
  const { writes, gone } = diffManagedRows<Declared, Row>(declarations, rows, { keyOf: ({ key }) => key, ...rules })
  return {
    writes: writes.map(({ kind, declared, row, edited }) => [kind, declared.hash, row?.key, edited]),
    gone: gone.map(({ row, release }) => [row.key, release]),
  }
}

test('adds missing rows and leaves current rows unchanged', t => {
  t.deepEqual(diff({ a: 'h1', b: 'h2' }, [managed('a', 'h1')]), {
    writes: [['add', 'h2', undefined, false]],
    gone: [],
  })
})

test('changes a row whose declaration changed', t => {
  t.deepEqual(diff({ a: 'h2' }, [managed('a', 'h1')]).writes, [['change', 'h2', 'a', false]])
})

test('adopts an unmanaged row with a declared key, and ignores the others', t => {
  t.deepEqual(diff({ a: 'h1' }, [own('a'), own('b')]), { writes: [['adopt', 'h1', 'a', false]], gone: [] })
})

test('marks a changed row that someone edited', t => {
  const rows = [managed('a', 'h1', { edited: true }), managed('b', 'h1')]
  const isEdited = ({ edited = false }: Row) => edited
  t.deepEqual(diff({ a: 'h2', b: 'h2' }, rows, { isEdited }).writes, [
    ['change', 'h2', 'a', true],
    ['change', 'h2', 'b', false],
  ])
})

test('a custom rule decides whether a row is current, given whether it was edited', t => {
  const rows = [managed('a', 'h1', { edited: true }), managed('b', 'h1')]
  const rules = {
    isEdited: ({ edited = false }: Row) => edited,
    isCurrent: (_row: Row, _declared: Declared, edited: boolean) => edited,
  }
  t.deepEqual(diff({ a: 'h2', b: 'h1' }, rows, rules).writes, [['change', 'h1', 'b', false]])
})

test('removes or releases managed rows that are no longer declared', t => {
  const rows = [managed('a', 'h1'), managed('b', 'h1', { edited: true }), own('c')]
  t.deepEqual(diff({}, rows, { isReleased: ({ edited = false }) => edited }), {
    writes: [],
    gone: [
      ['a', false],
      ['b', true],
    ],
  })
})

test('lists writes in the order of the declarations', t => {
  const rows = [managed('c', 'h1'), own('a')]
  t.deepEqual(
    diff({ b: 'h2', a: 'h2', c: 'h2' }, rows).writes.map(([kind]) => kind),
    ['add', 'adopt', 'change'],
  )
})
