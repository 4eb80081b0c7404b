import { type Deps, listener } from 'larder/kernel'

export const listeners = ({ featureServices }: Deps<'featureServices'>) => [
  listener('identity.tenant.deleted', ({ payload }) => featureServices.deleteTenantData(payload.tenantId)),
]
