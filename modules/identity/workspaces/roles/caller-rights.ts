/** The rights of a caller outside of their request. */
import { type Deps, statementTime, together } from '@larder-dev/larder/kernel'
import type { CallerRights } from '../../ports.ts'
import type { RightsService } from './rights.ts'

interface KeyRow {
  readonly permissions: string[] | null
}

const SELECT_KEY = `select permissions from identity_api_keys
  where tenant_id = $1 and id = $2 and user_id = $3 and (expires_at is null or expires_at > coalesce($4::timestamptz, now()))`

type Needs = Deps<'systemDatabase' | 'clock'> & { readonly rights: RightsService }

export function createCallerRights({ systemDatabase, clock, rights }: Needs): CallerRights {
  return {
    async current(tenantId, { kind, principalId, userId }) {
      const unit = systemDatabase.acrossTenants("platform roles are assigned in the operator's tenant")
      const values = [tenantId, principalId, userId, statementTime(clock)]
      const { held, key } = await together({
        held: rights.find(unit, userId, tenantId),
        key: kind === 'apiKey' ? unit.query<KeyRow>(SELECT_KEY, values) : undefined,
      })
      const [found] = key?.rows ?? []
      // A key stops working when its creator leaves the tenant, even if a platform role gives them access to it.
      if (!held || held.isSuspended || (kind === 'apiKey' && (!found || held.memberId === ''))) return null
      const { memberId, roles, isCustomer, tenant, platform } = found
        ? rights.restrictToApiKey(held, found.permissions)
        : held
      return { tenantId, memberId, roles, isCustomer, permissions: tenant, platformPermissions: platform }
    },
  }
}
