/**
 * SQL of flags and overrides. Flags for every tenant, of the recipe and of operators, are rows of the operator's tenant,
 * beside its own.
 */
import { common, etag, fingerprint, formatSize, MIB, type SystemDatabase, type Unit } from '@larder-dev/larder/kernel'
import type { Value } from '../domain/value.ts'
import { problems } from '../problems.ts'
import { type FlagRow, flagTable } from '../records/flag.ts'

export interface OverrideRow {
  readonly key: string
  readonly value: Value
}

/** Flags of the tenant. @param condition SQL after `where`, with its values. */
export function tenantFlags(unit: Unit, condition = 'true', values: readonly unknown[] = []): Promise<FlagRow[]> {
  const text = `select ${flagTable.columns()} from features_flags where managed_by is null and ${condition}`
  return flagTable.query(unit, text, values)
}

/** Joins the surrounding unit of any tenant: a caller that holds a connection must not wait for another one. */
export function recipeFlags(
  systemDatabase: SystemDatabase,
  condition = 'true',
  values: readonly unknown[] = [],
): Promise<FlagRow[]> {
  const unit = systemDatabase.acrossTenants('flags of the recipe and of operators apply to every tenant')
  const text = `select ${flagTable.columns()} from features_flags where managed_by is not null and ${condition}`
  return flagTable.query(unit, text, values)
}

/** Serializes changes to the flags of a tenant, because their prerequisites are validated as a whole. */
export const lockFlags = (unit: Unit, tenantId: string): Promise<void> => unit.lock('features.flags', tenantId)

/** @param changedBy user ID; null for the recipe. */
export async function insertFlag(
  unit: Unit,
  tenantId: string,
  row: Omit<FlagRow, 'revision' | 'updatedAt'>,
  changedBy: string | null,
): Promise<void> {
  await unit.all([flagTable.insertStep({ ...row, tenantId, updatedAt: row.createdAt }), [RECORD, [row.id, changedBy]]])
}

/** @param changedBy user ID; null for the recipe. */
export async function updateFlag(
  unit: Unit,
  { id, revision: _counted, createdAt: _created, ...row }: FlagRow,
  now: Date,
  changedBy: string | null,
): Promise<void> {
  await unit.all([
    flagTable.updateStep({ id }, { ...row, updatedAt: now }),
    [RECORD, [id, changedBy]],
    [PRUNE, [MAX_HISTORY_BYTES]],
  ])
}

/** Bytes of the definitions in the history of all flags of a tenant. */
const MAX_HISTORY_BYTES = 2 * MIB
const RECORD = `insert into features_revisions
    (tenant_id, flag_id, revision, name, description, definition, changed_by, changed_at)
  select tenant_id, id, revision, name, description, definition, $2, updated_at from features_flags where id = $1`
const PRUNE = `delete from features_revisions r using (
    select flag_id, revision, sum(octet_length(definition::text)) over (order by changed_at desc, revision desc) as bytes
    from features_revisions) h
  where r.flag_id = h.flag_id and r.revision = h.revision and h.bytes > $1`

/** Bytes of all flags of a tenant, and of all its overrides. Every process holds them in memory. */
const MAX_TENANT_BYTES = MIB

/** Throws `features_too_large`, which rolls back the write before it. */
export async function assertWithinSizeLimit(unit: Unit): Promise<void> {
  const { rows } = await unit.query<{ flags: number; overrides: number }>(
    `select
       (select coalesce(sum(octet_length(definition::text)), 0)::int from features_flags where managed_by is distinct from 'recipe') as flags,
       (select coalesce(sum(octet_length(value::text)), 0)::int from features_overrides) as overrides`,
  )
  const { flags = 0, overrides = 0 } = rows[0] ?? {}
  if (Math.max(flags, overrides) > MAX_TENANT_BYTES)
    throw problems.features_too_large({ limit: formatSize(MAX_TENANT_BYTES) })
}

/** Covers the tenant's override too, because the same URL returns both. */
export const flagEtag = ({ id, revision }: Pick<FlagRow, 'id' | 'revision'>, override: Value | undefined): string =>
  etag(`${id}.${revision}${override === undefined ? '' : `.${fingerprint(override)}`}`)

export async function findOverride(unit: Unit, key: string): Promise<Value | undefined> {
  return (await unit.query<OverrideRow>('select key, value from features_overrides where key = $1', [key])).rows[0]
    ?.value
}

export const featureNotFound = () => common.not_found({ what: 'feature' })

/** Deletes overrides of flags for every tenant, but not of a tenant's own flag with the same key. */
export async function deleteOverridesEverywhere(
  systemDatabase: SystemDatabase,
  keys: readonly string[],
): Promise<void> {
  const unit = systemDatabase.acrossTenants('overrides of removed or changed flags are deleted in every tenant')
  await unit.query(
    `delete from features_overrides o where key = any ($1) and not exists (
       select 1 from features_flags f where f.tenant_id = o.tenant_id and f.key = o.key and f.managed_by is null)`,
    [keys],
  )
}
