/** Fixtures of the reliability tests: a seeded random generator, concurrency, and database access as the owner. */
import pg from 'pg'

export interface Random {
  /** At least 0 and less than 1. */
  next(): number
  /** An integer of at least 0 and less than `limit`. */
  below(limit: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** mulberry32. The same seed gives the same numbers, so that failures can be reproduced. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, chance: probability => next() < probability, pick: list => list[below(list.length)] as never }
}

/** Calls `work` with 0 to `count - 1`, at most `concurrency` at a time. Rejects with the first failure. */
export async function runConcurrently(
  count: number,
  concurrency: number,
  work: (n: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const loop = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, loop))
}

export interface OwnerClient {
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  /** The first column of the first row. */
  value(sql: string, values?: readonly unknown[]): Promise<number>
  end(): Promise<void>
}

/** The owner bypasses row level security. */
export function connectAsOwner(databaseUrl: string): OwnerClient {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => {})
  const query: OwnerClient['query'] = async (sql, values) => (await pool.query(sql, values as unknown[])).rows
  return {
    query,
    value: async (sql, values) => Number(Object.values((await query(sql, values))[0] ?? {})[0]),
    end: () => pool.end(),
  }
}

/** Every row of every table as text, with bytea in hex. */
export async function dumpTables({ query }: OwnerClient, excluded: readonly string[] = []): Promise<string> {
  const tables = await query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const parts: string[] = []
  for (const { name } of tables.filter(table => !excluded.includes(table.name)))
    for (const { row } of await query<{ row: string }>(`select t::text as row from ${name} t`))
      parts.push(`${name} ${row}`)
  return parts.join('\n')
}
