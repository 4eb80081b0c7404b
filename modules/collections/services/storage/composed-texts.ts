/** Composes (NFC) the texts of rows that were stored before texts were composed where they enter. */
import { type Deps, isUniqueViolation } from '@larder-dev/larder/kernel'
import type { CollectionLayout } from '../../domain/tables/layout.ts'
import { quoteName } from '../../domain/tables/sql-literals.ts'
import type { Query } from './schema-store.ts'

/** Rows per transaction. */
const BATCH_SIZE = 1000

interface Key {
  readonly tenant: string
  readonly id: string
}

/** Reads each table once. Can be interrupted and repeated at any time. */
export async function composeTexts(
  query: Query,
  layouts: readonly CollectionLayout[],
  { log }: Deps<'log'>,
): Promise<void> {
  const { rows } = await query<{ name: string }>('select table_name as name from collections_composed')
  const known = new Set(rows.map(({ name }) => name))
  for (const layout of layouts) {
    if (known.has(layout.table)) continue
    const skipped = await composeTable(query, layout)
    if (skipped > 0)
      log.warn(
        { collection: layout.name, rows: skipped },
        'kept texts that would repeat a unique value in composed form',
      )
    await query('insert into collections_composed (table_name) values ($1) on conflict do nothing', [layout.table])
  }
}

async function composeTable(query: Query, { table, fields }: CollectionLayout): Promise<number> {
  const columns = fields.filter(isText).map(({ column }) => `t.${quoteName(column)}`)
  if (columns.length === 0) return 0
  const isOther = columns.map(column => `${column} is not nfc normalized`).join(' or ')
  const set = columns.map(column => `${column.slice(2)} = normalize(${column}, nfc)`).join(', ')
  const update = (keys: readonly Key[]) =>
    query(
      `update ${quoteName(table)} t set ${set} from unnest($1::text[], $2::text[]) k (tenant_id, id)
        where t.tenant_id = k.tenant_id and t.id = k.id and (${isOther})`,
      [keys.map(({ tenant }) => tenant), keys.map(({ id }) => id)],
    )
  let skipped = 0
  for (let last: Key = { tenant: '', id: '' }; ; ) {
    const { rows } = await query<Key & { other: boolean | null }>(
      `select t.tenant_id as tenant, t.id, ${isOther} as other from ${quoteName(table)} t
        where (t.tenant_id, t.id) > ($1, $2) order by t.tenant_id, t.id limit ${BATCH_SIZE}`,
      [last.tenant, last.id],
    )
    const others = rows.filter(({ other }) => other)
    if (others.length > 0) skipped += await updateOrSkip(others, update)
    const end = rows.at(-1)
    if (!end || rows.length < BATCH_SIZE) return skipped
    last = end
  }
}

/** A row whose composed value another row has keeps its own. */
async function updateOrSkip(keys: readonly Key[], update: (keys: readonly Key[]) => Promise<unknown>): Promise<number> {
  try {
    await update(keys)
    return 0
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    if (keys.length === 1) return 1
    let skipped = 0
    for (const key of keys) skipped += await updateOrSkip([key], update)
    return skipped
  }
}

const isText = (field: CollectionLayout['fields'][number]): boolean =>
  field.columnType === 'text' && field.expression === null && field.joinTable === null && isReadable(field)

const isReadable = ({ type, reference }: CollectionLayout['fields'][number]): boolean =>
  reference === null && type !== 'file' && type !== 'member'
