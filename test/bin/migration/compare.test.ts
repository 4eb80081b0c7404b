import { Bytes, Nullable, OneOf, Time, Timestamp, Type, table } from '@larder-dev/larder/kernel'
import { storedTables } from '@larder-dev/larder/kernel/internal'
import test from 'ava'
import { compare } from '../../../bin/migration/compare.ts'
import type { DatabaseCheck, DatabaseColumn, DatabaseTable } from '../../../bin/migration/database.ts'
import { describeChange, migrationText } from '../../../bin/migration/file.ts'

type Properties = Parameters<typeof Type.Object>[0]
const stored = (properties: Properties, options: { defaults?: object; hidden?: Properties; key?: never } = {}) =>
  storedTables([table('shop_items', Type.Object({ id: Type.String(), ...properties }), { what: 'item', ...options })])

const column = (name: string, type: string, more: Partial<DatabaseColumn> = {}): DatabaseColumn => ({
  name,
  type,
  isEnum: false,
  isNullable: false,
  hasDefault: false,
  isKey: false,
  ...more,
})
const database = (columns: DatabaseColumn[], checks: DatabaseCheck[] = []) =>
  new Map<string, DatabaseTable>([
    ['shop_items', { columns: [column('id', 'text', { isKey: true }), ...columns], checks }],
  ])
const textOf = (properties: Properties, options?: Parameters<typeof stored>[1], known = database([])) =>
  migrationText(compare(stored(properties, options), known).changes, 'ts', name => name)

test('finds no change where the table stores what the record has', t => {
  const found = compare(
    stored({
      title: Type.String(),
      amount: Type.Integer(),
      price: Type.Number(),
      isOpen: Type.Boolean(),
      state: OneOf(['open', 'done']),
      tags: Type.Array(Type.String()),
      details: Type.Object({}),
      dueAt: Nullable(Timestamp),
      paidAt: Nullable(Time),
      digest: Bytes,
    }),
    database([
      column('title', 'character varying'),
      column('amount', 'integer'),
      column('price', 'numeric'),
      column('is_open', 'boolean'),
      column('state', 'shop_state', { isEnum: true }),
      column('tags', 'text[]'),
      column('details', 'json'),
      column('due_at', 'timestamp with time zone', { isNullable: true }),
      column('paid_at', 'timestamp with time zone', { isNullable: true }),
      column('digest', 'bytea'),
    ]),
  )
  t.deepEqual(found, { changes: [], unwritten: [], leftovers: [] })
})

test('adds a nullable column, and removes it in `down`', t => {
  t.is(
    textOf({ dueAt: Nullable(Timestamp) }),
    `import type { Migration } from '@larder-dev/larder/kernel'

/** Processes of earlier releases work beside it: it only adds. */
export const expands = true

export const up: Migration = async m => {
  await m.query('alter table shop_items add column due_at timestamptz')
}

export const down: Migration = async m => {
  await m.query('alter table shop_items drop column due_at')
}
`,
  )
})

test('adds required columns with the defaults of the record', t => {
  const text = textOf(
    {
      state: OneOf(['open', 'done']),
      tags: Type.Array(Type.String()),
      words: Type.Array(Type.String()),
      settings: Type.Object({ note: Type.String() }),
      count: Type.Integer(),
      isOpen: Type.Boolean(),
    },
    {
      defaults: {
        state: 'open',
        tags: [],
        words: ["it's", 'b`c'],
        settings: { note: '' },
        count: 0,
        isOpen: false,
      },
    },
  )
  t.true(
    text.includes(`  await m.query(\`alter table shop_items
    add column state text not null default 'open',
    add column tags text[] not null default '{}',
    add column words text[] not null default array['it''s', 'b\\\`c']::text[],
    add column settings jsonb not null default '{"note":""}',
    add column count bigint not null default 0,
    add column is_open boolean not null default false\`)`),
    text,
  )
})

test('stores integers in 8 bytes unless the record bounds them to 4', t => {
  const text = textOf({
    priority: Nullable(Type.Integer({ minimum: 1, maximum: 5 })),
    views: Nullable(Type.Integer({ minimum: 0 })),
  })
  t.regex(text, /add column priority integer, add column views bigint'/)
})

test('creates a table with row level security for records of tenants', t => {
  const [tables] = [
    stored({ title: Type.String(), note: Nullable(Type.String()) }, { hidden: { tenantId: Type.String() } }),
  ]
  t.is(
    migrationText(compare(tables, new Map()).changes, 'js', name => name),
    `/** Processes of earlier releases work beside it: it only adds. */
export const expands = true

export const up = async m => {
  await m.tenantTable(
    'shop_items',
    \`id text primary key,
     title text not null,
     note text\`,
  )
  await m.query('create index on shop_items (tenant_id, id)')
}

export const down = async m => {
  await m.query('drop table shop_items')
}
`,
  )
})

test('creates a table for units across tenants if its records belong to no tenant', t => {
  const text = migrationText(compare(stored({}), new Map()).changes, 'js', name => name)
  t.regex(text, /m\.systemTable\(\n {4}'shop_items',\n {4}`id text primary key`,\n {2}\)\n\}/)
})

test("doesn't create a table without a primary key", t => {
  const tables = storedTables([table('shop_items', Type.Object({ number: Type.Integer() }), { what: 'item' })])
  const { changes, unwritten } = compare(tables, new Map())
  t.deepEqual(changes, [])
  t.regex(unwritten.join(), /shop_items is a new table, and its records have no id/)
})

test("doesn't add a required column without a default", t => {
  const { changes, unwritten } = compare(stored({ number: Type.Integer() }), database([]))
  t.deepEqual(changes, [])
  t.regex(
    unwritten.join(),
    /^shop_items\.number is new and required.*Make it Nullable\(…\), or give it a value in defaults\.$/,
  )
})

test('names the column that a renamed property may replace', t => {
  const known = database([column('caption', 'text'), column('amount', 'integer')])
  const { changes, unwritten, leftovers } = compare(stored({ title: Type.String() }), known)
  t.deepEqual(changes, [])
  t.regex(unwritten.join(), /If it replaces caption, fill it from there before it is required\.$/)
  t.deepEqual(leftovers, [
    'shop_items has columns that no record has: caption, amount.',
    'Inserts into shop_items have to fill caption, amount, which are required and have no default.',
  ])
})

test("drops no column of a removed property, and doesn't list the tenant's", t => {
  const known = database([column('note', 'text', { isNullable: true }), column('tenant_id', 'text')])
  const { changes, unwritten, leftovers } = compare(stored({}), known)
  t.deepEqual([changes, unwritten], [[], []])
  t.deepEqual(leftovers, ['shop_items has columns that no record has: note.'])
})

test('changes no type', t => {
  const { changes, unwritten } = compare(stored({ amount: Type.Integer() }), database([column('amount', 'text')]))
  t.deepEqual(changes, [])
  t.regex(
    unwritten.join(),
    /^shop_items\.amount is text in the database, and its record needs bigint\. A type can't change/,
  )
})

test('lets a column be null, without a `down`, because rows may be null by then', t => {
  const known = database([column('note', 'text')])
  const text = textOf({ note: Nullable(Type.String()) }, {}, known)
  t.true(text.includes("await m.query('alter table shop_items alter column note drop not null')"), text)
  t.false(text.includes('down'))
})

test("doesn't require a column that may be null", t => {
  const { changes, unwritten } = compare(
    stored({ note: Type.String() }),
    database([column('note', 'text', { isNullable: true })]),
  )
  t.deepEqual(changes, [])
  t.regex(unwritten.join(), /^shop_items\.note is required in its record, and the database allows rows without it/)
})

test('keeps a column of the primary key required', t => {
  const { changes, unwritten } = compare(
    storedTables([table('shop_items', Type.Object({ id: Nullable(Type.String()) }), { what: 'item' })]),
    database([]),
  )
  t.deepEqual(changes, [])
  t.deepEqual(unwritten, ["shop_items.id is part of the primary key, which can't be null."])
})

const check = (condition: string, rejected: string[]): DatabaseCheck => ({
  name: 'shop_items_state_check',
  column: 'state',
  condition,
  rejected,
})

for (const condition of [
  "(state = ANY (ARRAY['open'::text, 'it''s'::text]))",
  "((state)::text = ANY ((ARRAY['open'::character varying, 'it''s'::character varying])::text[]))",
])
  test(`widens a check by the new words of a record: ${condition}`, t => {
    const { changes, leftovers } = compare(
      stored({ state: OneOf(['open', 'new']) }),
      database([column('state', 'text')], [check(condition, ['new'])]),
    )
    t.regex(
      migrationText(changes, 'js', name => name),
      /drop constraint shop_items_state_check,\s+add constraint shop_items_state_check check \(state in \('open', 'it''s', 'new'\)\)/,
    )
    t.deepEqual(changes.map(describeChange), ["shop_items.state may be open, it's, new"])
    t.deepEqual(leftovers, ["shop_items.state allows it's, which its record doesn't have."])
  })

test('leaves a check of another form to a person', t => {
  const { changes, unwritten } = compare(
    stored({ state: OneOf(['open', 'new']) }),
    database([column('state', 'text')], [check('(length(state) > 3)', ['new'])]),
  )
  t.deepEqual(changes, [])
  t.regex(unwritten.join(), /^shop_items\.state can't be new: the check shop_items_state_check rejects it/)
})

test('takes the columns of all records of one table', t => {
  const tables = storedTables([
    table('shop_items', Type.Object({ id: Type.String(), title: Type.String() }), { what: 'item' }),
    table('shop_items', Type.Object({ id: Type.String(), note: Nullable(Type.String()) }), { what: 'item' }),
  ])
  const { changes, leftovers } = compare(tables, database([column('title', 'text')]))
  t.deepEqual(changes.map(describeChange), ['new column shop_items.note text'])
  t.deepEqual(leftovers, [])
})
