/** Suspended tenants of the installation. */
import { common, type Database, type SystemDatabase } from '@larder-dev/larder/kernel'
import type { TenantSuspension } from './ports.ts'

const INSERT = `insert into larder_suspended_tenants (id, reason, suspended_at) values ($1, $2, $3)
  on conflict (id) do nothing returning id`
const DELETE = 'delete from larder_suspended_tenants where id = $1 returning id'
const FIND = 'select 1 from larder_suspended_tenants where id = $1'

export interface TenantSuspensionDeps {
  readonly systemDatabase: SystemDatabase
  readonly database: Pick<Database, 'afterCommit'>
  /** Notifies the workers of every process. */
  readonly wakeWorkers: () => Promise<void>
}

export function createTenantSuspension({
  systemDatabase,
  database,
  wakeWorkers,
}: TenantSuspensionDeps): TenantSuspension {
  const system = () => systemDatabase.acrossTenants('whether a tenant is suspended is known across tenants')
  return {
    async suspend(tenantId, { reason, at }) {
      return (await system().query(INSERT, [tenantId, reason, at])).rowCount > 0
    },
    async resume(tenantId) {
      const { rowCount } = await system().query(DELETE, [tenantId])
      if (rowCount > 0) database.afterCommit(wakeWorkers)
      return rowCount > 0
    },
    async forget(tenantId) {
      await system().defer([[DELETE, [tenantId]]])
    },
    async assertActive(tenantId) {
      if ((await system().query(FIND, [tenantId])).rowCount > 0) throw common.tenant_suspended()
    },
  }
}
