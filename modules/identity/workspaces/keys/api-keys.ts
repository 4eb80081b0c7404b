/** API keys belong to one tenant, never exceed the permissions of their creator, and are shown once. */
import {
  type Caller,
  type Deps,
  invalidField,
  newId,
  type PageOf,
  together,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { type AuditActor, type AuditRecorder, actorOf } from '../../audit/audit-log.ts'
import { hashSecret, newApiKey } from '../../domain/secrets.ts'
import { timeAt } from '../../domain/time.ts'
import type { AccessChanges } from '../roles/access-changes.ts'
import type { Roles } from '../roles/roles.ts'
import { type ApiKey, apiKeyTable, type NewApiKey, type StoredApiKey } from './records.ts'

/** New values, or a function that makes them from the stored key. */
type ApiKeyPatch = Partial<NewApiKey> | ((before: ApiKey) => Partial<NewApiKey>)

export interface ApiKeys {
  /** Skips the permission checks of `create`, for the key of a new workspace. */
  issue(unit: Unit, tenantId: string, userId: string, input: NewApiKey, actor: AuditActor): Promise<ApiKey>
  /** Throws 422 for unknown permissions or a past expiry, 403 for permissions that the caller doesn't hold. */
  create(tenantId: string, input: NewApiKey, caller: Caller): Promise<ApiKey>
  /** Throws what `create` throws, and `not_found`. */
  update(tenantId: string, id: string, patch: ApiKeyPatch, caller: Caller): Promise<ApiKey>
  remove(tenantId: string, id: string, caller: Caller): Promise<void>
  /** Throws `not_found`. */
  get(tenantId: string, id: string): Promise<ApiKey>
  list(
    tenantId: string,
    query: { readonly limit?: number; readonly cursor?: string; readonly createdBy?: string },
  ): Promise<PageOf<ApiKey>>
}
type Needs = Deps<'database' | 'clock' | 'product'> & {
  readonly audit: AuditRecorder
  readonly accessChanges: AccessChanges
  readonly roles: Roles
}

export function createApiKeys({ database, clock, product, audit, accessChanges, roles }: Needs): ApiKeys {
  const issue: ApiKeys['issue'] = async (unit, tenantId, userId, input, actor) => {
    const { key, prefix } = newApiKey(product.key)
    const now = timeAt(clock)
    const values = {
      ...input,
      id: newId('key'),
      prefix,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    }
    await unit.defer([apiKeyTable.insertStep({ ...values, tenantId, secretHash: hashSecret(key) })])
    const stored = apiKeyTable.record(values)
    await record(unit, tenantId, 'api_key.created', stored, actor)
    return { ...stored, key }
  }

  const record = (unit: Unit, tenantId: string, action: string, row: StoredApiKey, actor: AuditActor) =>
    audit.record(unit, {
      tenantId,
      action,
      actor,
      subject: row.id,
      details: { name: row.name, permissions: row.permissions, expiresAt: row.expiresAt },
    })

  async function assertAllowed(
    tenantId: string,
    input: Partial<NewApiKey>,
    caller: Caller,
    creatorId: string,
  ): Promise<void> {
    const { permissions, expiresAt } = input
    if (expiresAt && Date.parse(expiresAt) <= clock.now())
      throw invalidField('/expiresAt', 'in_the_past', wording('must be in the future'))
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

    async update(tenantId, id, given, caller) {
      return database.tenant(tenantId).transaction(async unit => {
        // Whoever ends the keys of a user has locked the user first; see `lockTenant`.
        const { before } = await together({
          owner: unit.query('select identity_lock_key_owner($1, $2)', [tenantId, id]),
          before: apiKeyTable.get(unit, { tenantId, id }, { lock: true }),
        })
        const patch = typeof given === 'function' ? given(before) : given
        await assertAllowed(tenantId, patch, caller, before.createdBy)
        const after = await apiKeyTable.update(unit, { tenantId, id }, { ...patch, updatedAt: timeAt(clock) })
        await record(unit, tenantId, 'api_key.updated', after, actorOf(caller))
        accessChanges.revoked({ principalId: id })
        return after
      })
    },

    async remove(tenantId, id, caller) {
      await database.tenant(tenantId).transaction(async unit => {
        const removed = await apiKeyTable.delete(unit, { tenantId, id })
        await record(unit, tenantId, 'api_key.deleted', removed, actorOf(caller))
        accessChanges.revoked({ principalId: id })
      })
    },

    get: (tenantId, id) => apiKeyTable.get(database.tenant(tenantId), { tenantId, id }),

    list: async (tenantId, { limit, cursor, createdBy }) =>
      apiKeyTable.page(database.tenant(tenantId), { limit, cursor, where: { tenantId, createdBy }, ascending: true }),
  }
}
