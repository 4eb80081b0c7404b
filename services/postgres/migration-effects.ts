/** What a statement does to tables: read from PostgreSQL's catalogs before and after it, in its transaction. */
import type pg from 'pg'

/** Strongest first. https://www.postgresql.org/docs/18/explicit-locking.html#LOCKING-TABLES */
const MODES = [
  'AccessExclusiveLock',
  'ExclusiveLock',
  'ShareRowExclusiveLock',
  'ShareLock',
  'ShareUpdateExclusiveLock',
  'RowExclusiveLock',
  'RowShareLock',
  'AccessShareLock',
] as const
export type LockMode = (typeof MODES)[number]

/** What statements of requests wait for the lock. */
export type Blocked = 'reads and writes' | 'writes' | 'nothing'

export interface Effect {
  readonly table: string
  /** The strongest one. It is held until the migration ends. */
  readonly lock: LockMode
  readonly blocks: Blocked
  /** All rows are written again, and all indexes. */
  readonly rewritten: boolean
  /** All rows are read, for example to check a condition. */
  readonly scanned: boolean
  /** New ones. */
  readonly indexes: readonly string[]
  readonly dropped: boolean
}

interface TableState {
  readonly oid: number
  readonly node: string | null
  readonly scans: string
  readonly modes: readonly LockMode[]
  readonly indexes: readonly string[]
}
type State = ReadonlyMap<number, TableState>

export interface Transaction {
  /** Names by OID, of the tables that it observes. */
  readonly tables: ReadonlyMap<number, string>
  /** By OID, what its statements did. */
  readonly total: Map<number, Effect>
}

const STATE = `
  with held as materialized (
    select relation, array_agg(mode) as modes from pg_locks
    where pid = pg_backend_pid() and locktype = 'relation' and granted group by relation)
  select c.oid::int as oid, pg_relation_filenode(c.oid)::text as node, pg_stat_get_xact_numscans(c.oid)::text as scans,
    coalesce(h.modes, '{}') as modes,
    array(select i.indexrelid::regclass::text from pg_index i where i.indrelid = c.oid) as indexes
  from pg_class c left join held h on h.relation = c.oid where c.oid = any ($1::int[]::oid[])`

/** Begins a transaction. @param names of tables; those that no longer exist are left out. */
export async function startTransaction(client: pg.Client, names: readonly string[]): Promise<Transaction> {
  await client.query('begin')
  const { rows } = await client.query<{ oid: number; name: string }>(
    `select to_regclass(name)::oid::int as oid, name from unnest($1::text[]) as given (name) where to_regclass(name) is not null`,
    [names],
  )
  return { tables: new Map(rows.map(({ oid, name }) => [oid, name])), total: new Map() }
}

/** Runs a statement of the transaction. */
export async function measure(
  client: pg.Client,
  { tables, total }: Transaction,
  sql: string,
  values: readonly unknown[],
): Promise<{ result: pg.QueryResult; effects: readonly Effect[] }> {
  const oids = [...tables.keys()]
  const before = await stateOf(client, oids)
  // Without values, pg accepts several statements.
  const result = await (values.length > 0 ? client.query(sql, [...values]) : client.query(sql))
  const after = await stateOf(client, oids)
  const effects: Effect[] = []
  for (const [oid, table] of tables) {
    const effect = difference(table, before.get(oid), after.get(oid))
    if (!effect) continue
    effects.push(effect)
    const earlier = total.get(oid)
    total.set(oid, earlier ? merge(earlier, effect) : effect)
  }
  return { result, effects }
}

async function stateOf(client: pg.Client, oids: readonly number[]): Promise<State> {
  const { rows } = await client.query<TableState>(STATE, [oids])
  return new Map(rows.map(row => [row.oid, row]))
}

/** Undefined if the statement takes no new lock, and changes nothing. */
function difference(table: string, before?: TableState, after?: TableState): Effect | undefined {
  if (!before) return undefined
  if (!after)
    return effectOf(table, 'AccessExclusiveLock', { rewritten: false, scanned: false, indexes: [], dropped: true })
  const lock = MODES.find(mode => after.modes.includes(mode) && !before.modes.includes(mode))
  const indexes = after.indexes.filter(name => !before.indexes.includes(name))
  const rewritten = after.node !== before.node
  const scanned = after.scans !== before.scans
  const strongest = lock ?? MODES.find(mode => after.modes.includes(mode))
  if (!strongest || (!lock && !rewritten && !scanned && indexes.length === 0)) return undefined
  return effectOf(table, strongest, { rewritten, scanned, indexes, dropped: false })
}

const effectOf = (
  table: string,
  lock: LockMode,
  rest: Pick<Effect, 'rewritten' | 'scanned' | 'indexes' | 'dropped'>,
): Effect => ({ table, lock, blocks: blockedBy(lock), ...rest })

function merge(one: Effect, other: Effect): Effect {
  const lock = MODES.indexOf(one.lock) < MODES.indexOf(other.lock) ? one.lock : other.lock
  return effectOf(one.table, lock, {
    rewritten: one.rewritten || other.rewritten,
    scanned: one.scanned || other.scanned,
    indexes: [...one.indexes, ...other.indexes],
    dropped: one.dropped || other.dropped,
  })
}

function blockedBy(lock: LockMode): Blocked {
  const strength = MODES.indexOf(lock)
  if (strength === 0) return 'reads and writes'
  return strength <= MODES.indexOf('ShareLock') ? 'writes' : 'nothing'
}
