/** Reads the tables of a database that records are stored in. */
import pg from 'pg'
import type { StoredTable } from '../../kernel/records/index.ts'

export interface DatabaseColumn {
  readonly name: string
  /** As PostgreSQL writes it, without a length: `bigint`, `text[]`. That of its base if it is a domain. */
  readonly type: string
  readonly isEnum: boolean
  readonly isNullable: boolean
  /** Whether PostgreSQL fills the column if an insert doesn't. */
  readonly hasDefault: boolean
  readonly isKey: boolean
}
/** A condition on one column. */
export interface DatabaseCheck {
  readonly name: string
  readonly column: string
  readonly condition: string
  /** Words of the record that the condition rejects. */
  readonly rejected: readonly string[]
}
export interface DatabaseTable {
  readonly columns: readonly DatabaseColumn[]
  readonly checks: readonly DatabaseCheck[]
}
export interface DatabaseTables {
  readonly tables: ReadonlyMap<string, DatabaseTable>
  /** Writes a name in SQL, in quotes where it needs them. */
  quote(name: string): string
}

const COLUMNS = `
  select c.relname as "table", a.attname as name,
         coalesce(nullif(t.typbasetype, 0), t.oid)::regtype::text as type, t.typtype = 'e' as "isEnum",
         not (a.attnotnull or t.typnotnull) as "isNullable",
         a.atthasdef or a.attidentity <> '' or t.typdefault is not null as "hasDefault",
         exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey)) as "isKey"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname = any ($1)
   order by c.relname, a.attnum`
const CHECKS = `
  select c.relname as "table", k.conname as name, a.attname as column, pg_get_expr(k.conbin, k.conrelid) as condition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
   where k.contype = 'c' and cardinality(k.conkey) = 1
     and c.relnamespace = current_schema()::regnamespace and c.relname = any ($1)
   order by c.relname, k.conname`
const QUOTED = 'select name, quote_ident(name) as quoted from unnest($1::text[]) as given (name)'

type OfTable<T> = T & { readonly table: string }

export async function readTables(client: pg.ClientBase, stored: readonly StoredTable[]): Promise<DatabaseTables> {
  const tableNames = stored.map(({ name }) => name)
  const { rows: columns } = await client.query<OfTable<DatabaseColumn>>(COLUMNS, [tableNames])
  const { rows: conditions } = await client.query<OfTable<Omit<DatabaseCheck, 'rejected'>>>(CHECKS, [tableNames])
  const checks: OfTable<DatabaseCheck>[] = []
  for (const { table, ...check } of conditions) {
    const column = stored.find(({ name }) => name === table)?.columns.find(({ name }) => name === check.column)
    checks.push({ table, ...check, rejected: await rejectedWords(client, check, column?.words ?? []) })
  }
  const tables = new Map<string, DatabaseTable>()
  for (const { table } of columns) {
    const own = <T extends { table: string }>(rows: readonly T[]) => rows.filter(row => row.table === table)
    tables.set(table, { columns: own(columns), checks: own(checks) })
  }
  const names = stored.flatMap(table => [table.name, ...table.columns.map(({ name }) => name)])
  const quoted = await quotedNames(client, [...names, ...checks.map(({ name }) => name)])
  return { tables, quote: name => quoted.get(name) ?? pg.escapeIdentifier(name) }
}

/** PostgreSQL decides, because a condition can have any form. */
async function rejectedWords(
  client: pg.ClientBase,
  { column, condition }: Pick<DatabaseCheck, 'column' | 'condition'>,
  words: readonly string[],
): Promise<string[]> {
  if (words.length === 0) return []
  const { rows } = await client.query<{ word: string }>(
    `select word from (select word, word as ${pg.escapeIdentifier(column)} from unnest($1::text[]) as given (word)) as row
      where not coalesce((${condition}), true)`,
    [words],
  )
  return rows.map(({ word }) => word)
}

/** `user`, which is a keyword, needs quotes, and `title` doesn't. */
async function quotedNames(client: pg.ClientBase, names: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; quoted: string }>(QUOTED, [names])
  return new Map(rows.map(({ name, quoted }) => [name, quoted]))
}
