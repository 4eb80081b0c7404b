/** What the tests of reliability share: a seeded random, work at once, and databases seen as their owner. */
import pg from 'pg'

export interface Random {
  /** From 0 to below 1. */
  next(): number
  /** From 0 to below `of`. */
  below(of: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
}

/** mulberry32: the same numbers for the same seed, so that what fails can be made to fail again. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (of: number) => Math.floor(next() * of)
  return { next, below, chance: share => next() < share, pick: list => list[below(list.length)] as never }
}

/** Does `work` for 0 to `count` - 1, so many at a time; the first failure ends it. */
export async function atOnce(count: number, width: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane))
}

export interface Owner {
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** The first column of the first row. */
  number(sql: string, values?: readonly unknown[]): Promise<number>
  end(): Promise<void>
}

/** Past row level security. */
export function asOwner(databaseUrl: string): Owner {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => {})
  const query: Owner['query'] = async (sql, values) => (await pool.query(sql, values as unknown[])).rows
  return {
    query,
    number: async (sql, values) => Number(Object.values((await query(sql, values))[0] ?? {})[0]),
    end: () => pool.end(),
  }
}

/** Every row of every table of the database, as text; bytea in hex. */
export async function dump({ query }: Owner, without: readonly string[] = []): Promise<string> {
  const tables = await query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const parts: string[] = []
  for (const { name } of tables.filter(table => !without.includes(table.name)))
    for (const { row } of await query<{ row: string }>(`select t::text as row from ${name} t`))
      parts.push(`${name} ${row}`)
  return parts.join('\n')
}
