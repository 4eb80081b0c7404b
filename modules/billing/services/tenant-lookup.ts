/** Checks tenants that an operator names in a request. */
import { common, type Deps, idPattern } from '@larder-dev/larder/kernel'

const SEAT_KEY = 'identity.seat'
const TENANT_ID = new RegExp(idPattern('ten'))

export interface TenantLookup {
  /** Throws `not_found` for a tenant that doesn't exist. */
  assertExists(tenantId: string): Promise<void>
}

/**
 * Identity depends on billing's port, so billing can't depend on identity's. It counts seats instead: every tenant has
 * an owner, who uses one.
 */
export const createTenantLookup = ({ usage }: Deps<'usage'>): TenantLookup => ({
  async assertExists(tenantId) {
    const isCounted = usage.keys().includes(SEAT_KEY)
    if (!TENANT_ID.test(tenantId) || (isCounted && (await usage.count(SEAT_KEY, tenantId)) === 0))
      throw common.not_found({ what: 'workspace' })
  },
})
