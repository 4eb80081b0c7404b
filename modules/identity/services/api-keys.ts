/** API keys: bound to a tenant, never above their creator, shown once. */
import {
  type Caller,
  common,
  type Deps,
  decodeCursor,
  newId,
  type PageOf,
  pageLimit,
  toPage,
  type Unit,
} from 'larder/kernel'
import { hashSecret, newApiKey } from '../domain/secrets.ts'
import { iso, isoOrNull, timeAt } from '../domain/time.ts'
import { invalidField } from '../problems.ts'
import type { ApiKey } from '../schemas.ts'
import type { Changes } from './access-changes.ts'
import { type Audit, type By, byCaller } from './audit.ts'
import type { Roles } from './roles.ts'

interface Row {
  id: string
  user_id: string
  name: string
  prefix: string
  permissions: string[] | null
  expires_at: Date | null
  last_used_at: Date | null
  created_at: Date
  updated_at: Date
}
export interface NewKey {
  readonly name: string
  /** Left out: all that its creator may. */
  readonly permissions?: readonly string[] | null
  readonly expiresAt?: string | null
}
interface Parts {
  readonly audit: Audit
  readonly changes: Changes
  readonly roles: Roles
}
const COLUMNS = 'id, user_id, name, prefix, permissions, expires_at, last_used_at, created_at, updated_at'

export function createApiKeys(
  { database, clock, product }: Deps<'database' | 'clock' | 'product'>,
  { audit, changes, roles }: Parts,
) {
  /** Without asking who may: for the key that comes with a new workspace, too. */
  async function issue(unit: Unit, tenantId: string, userId: string, input: NewKey, by: By): Promise<ApiKey> {
    const { key, prefix } = newApiKey(product.key)
    const { name, permissions = null, expiresAt = null } = input
    const { rows } = await unit.query<Row>(
      `insert into identity_api_keys
         (tenant_id, id, user_id, name, prefix, secret_hash, permissions, expires_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning ${COLUMNS}`,
      [tenantId, newId('key'), userId, name, prefix, hashSecret(key), permissions, expiresAt, timeAt(clock)],
    )
    const row = rows[0] as Row
    await record(unit, tenantId, 'api_key.created', row, by)
    return { ...toApiKey(row), key }
  }

  const record = (unit: Unit, tenantId: string, action: string, row: Row, by: By) =>
    audit.record(unit, {
      tenantId,
      action,
      by,
      subject: row.id,
      details: { name: row.name, permissions: row.permissions, expiresAt: isoOrNull(row.expires_at) },
    })

  /** Throws 422 for an unknown permission or a time gone by, 403 for a permission that the caller lacks. */
  async function mustBeAllowed(tenantId: string, input: Partial<NewKey>, caller: Caller, owner: string): Promise<void> {
    const { permissions, expiresAt } = input
    if (expiresAt && Date.parse(expiresAt) <= clock.now())
      throw invalidField('/expiresAt', 'in_the_past', 'must be in the future')
    if (permissions) {
      roles.mustExist(permissions)
      await roles.mustHold(tenantId, caller, permissions)
    }
    // "All that its creator may" is more than oneself may, where the creator is somebody else.
    if (permissions === null && owner !== caller.userId) await roles.mustHold(tenantId, caller, ['*'])
  }

  async function create(tenantId: string, input: NewKey, caller: Caller): Promise<ApiKey> {
    return database.tenant(tenantId).transaction(async unit => {
      await mustBeAllowed(tenantId, input, caller, caller.userId)
      return issue(unit, tenantId, caller.userId, input, byCaller(caller))
    })
  }

  async function update(tenantId: string, id: string, patch: Partial<NewKey>, caller: Caller): Promise<ApiKey> {
    return database.tenant(tenantId).transaction(async unit => {
      const before = await unit.query<Row>(
        `select ${COLUMNS} from identity_api_keys where tenant_id = $1 and id = $2 for update`,
        [tenantId, id],
      )
      const row = before.rows[0]
      if (!row) throw common.not_found({ what: 'API key' })
      await mustBeAllowed(tenantId, patch, caller, row.user_id)
      const { rows } = await unit.query<Row>(
        `update identity_api_keys set name = $3, permissions = $4, expires_at = $5, updated_at = $6
         where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
        [
          tenantId,
          id,
          patch.name ?? row.name,
          patch.permissions === undefined ? row.permissions : patch.permissions,
          patch.expiresAt === undefined ? isoOrNull(row.expires_at) : patch.expiresAt,
          timeAt(clock),
        ],
      )
      const after = rows[0] as Row
      await record(unit, tenantId, 'api_key.updated', after, byCaller(caller))
      changes.narrowed({ principalId: id })
      return toApiKey(after)
    })
  }

  async function remove(tenantId: string, id: string, caller: Caller): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const { rows } = await unit.query<Row>(
        `delete from identity_api_keys where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
        [tenantId, id],
      )
      if (!rows[0]) throw common.not_found({ what: 'API key' })
      await record(unit, tenantId, 'api_key.deleted', rows[0], byCaller(caller))
      changes.narrowed({ principalId: id })
    })
  }

  /** All of the tenant, or those that one person made. */
  async function list(
    tenantId: string,
    query: { limit?: number; cursor?: string; createdBy?: string },
  ): Promise<PageOf<ApiKey>> {
    const [after = null] = decodeCursor(query.cursor, 1) ?? []
    const limit = pageLimit(query)
    const { rows } = await database.tenant(tenantId).query<Row>(
      `select ${COLUMNS} from identity_api_keys
       where tenant_id = $1 and ($2::text is null or id > $2) and ($3::text is null or user_id = $3)
       order by id limit $4`,
      [tenantId, after, query.createdBy ?? null, limit + 1],
    )
    const { data, nextCursor } = toPage(rows, limit, row => [row.id])
    return { data: data.map(toApiKey), nextCursor }
  }

  return { issue, create, update, remove, list }
}
export type ApiKeys = ReturnType<typeof createApiKeys>

const toApiKey = (row: Row): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  permissions: row.permissions,
  createdBy: row.user_id,
  expiresAt: isoOrNull(row.expires_at),
  lastUsedAt: isoOrNull(row.last_used_at),
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})
