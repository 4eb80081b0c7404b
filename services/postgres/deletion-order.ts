/** Rows of these tables are in use until they are finished; see tenant-deletion.ts. */
const QUEUE_TABLES = ['larder_events', 'larder_deliveries', 'larder_jobs']

export interface TenantTable {
  readonly name: string
  /** Tables that foreign keys of this table refer to. */
  readonly references: readonly string[]
  /** Row level security restricts the table to the current tenant, and the app role can delete. */
  readonly deletableByTenant: boolean
  readonly deletableBySystem: boolean
}

/** Referencing tables before the tables that they refer to. Tables in a cycle come last. */
export function deletionOrder(tables: readonly TenantTable[]): readonly TenantTable[] {
  let rest = tables.filter(
    ({ name, deletableByTenant, deletableBySystem }) =>
      (deletableByTenant || deletableBySystem) && !QUEUE_TABLES.includes(name),
  )
  const ordered: TenantTable[] = []
  while (rest.length > 0) {
    const referenced = new Set(rest.flatMap(({ references }) => references))
    const free = rest.filter(({ name }) => !referenced.has(name))
    if (free.length === 0) return [...ordered, ...rest]
    ordered.push(...free)
    rest = rest.filter(table => !free.includes(table))
  }
  return ordered
}
