import { idPattern, Type } from '@larder-dev/larder/kernel'

/** The filter `tenantId` of lists. */
export const TenantFilter = Type.String({
  pattern: idPattern('ten'),
  description: 'Needs `platform.tenant.read_all`',
})
