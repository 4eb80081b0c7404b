import { idPattern, Type } from 'larder/kernel'

/** Query parameter of lists. */
export const TenantFilter = Type.Optional(
  Type.String({ pattern: idPattern('ten'), description: 'Needs `platform.tenant.read_all`' }),
)
