/** Writes changes as the text of a migration. */
import pg from 'pg'
import type { StoredColumn } from '../../kernel/records/index.ts'
import { type Change, isGiven, TENANT_COLUMN } from './compare.ts'
import { columnType } from './types.ts'

type Quote = (name: string) => string
type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

const MAX_LINE_LENGTH = 120

/** @param quote writes a name in SQL. */
export function migrationText(changes: readonly Change[], language: 'ts' | 'js', quote: Quote): string {
  const tables = ofKind(changes, 'table')
  const altered = [...new Set(changes.flatMap(change => (change.kind === 'table' ? [] : [change.table])))]
  const up = [
    ...tables.flatMap(({ table }) => createTable(table, quote)),
    ...altered.flatMap(table => statement(`alter table ${quote(table)}`, clausesOf(table, changes, quote))),
  ]
  const annotation = language === 'ts' ? ': Migration' : ''
  return [
    ...(language === 'ts' ? ["import type { Migration } from '@larder-dev/larder/kernel'", ''] : []),
    ...(changes.every(isAdded)
      ? ['/** Processes of earlier releases work beside it: it only adds. */', 'export const expands = true', '']
      : []),
    `export const up${annotation} = async m => {`,
    ...up,
    '}',
    ...(changes.every(isAdded)
      ? ['', `export const down${annotation} = async m => {`, ...downOf(changes, altered, quote), '}']
      : []),
    '',
  ].join('\n')
}

/** One line for a person. */
export function describeChange(change: Change): string {
  if (change.kind === 'table') return `new table ${change.table.name}`
  if (change.kind === 'column') return `new column ${change.table}.${definition(change.column, name => name)}`
  if (change.kind === 'nullable') return `${change.table}.${change.column} may be null`
  return `${change.table}.${change.column} may be ${change.words.join(', ')}`
}

/** Otherwise, rows may have values that the former table rejects and earlier releases don't know. */
const isAdded = ({ kind }: Change): boolean => kind === 'table' || kind === 'column'

const ofKind = <Kind extends Change['kind']>(changes: readonly Change[], kind: Kind): ChangeOf<Kind>[] =>
  changes.filter(change => change.kind === kind) as ChangeOf<Kind>[]

function createTable({ name, key, columns }: ChangeOf<'table'>['table'], quote: Quote): string[] {
  const tenant = columns.find(column => column.name === TENANT_COLUMN)
  const isTenants = tenant?.isNullable === false
  const lines = columns
    .filter(column => !isTenants || column !== tenant)
    .map(column =>
      column.name === key ? `${quote(key)} ${columnType(column)} primary key` : definition(column, quote),
    )
  return [
    `  await m.${isTenants ? 'tenantTable' : 'systemTable'}(`,
    `    ${literal(quote(name))},`,
    `    \`${lines.map(escapeTemplate).join(',\n     ')}\`,`,
    '  )',
    ...(isTenants && key !== TENANT_COLUMN
      ? statement(`create index on ${quote(name)} (${TENANT_COLUMN}, ${quote(key)})`, [])
      : []),
  ]
}

function clausesOf(table: string, changes: readonly Change[], quote: Quote): string[] {
  return changes.flatMap(change => {
    if (change.kind === 'table' || change.table !== table) return []
    if (change.kind === 'column') return [`add column ${definition(change.column, quote)}`]
    const column = quote(change.column)
    if (change.kind === 'nullable') return [`alter column ${column} drop not null`]
    const check = quote(change.check)
    const words = change.words.map(word => pg.escapeLiteral(word).trim())
    return [`drop constraint ${check}`, `add constraint ${check} check (${column} in (${words.join(', ')}))`]
  })
}

function downOf(changes: readonly Change[], altered: readonly string[], quote: Quote): string[] {
  return [
    ...altered.flatMap(table =>
      statement(
        `alter table ${quote(table)}`,
        ofKind(changes, 'column')
          .filter(change => change.table === table)
          .map(({ column }) => `drop column ${quote(column.name)}`),
      ),
    ),
    ...ofKind(changes, 'table').flatMap(({ table }) => statement(`drop table ${quote(table.name)}`, [])),
  ]
}

/** On one line if there is room. */
function statement(start: string, clauses: readonly string[]): string[] {
  const line = `  await m.query(${literal([start, clauses.join(', ')].join(' ').trim())})`
  if (clauses.length < 2 || line.length <= MAX_LINE_LENGTH) return [line]
  return [`  await m.query(\`${[start, clauses.map(escapeTemplate).join(',\n    ')].join('\n    ')}\`)`]
}

function definition(column: StoredColumn, quote: Quote): string {
  const required = column.isNullable === false ? ' not null' : ''
  const standard = isGiven(column.default) ? ` default ${sqlValue(column, column.default)}` : ''
  return `${quote(column.name)} ${columnType(column)}${required}${standard}`
}

function sqlValue(column: StoredColumn, value: unknown): string {
  const { kind, itemKind } = column
  if (Array.isArray(value) && kind === 'array' && itemKind)
    return value.length === 0
      ? "'{}'"
      : `array[${value.map(item => sqlValue({ ...column, kind: itemKind }, item)).join(', ')}]::${columnType(column)}`
  if (kind === 'json') return quoted(JSON.stringify(value))
  if (kind === 'bytes') return quoted(`\\x${Buffer.from(value as Uint8Array).toString('hex')}`)
  if (kind === 'text') return quoted(String(value))
  if (kind === 'timestamp') return quoted(value instanceof Date ? value.toISOString() : String(value))
  return String(value)
}

const quoted = (text: string): string => pg.escapeLiteral(text).trim()

/** In quotes that need no escapes, as a formatter writes it. */
const literal = (text: string): string => (/['\\\n]/.test(text) ? `\`${escapeTemplate(text)}\`` : `'${text}'`)

const escapeTemplate = (text: string): string => text.replace(/[`\\]|\$\{/g, found => `\\${found}`)
