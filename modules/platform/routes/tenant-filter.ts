import { idPattern, Type } from '@larder-dev/larder/kernel'

/** Query parameter of lists. */
export const TenantFilter = Type.Optional(
  Type.String({ pattern: idPattern('ten'), description: 'Needs `platform.tenant.read_all`' }),
)
