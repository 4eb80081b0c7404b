/** The port `tenantDirectory`. */

import type { Directory } from '../operators/directory.ts'
import type { TenantSummary } from '../operators/records/admin.ts'
import type { TenantDirectory } from '../ports.ts'
import type { Tenants } from './tenants.ts'

const toListed = ({ id, name, slug, planKey, suspendedAt, createdAt }: TenantSummary) => ({
  id,
  name,
  slug,
  planKey,
  suspendedAt,
  createdAt,
})

export function createTenantDirectory({
  tenants: { get, find },
  directory,
}: {
  readonly tenants: Tenants
  readonly directory: Directory
}): TenantDirectory {
  return {
    get,
    find,
    async byIds(ids) {
      if (ids.length === 0) return []
      return (await directory.tenantsById(ids)).map(toListed)
    },
    async list({ limit, cursor, words } = {}) {
      const { data, nextCursor } = await directory.tenants({
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
        ...(words !== undefined && { q: words }),
      })
      return { data: data.map(toListed), nextCursor }
    },
  }
}
