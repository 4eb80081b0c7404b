/** An SQL condition: the tenant with this ID is suspended. For statements of workers, which skip its rows. */
export const isSuspendedSql = (tenantId: string): string =>
  `exists (select from larder_suspended_tenants suspended where suspended.id = ${tenantId})`
