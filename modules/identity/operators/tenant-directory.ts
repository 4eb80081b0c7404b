/** The port `tenantDirectory`. */

import type { TenantDirectory } from '../ports.ts'
import type { Tenants } from '../workspaces/tenants.ts'
import type { Directory } from './directory.ts'
import type { TenantSummary } from './records/admin.ts'

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
