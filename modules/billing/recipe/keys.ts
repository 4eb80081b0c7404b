/** The keys of billing's tables: one row per workspace, and in a product of people one per customer too. */
import type { Deps } from '@larder-dev/larder/kernel'

/** Tables whose primary key names the subject, with the other columns of the key. */
const KEYS = {
  billing_subscriptions: '',
  billing_event_histories: '',
  billing_meters: ', key, period_start',
} as const

/** Many customers share a workspace, so their entries and lots are found by member. */
const INDEXES = [
  `create index if not exists billing_credit_entries_by_member
     on billing_credit_entries (tenant_id, member_id, key, seq) where member_id <> ''`,
  `create index if not exists billing_credit_lots_by_member
     on billing_credit_lots (tenant_id, member_id, key, expires_at) where member_id <> '' and remaining > 0`,
] as const

type KeyDeps = Deps<'systemDatabase' | 'schemaOwner' | 'migrations' | 'product'>

/**
 * Adapts the keys to the audience of the product. Products of teams keep the keys without a member, by which processes of
 * earlier versions write while a new version is rolled out. Runs at the start, after `reconcile` of identity, which refuses
 * another audience once people have signed up.
 */
export async function adaptKeys(deps: KeyDeps): Promise<void> {
  if ((await changedTables(deps)).length === 0) return
  await deps.migrations.exclusively('reconcile', async () => changeKeys(deps, await changedTables(deps)))
}

type Table = keyof typeof KEYS

async function changedTables({ systemDatabase, product }: KeyDeps): Promise<readonly Table[]> {
  const { rows } = await systemDatabase
    .acrossTenants('the keys of tables belong to no tenant')
    .query<{ name: Table; byMember: boolean }>(
      `select c.relname::text as name, exists (
         select from pg_attribute a
         where a.attrelid = c.oid and a.attnum = any (k.conkey) and a.attname = 'member_id') as "byMember"
       from pg_constraint k join pg_class c on c.oid = k.conrelid
         join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
       where k.contype = 'p' and c.relname = any ($1)`,
      [Object.keys(KEYS)],
    )
  return rows.filter(({ byMember }) => byMember !== (product.audience === 'people')).map(({ name }) => name)
}

async function changeKeys({ schemaOwner, product }: KeyDeps, tables: readonly Table[]): Promise<void> {
  if (tables.length === 0) return
  const arePeople = product.audience === 'people'
  await schemaOwner.connect(session =>
    session.transaction(async migrator => {
      for (const name of tables)
        await migrator.query(
          `alter table ${name} drop constraint ${name}_pkey,
             add primary key (tenant_id${arePeople ? ', member_id' : ''}${KEYS[name]})`,
        )
      if (arePeople) for (const index of INDEXES) await migrator.query(index)
    }),
  )
}
