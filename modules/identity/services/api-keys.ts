/** API keys belong to one tenant, never exceed the permissions of their creator, and are shown once. */
import {
  type Caller,
  common,
  type Deps,
  decodeCursor,
  invalidField,
  newId,
  type PageOf,
  pageLimit,
  toPage,
  type Unit,
} from 'larder/kernel'
import { hashSecret, newApiKey } from '../domain/secrets.ts'
import { iso, isoOrNull, timeAt } from '../domain/time.ts'
import type { ApiKey } from '../routes/api-key-schemas.ts'
import type { AccessChanges } from './access-changes.ts'
import { type AuditActor, type AuditRecorder, actorOf } from './audit-log.ts'
import type { Roles } from './roles.ts'

export interface NewApiKey {
  readonly name: string
  /** By default, all permissions of the creator. */
  readonly permissions?: readonly string[] | null
  readonly expiresAt?: string | null
}
export interface ApiKeys {
  /** Skips the permission checks of `create`, for the key of a new workspace. */
  issue(unit: Unit, tenantId: string, userId: string, input: NewApiKey, actor: AuditActor): Promise<ApiKey>
  /** Throws 422 for unknown permissions or a past expiry, 403 for permissions that the caller doesn't hold. */
  create(tenantId: string, input: NewApiKey, caller: Caller): Promise<ApiKey>
  /** Throws what `create` throws, and `not_found`. */
  update(tenantId: string, id: string, patch: Partial<NewApiKey>, caller: Caller): Promise<ApiKey>
  remove(tenantId: string, id: string, caller: Caller): Promise<void>
  list(
    tenantId: string,
    query: { readonly limit?: number; readonly cursor?: string; readonly createdBy?: string },
  ): Promise<PageOf<ApiKey>>
}
export interface ApiKeyRow {
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
interface Services {
  readonly audit: AuditRecorder
  readonly accessChanges: AccessChanges
  readonly roles: Roles
}
const COLUMNS = 'id, user_id, name, prefix, permissions, expires_at, last_used_at, created_at, updated_at'

export function createApiKeys(
  { database, clock, product }: Deps<'database' | 'clock' | 'product'>,
  { audit, accessChanges, roles }: Services,
): ApiKeys {
  const issue: ApiKeys['issue'] = async (unit, tenantId, userId, input, actor) => {
    const { key, prefix } = newApiKey(product.key)
    const { name, permissions = null, expiresAt = null } = input
    const id = newId('key')
    const now = new Date(clock.now())
    await unit.defer([
      [
        `insert into identity_api_keys
           (tenant_id, id, user_id, name, prefix, secret_hash, permissions, expires_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
        [tenantId, id, userId, name, prefix, hashSecret(key), permissions, expiresAt, now.toISOString()],
      ],
    ])
    const row: ApiKeyRow = {
      ...{ id, user_id: userId, name, prefix, permissions: permissions && [...permissions] },
      ...{ expires_at: expiresAt === null ? null : new Date(expiresAt), last_used_at: null },
      ...{ created_at: now, updated_at: now },
    }
    await record(unit, tenantId, 'api_key.created', row, actor)
    return { ...toApiKey(row), key }
  }

  const record = (unit: Unit, tenantId: string, action: string, row: ApiKeyRow, actor: AuditActor) =>
    audit.record(unit, {
      tenantId,
      action,
      actor,
      subject: row.id,
      details: { name: row.name, permissions: row.permissions, expiresAt: isoOrNull(row.expires_at) },
    })

  async function assertAllowed(
    tenantId: string,
    input: Partial<NewApiKey>,
    caller: Caller,
    creatorId: string,
  ): Promise<void> {
    const { permissions, expiresAt } = input
    if (expiresAt && Date.parse(expiresAt) <= clock.now())
      throw invalidField('/expiresAt', 'in_the_past', 'must be in the future')
    if (permissions) {
      roles.assertPermissionsExist(permissions)
      await roles.assertCallerHolds(tenantId, caller, permissions)
    }
    // The creator can have more permissions than the caller who edits the key.
    if (permissions === null && creatorId !== caller.userId) await roles.assertCallerHolds(tenantId, caller, ['*'])
  }

  return {
    issue,
    async create(tenantId, input, caller) {
      return database.tenant(tenantId).transaction(async unit => {
        await assertAllowed(tenantId, input, caller, caller.userId)
        return issue(unit, tenantId, caller.userId, input, actorOf(caller))
      })
    },

    async update(tenantId, id, patch, caller) {
      return database.tenant(tenantId).transaction(async unit => {
        const before = await unit.query<ApiKeyRow>(
          `select ${COLUMNS} from identity_api_keys where tenant_id = $1 and id = $2 for update`,
          [tenantId, id],
        )
        const row = before.rows[0]
        if (!row) throw common.not_found({ what: 'API key' })
        await assertAllowed(tenantId, patch, caller, row.user_id)
        const { rows } = await unit.query<ApiKeyRow>(
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
        const after = rows[0] as ApiKeyRow
        await record(unit, tenantId, 'api_key.updated', after, actorOf(caller))
        accessChanges.revoked({ principalId: id })
        return toApiKey(after)
      })
    },

    async remove(tenantId, id, caller) {
      await database.tenant(tenantId).transaction(async unit => {
        const { rows } = await unit.query<ApiKeyRow>(
          `delete from identity_api_keys where tenant_id = $1 and id = $2 returning ${COLUMNS}`,
          [tenantId, id],
        )
        if (!rows[0]) throw common.not_found({ what: 'API key' })
        await record(unit, tenantId, 'api_key.deleted', rows[0], actorOf(caller))
        accessChanges.revoked({ principalId: id })
      })
    },

    async list(tenantId, query) {
      const [after = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const { rows } = await database.tenant(tenantId).query<ApiKeyRow>(
        `select ${COLUMNS} from identity_api_keys
         where tenant_id = $1 and ($2::text is null or id > $2) and ($3::text is null or user_id = $3)
         order by id limit $4`,
        [tenantId, after, query.createdBy ?? null, limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, row => [row.id])
      return { data: data.map(toApiKey), nextCursor }
    },
  }
}

export const toApiKey = (row: ApiKeyRow): ApiKey => ({
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
