/** Prepares the columns of changes in two steps, and fills them in batches. Can be interrupted at any time. */
import { type Deps, fingerprint } from '@larder-dev/larder/kernel'
import type { Expansion } from '../../domain/changes/expansion.ts'
import { quoteName } from '../../domain/tables/sql-literals.ts'
import { expansionTable } from '../../records.ts'
import type { OwnerSession, Query } from './schema-store.ts'

const REPLACE = expansionTable.replacing(['collection', 'field', 'kind'], [])
/** Rows per transaction. They are locked for its time. */
const BATCH_SIZE = 1000
/** Batches between two lines of the log. */
const LOGGED_BATCHES = 50

export interface Expanding extends Deps<'log'> {
  readonly session: OwnerSession
  readonly now: Date
  /** Repeats a transaction that can't lock a table at once. */
  inTransaction(work: (query: Query) => Promise<void>): Promise<void>
}

/** Continues after the last batch of an interrupted run. */
export async function prepareExpansion(expanding: Expanding, expansion: Expansion): Promise<void> {
  await begin(expanding, expansion)
  if (!expansion.fill) return
  const { log } = expanding
  const { collection, field } = expansion
  for (let batch = 1; ; batch++) {
    const { filled, more } = await fillBatch(expanding, expansion)
    if (!more) break
    if (batch % LOGGED_BATCHES === 0) log.info({ collection, field, rows: filled }, 'filling a field')
  }
  for (const sql of expansion.concurrent ?? []) await expanding.session.query(sql)
}

async function begin({ session, now, inTransaction }: Expanding, expansion: Expansion): Promise<void> {
  const { collection, field, kind, prepare } = expansion
  const { rows } = await session.query<{ expansion: Expansion }>(
    'select expansion from collections_expansions where collection = $1 and field = $2 and kind = $3',
    [collection, field, kind],
  )
  const known = rows[0]?.expansion
  if (known && fingerprint(known) === fingerprint(expansion)) return
  await inTransaction(async query => {
    for (const sql of [...(known?.undo ?? []), ...prepare]) await query(sql)
    const [text, values] = expansionTable.insertStep({ collection, field, kind, expansion, since: now }, REPLACE)
    await query(text, values)
  })
}

interface Filled {
  readonly filled: string
  readonly more: boolean
}

async function fillBatch({ session }: Expanding, { collection, field, kind, table, fill }: Expansion): Promise<Filled> {
  if (!fill) throw new Error('the expansion fills nothing')
  if (fill.rows !== undefined) {
    const { rows } = await session.query<Filled>(
      `with ${fill.rows}
       update collections_expansions e set filled = filled + (select count(*) from page)
        where e.collection = $1 and e.field = $2 and e.kind = $3
        returning filled, (select count(*) from page) = ${fill.size} as more`,
      [collection, field, kind],
    )
    return rows[0] ?? NOTHING_FILLED
  }
  const [name, column] = [quoteName(table), quoteName(fill.column)]
  const isUnfilled = fill.onlyEmpty ? `t.${column} is null` : `t.${column} is distinct from ${fill.value}`
  const text = `with progress as (
      select last_tenant, last_id from collections_expansions where collection = $1 and field = $2 and kind = $3
    ), page as (
      select r.tenant_id, r.id from ${name} r
       where (r.tenant_id, r.id) > ((select last_tenant from progress), (select last_id from progress))
       order by r.tenant_id, r.id limit ${BATCH_SIZE}
    ), changed as (
      update ${name} t set ${column} = ${fill.value} from page p
       where t.tenant_id = p.tenant_id and t.id = p.id and ${isUnfilled} returning 1
    ), last as (
      select tenant_id, id, (select count(*) from page) as rows from page order by tenant_id desc, id desc limit 1
    )
    update collections_expansions e set last_tenant = last.tenant_id, last_id = last.id, filled = filled + last.rows
      from last where e.collection = $1 and e.field = $2 and e.kind = $3 returning filled, last.rows = ${BATCH_SIZE} as more`
  const { rows } = await session.query<Filled>(text, [collection, field, kind])
  return rows[0] ?? NOTHING_FILLED
}

const NOTHING_FILLED: Filled = { filled: '0', more: false }

export async function recordComplete(query: Query, { collection, field, kind }: Expansion): Promise<void> {
  // The column has taken the place of the former one.
  if (kind === 'type') await forgetExpansion(query, { collection, field, kind })
  else
    await query(
      'update collections_expansions set complete = true where collection = $1 and field = $2 and kind = $3',
      [collection, field, kind],
    )
}

export async function forgetExpansion(
  query: Query,
  { collection, field, kind }: Pick<Expansion, 'collection' | 'field' | 'kind'>,
): Promise<void> {
  await query('delete from collections_expansions where collection = $1 and field = $2 and kind = $3', [
    collection,
    field,
    kind,
  ])
}
