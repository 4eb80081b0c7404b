/** Deletion of a tenant's data in every module. */
export interface TenantDeletion {
  /**
   * Runs the `deleteTenant` hook of each module, then deletes the tenant's rows in every table with a `tenant_id`
   * column. Append-only tables, for which no role has the delete privilege, keep their rows.
   *
   * `complete` is false while events or jobs of the tenant are unfinished, because their handlers can still read and
   * write rows. Call again later then. Repeatable.
   */
  run(tenantId: string, signal: AbortSignal): Promise<{ readonly complete: boolean }>
}
