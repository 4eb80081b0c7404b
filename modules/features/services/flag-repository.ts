/** SQL of flags and overrides. Flags of the recipe are rows of the operator's tenant, beside its own. */
import { common, etag, fingerprint, formatSize, MIB, type SystemDatabase, type Unit } from 'larder/kernel'
import type { Definition } from '../domain/flag.ts'
import type { Value } from '../domain/value.ts'
import { problems } from '../problems.ts'

export interface FlagRow {
  readonly id: string
  readonly key: string
  readonly name: string | null
  readonly description: string | null
  readonly definition: Definition
  readonly revision: number
  readonly managedBy: string | null
  readonly editable: boolean
  readonly recipeHash: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}
export interface OverrideRow {
  readonly key: string
  readonly value: Value
}

const COLUMNS = `id, key, name, description, definition, revision, managed_by as "managedBy", editable,
  recipe_hash as "recipeHash", created_at as "createdAt", updated_at as "updatedAt"`

/** Flags of the tenant. @param condition SQL after `where`, with its values. */
export async function tenantFlags(unit: Unit, condition = 'true', values: readonly unknown[] = []): Promise<FlagRow[]> {
  const text = `select ${COLUMNS} from features_flags where managed_by is null and ${condition}`
  return (await unit.query<FlagRow>(text, values)).rows
}

/** Joins the surrounding unit of any tenant: a caller that holds a connection must not wait for another one. */
export async function recipeFlags(
  systemDatabase: SystemDatabase,
  condition = 'true',
  values: readonly unknown[] = [],
): Promise<FlagRow[]> {
  const unit = systemDatabase.acrossTenants('flags of the recipe apply to every tenant')
  const text = `select ${COLUMNS} from features_flags where managed_by is not null and ${condition}`
  return (await unit.query<FlagRow>(text, values)).rows
}

/** Serializes changes to the flags of a tenant, because their prerequisites are validated as a whole. */
export async function lockFlags(unit: Unit, tenantId: string): Promise<void> {
  await unit.query(`select pg_advisory_xact_lock(hashtext('features.flags'), hashtext($1))`, [tenantId])
}

/** @param changedBy user ID; null for the recipe. */
export async function insertFlag(
  unit: Unit,
  tenantId: string,
  row: Omit<FlagRow, 'revision' | 'updatedAt'>,
  changedBy: string | null,
): Promise<void> {
  const { id, key, name, description, definition, managedBy, editable, recipeHash, createdAt } = row
  const json = JSON.stringify(definition)
  await unit.batch([
    [
      `insert into features_flags
         (tenant_id, id, key, name, description, definition, managed_by, editable, recipe_hash, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10, $10)`,
      [tenantId, id, key, name, description, json, managedBy, editable, recipeHash, createdAt],
    ],
    [RECORD, [id, changedBy]],
  ])
}

/** @param changedBy user ID; null for the recipe. */
export async function updateFlag(
  unit: Unit,
  { id, name, description, definition, managedBy, editable, recipeHash }: FlagRow,
  now: Date,
  changedBy: string | null,
): Promise<void> {
  await unit.batch([
    [
      `update features_flags set name = $2, description = $3, definition = $4::jsonb, managed_by = $5, editable = $6,
         recipe_hash = $7, revision = revision + 1, updated_at = $8 where id = $1`,
      [id, name, description, JSON.stringify(definition), managedBy, editable, recipeHash, now],
    ],
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
       (select coalesce(sum(octet_length(definition::text)), 0)::int from features_flags where managed_by is null) as flags,
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
