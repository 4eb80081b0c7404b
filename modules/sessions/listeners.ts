import { type Deps, listener } from 'larder/kernel'
import { deleteTenantData } from './services/tenant-deletion.ts'

export const sessionListeners = (deps: Deps<'database' | 'bus'>) => [
  listener('identity.tenant.deleted', ({ tenantId }) => deleteTenantData(deps, tenantId)),
]
