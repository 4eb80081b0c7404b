import type { Deps, Unit } from '@larder-dev/larder/kernel'

/** A unit for a form of this tenant, also inside a unit of the submitter's tenant. */
export function formUnit({ database, systemDatabase }: Deps<'database' | 'systemDatabase'>, tenantId: string): Unit {
  const current = database.currentTenant()
  return current === undefined || current === tenantId
    ? database.tenant(tenantId)
    : systemDatabase.acrossTenants('a member of another tenant submits a public form')
}
