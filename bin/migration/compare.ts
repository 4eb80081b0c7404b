/** Compares the records of a module with its tables. What it finds only adds to a database. */
import type { StoredColumn, StoredTable } from '../../kernel/records/index.ts'
import type { DatabaseCheck, DatabaseColumn, DatabaseTable } from './database.ts'
import { columnType, fits } from './types.ts'

export type Change =
  | { readonly kind: 'table'; readonly table: StoredTable & { readonly key: string } }
  | { readonly kind: 'column'; readonly table: string; readonly column: StoredColumn }
  | { readonly kind: 'nullable'; readonly table: string; readonly column: string }
  | {
      readonly kind: 'check'
      readonly table: string
      readonly check: string
      readonly column: string
      readonly words: readonly string[]
    }

export interface Comparison {
  readonly changes: readonly Change[]
  /** What the records need and a migration of this kind can't do, as sentences. */
  readonly unwritten: readonly string[]
  /** What the database has beyond the records, as sentences. */
  readonly leftovers: readonly string[]
}

/** `tenantTable` adds it. */
export const TENANT_COLUMN = 'tenant_id'

export function compare(stored: readonly StoredTable[], database: ReadonlyMap<string, DatabaseTable>): Comparison {
  const parts = stored.map(table => {
    const known = database.get(table.name)
    return known ? compareTable(table, known) : newTable(table)
  })
  return {
    changes: parts.flatMap(({ changes }) => changes),
    unwritten: parts.flatMap(({ unwritten }) => unwritten),
    leftovers: parts.flatMap(({ leftovers }) => leftovers),
  }
}

const NOTHING: Comparison = { changes: [], unwritten: [], leftovers: [] }

function newTable(table: StoredTable): Comparison {
  const { name, key } = table
  if (key !== undefined) return { ...NOTHING, changes: [{ kind: 'table', table: { ...table, key } }] }
  return {
    ...NOTHING,
    unwritten: [
      `${name} is a new table, and its records have no id to be its primary key. Name a unique property in the option key, or write its migration by hand.`,
    ],
  }
}

function compareTable(table: StoredTable, known: DatabaseTable): Comparison {
  const byName = new Map(known.columns.map(column => [column.name, column]))
  const stored = new Set(table.columns.map(({ name }) => name))
  const unknown = known.columns.filter(({ name }) => !stored.has(name) && name !== TENANT_COLUMN)
  const parts = table.columns.map(column => {
    const existing = byName.get(column.name)
    return existing ? compareColumn(table.name, column, existing, known.checks) : newColumn(table.name, column, unknown)
  })
  return {
    changes: parts.flatMap(({ changes }) => changes),
    unwritten: parts.flatMap(({ unwritten }) => unwritten),
    leftovers: [...parts.flatMap(({ leftovers }) => leftovers), ...unknownColumns(table.name, unknown)],
  }
}

function newColumn(table: string, column: StoredColumn, unknown: readonly DatabaseColumn[]): Comparison {
  if (column.isNullable !== false || isGiven(column.default))
    return { ...NOTHING, changes: [{ kind: 'column', table, column }] }
  const alike = unknown.filter(other => fits(column, other)).map(({ name }) => name)
  const former =
    alike.length === 0 ? '' : ` If it replaces ${alike.join(' or ')}, fill it from there before it is required.`
  return {
    ...NOTHING,
    unwritten: [
      `${table}.${column.name} is new and required, and the rows that exist have no value for it. Make it Nullable(…), or give it a value in defaults.${former}`,
    ],
  }
}

function compareColumn(
  table: string,
  column: StoredColumn,
  existing: DatabaseColumn,
  checks: readonly DatabaseCheck[],
): Comparison {
  const name = `${table}.${column.name}`
  if (!fits(column, existing))
    return {
      ...NOTHING,
      unwritten: [
        `${name} is ${existing.type} in the database, and its record needs ${columnType(column)}. A type can't change while processes of the last version run: add a property of another name, copy the values, and remove the old one later.`,
      ],
    }
  const words = column.words === undefined ? NOTHING : compareWords(table, column.words, column.name, checks)
  if (column.isNullable === true && !existing.isNullable)
    return existing.isKey
      ? { ...words, unwritten: [...words.unwritten, `${name} is part of the primary key, which can't be null.`] }
      : { ...words, changes: [...words.changes, { kind: 'nullable', table, column: column.name }] }
  if (column.isNullable === false && existing.isNullable)
    return {
      ...words,
      unwritten: [
        ...words.unwritten,
        `${name} is required in its record, and the database allows rows without it. Fill them, and then set not null in a migration that you write by hand.`,
      ],
    }
  return words
}

function compareWords(
  table: string,
  words: readonly string[],
  column: string,
  checks: readonly DatabaseCheck[],
): Comparison {
  const parts = checks
    .filter(check => check.column === column)
    .map((check): Comparison => {
      const allowed = listedWords(check)
      const extra = allowed?.filter(word => !words.includes(word)) ?? []
      const leftovers =
        extra.length === 0 ? [] : [`${table}.${column} allows ${extra.join(', ')}, which its record doesn't have.`]
      if (check.rejected.length === 0) return { ...NOTHING, leftovers }
      if (allowed === undefined)
        return {
          ...NOTHING,
          unwritten: [
            `${table}.${column} can't be ${check.rejected.join(' or ')}: the check ${check.name} rejects it. Change the check in a migration that you write by hand.`,
          ],
        }
      const change: Change = { kind: 'check', table, check: check.name, column, words: [...allowed, ...check.rejected] }
      return { ...NOTHING, changes: [change], leftovers }
    })
  return {
    changes: parts.flatMap(({ changes }) => changes),
    unwritten: parts.flatMap(({ unwritten }) => unwritten),
    leftovers: parts.flatMap(({ leftovers }) => leftovers),
  }
}

const LITERAL = "'((?:[^']|'')*)'::(?:text|character varying)"

/** The words of `status in ('open', 'done')`, as PostgreSQL writes it; undefined for any other condition. */
function listedWords({ condition }: DatabaseCheck): string[] | undefined {
  const list = String.raw`ANY \(\(?ARRAY\[${LITERAL}(, ${LITERAL})*\]\)?(::text\[\])?\)`
  if (!new RegExp(String.raw`^\(\(?[\w"]+\)?(::text)? = (${list}|${LITERAL})\)$`).test(condition)) return undefined
  return [...condition.matchAll(new RegExp(LITERAL, 'g'))].map(([, word = '']) => word.replaceAll("''", "'"))
}

function unknownColumns(table: string, columns: readonly DatabaseColumn[]): string[] {
  if (columns.length === 0) return []
  const required = columns.filter(({ isNullable, hasDefault }) => !isNullable && !hasDefault)
  const names = (of: readonly DatabaseColumn[]) => of.map(({ name }) => name).join(', ')
  return [
    `${table} has columns that no record has: ${names(columns)}.`,
    ...(required.length === 0
      ? []
      : [`Inserts into ${table} have to fill ${names(required)}, which are required and have no default.`]),
  ]
}

export const isGiven = (value: unknown): boolean => value !== undefined && value !== null
