/** Work on a form of this tenant, also inside a unit of the visitor's own. */
import type { Database, Unit } from 'larder/kernel'
export function unitOf(database: Database, tenantId: string): Unit {
  const current = database.currentTenant()
  return current === undefined || current === tenantId
    ? database.tenant(tenantId)
    : database.system('somebody of another tenant sends a public form')
}
