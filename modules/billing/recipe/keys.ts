/** The keys of billing's tables: one row per workspace, and in a product of people one per customer too. */
import type { Deps, Product } from '@larder-dev/larder/kernel'

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

/**
 * Adapts the keys to the audience of the product. Products of teams keep the keys without a member, by which processes of
 * earlier versions write while a new version is rolled out; an audience can't change once people have signed up.
 */
export async function applyKeys(
  { systemDatabase, schemaOwner }: Deps<'systemDatabase' | 'schemaOwner'>,
  { audience }: Product,
): Promise<void> {
  const { rows } = await systemDatabase
    .acrossTenants('the keys of tables belong to no tenant')
    .query<{ name: keyof typeof KEYS; byMember: boolean }>(
      `select c.relname::text as name, exists (
         select from pg_attribute a
         where a.attrelid = c.oid and a.attnum = any (k.conkey) and a.attname = 'member_id') as "byMember"
       from pg_constraint k join pg_class c on c.oid = k.conrelid
         join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
       where k.contype = 'p' and c.relname = any ($1)`,
      [Object.keys(KEYS)],
    )
  const changed = rows.filter(({ byMember }) => byMember !== (audience === 'people'))
  if (changed.length === 0) return
  await schemaOwner.connect(session =>
    session.transaction(async migrator => {
      for (const { name } of changed)
        await migrator.query(
          `alter table ${name} drop constraint ${name}_pkey,
             add primary key (tenant_id${audience === 'people' ? ', member_id' : ''}${KEYS[name]})`,
        )
      if (audience === 'people') for (const index of INDEXES) await migrator.query(index)
    }),
  )
}
