/** Reads how many rows a schema change touches, and which do not fit it. */
import { formatList } from '@larder-dev/larder/kernel/internal'
import type { Check, SchemaChange } from '../../domain/changes/schema-plan.ts'
import { quoteName } from '../../domain/tables/sql-literals.ts'
import type { Query } from './schema-store.ts'

/** Rows are counted up to this number. */
const MAX_COUNTED_ROWS = 100_000
const MAX_LISTED_ROWS = 10
const PATTERN_PAGE_SIZE = 2000

export interface Findings {
  /** `3,120 rows`; undefined for a new table. */
  readonly rows: string | undefined
  /** Sentences without a period. The change is impossible unless it is empty. */
  readonly blocked: readonly string[]
  /** Sentences without a period about rows that somebody should review. */
  readonly notes: readonly string[]
}

export async function readFindings(query: Query, { table, mistakes, checks, notes }: SchemaChange): Promise<Findings> {
  return {
    rows: table === undefined ? undefined : await countRows(query, quoteName(table), 'row'),
    blocked: [...mistakes, ...(await runChecks(query, checks))],
    notes: await runChecks(query, notes),
  }
}

async function runChecks(query: Query, checks: readonly Check[]): Promise<string[]> {
  const sentences: string[] = []
  for (const check of checks) {
    const sentence = await runCheck(query, check)
    if (sentence !== undefined) sentences.push(sentence)
  }
  return sentences
}

/** @param from what follows `from`. */
export async function hasRows(query: Query, from: string): Promise<boolean> {
  return (await query(`select 1 from ${from} limit 1`)).rows.length > 0
}

async function runCheck(query: Query, check: Check): Promise<string | undefined> {
  if (check.reads) return runReadingCheck(query, check, check.reads)
  const { from, key, noun, message } = check
  const { rows } = await query<{ key: string }>(
    `select ${key} as key from ${from} order by 1 limit ${MAX_LISTED_ROWS + 1}`,
  )
  if (rows.length === 0) return undefined
  const listed = formatList(rows.slice(0, MAX_LISTED_ROWS).map(row => row.key))
  const keys = rows.length > MAX_LISTED_ROWS ? `${listed}, …` : listed
  return message.replace('{count}', await countRows(query, from, noun)).replace('{keys}', keys)
}

/** Reads every value, in the memory of one page. */
async function runReadingCheck(
  query: Query,
  { message }: Check,
  { table, value, accepts }: NonNullable<Check['reads']>,
): Promise<string | undefined> {
  const name = quoteName(table)
  const keys: string[] = []
  let count = 0
  for (let last = ['', '']; ; ) {
    const { rows } = await query<{ tenant: string; id: string; value: string }>(
      `select tenant_id as tenant, id, ${value}::text as value from ${name}
       where (tenant_id, id) > ($1, $2) and ${value} is not null order by tenant_id, id limit ${PATTERN_PAGE_SIZE}`,
      last,
    )
    const unfit = rows.filter(row => !accepts(row.value))
    count += unfit.length
    keys.push(...unfit.slice(0, MAX_LISTED_ROWS + 1 - keys.length).map(({ id }) => id))
    const end = rows.at(-1)
    if (!end || rows.length < PATTERN_PAGE_SIZE) break
    last = [end.tenant, end.id]
  }
  if (count === 0) return undefined
  const listed = formatList(keys.slice(0, MAX_LISTED_ROWS))
  return message
    .replace('{count}', `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`)
    .replace('{keys}', () => (keys.length > MAX_LISTED_ROWS ? `${listed}, …` : listed))
}

async function countRows(query: Query, from: string, noun: string): Promise<string> {
  const { rows } = await query<{ count: number }>(
    `select count(*)::int as count from (select 1 from ${from} limit ${MAX_COUNTED_ROWS + 1}) as part`,
  )
  const count = rows[0]?.count ?? 0
  const number =
    count > MAX_COUNTED_ROWS ? `more than ${MAX_COUNTED_ROWS.toLocaleString('en')}` : count.toLocaleString('en')
  return `${number} ${noun}${count === 1 ? '' : 's'}`
}
