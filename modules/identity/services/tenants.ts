/** Workspaces: a name, a slug, and members. */
import { type Caller, type Deps, decodeCursor, newId, type PageOf, pageLimit, toPage, type Unit } from 'larder/kernel'
import { OWNER } from '../domain/fixed-roles.ts'
import { slugCandidates } from '../domain/slug.ts'
import { timeAt } from '../domain/time.ts'
import { problems } from '../problems.ts'
import type { Membership, Tenant } from '../schemas.ts'
import type { Changes } from './access-changes.ts'
import type { Audit, By } from './audit.ts'
import { byCaller } from './audit.ts'
import type { Memberships } from './memberships.ts'
import { found, lockTenant, type TenantRow, toTenant, withPlan } from './tenant-record.ts'

export interface NewTenant {
  readonly name: string
  /** Made of the name where it is left out. */
  readonly slug?: string
  readonly ownerId: string
}
interface Parts {
  readonly audit: Audit
  readonly changes: Changes
  readonly memberships: Memberships
}
const COLUMNS = 'tenant_id, name, slug, created_at, updated_at'

export function createTenants(
  deps: Deps<'database' | 'events' | 'clock' | 'operator', 'entitlements'>,
  { audit, changes, memberships }: Parts,
) {
  const { database, events, clock, operator } = deps

  /** With its owner. Throws `slug_taken` for a slug that was asked for. */
  async function create(
    unit: Unit,
    { name, slug, ownerId }: NewTenant,
    by: By,
  ): Promise<{ tenant: Tenant; membership: Membership }> {
    const row = await insert(unit, name, slug ? [slug] : slugCandidates(name))
    if (!row) throw problems.slug_taken()
    const tenant = toTenant(row)
    await audit.record(unit, {
      tenantId: tenant.id,
      action: 'tenant.created',
      by,
      subject: tenant.id,
      details: { name },
    })
    const payload = { tenantId: tenant.id, name, slug: tenant.slug, ownerId }
    await events.publish('identity.tenant.created', { tenantId: tenant.id, subject: tenant.id, payload })
    const membership = await memberships.join(unit, { tenantId: tenant.id, userId: ownerId, roles: [OWNER] }, by)
    return { tenant, membership }
  }

  async function insert(unit: Unit, name: string, slugs: Iterable<string>): Promise<TenantRow | undefined> {
    for (const slug of slugs) {
      const { rows } = await unit.query<TenantRow>(
        `insert into identity_tenants (tenant_id, name, slug, created_at, updated_at) values ($1, $2, $3, $4, $4)
         on conflict (slug) do nothing returning ${COLUMNS}`,
        [newId('ten'), name, slug, timeAt(clock)],
      )
      if (rows[0]) return rows[0]
    }
    return undefined
  }

  async function get(tenantId: string): Promise<Tenant> {
    const { rows } = await database
      .tenant(tenantId)
      .query<TenantRow>(`select ${COLUMNS} from identity_tenants where tenant_id = $1`, [tenantId])
    return withPlan(deps, toTenant(found(rows[0])))
  }

  async function update(tenantId: string, patch: { name?: string; slug?: string }, caller: Caller): Promise<Tenant> {
    return database.tenant(tenantId).transaction(async unit => {
      const { rows } = await unit
        .query<TenantRow>(
          `update identity_tenants set name = coalesce($2, name), slug = coalesce($3, slug), updated_at = $4
         where tenant_id = $1 returning ${COLUMNS}`,
          [tenantId, patch.name ?? null, patch.slug ?? null, timeAt(clock)],
        )
        .catch(slugTaken)
      const tenant = toTenant(found(rows[0]))
      const { id, name, slug } = tenant
      const by = byCaller(caller)
      await audit.record(unit, { tenantId, action: 'tenant.updated', by, subject: id, details: { ...patch } })
      await events.publish('identity.tenant.updated', { tenantId, subject: id, payload: { tenantId, name, slug } })
      if (patch.slug) changes.widened({ tenantId })
      return withPlan(deps, tenant)
    })
  }

  /** Members, keys and invitations go with it; other modules clean up when they hear of it. The log stays. */
  async function remove(tenantId: string, caller: Caller): Promise<void> {
    if (tenantId === operator.tenantId) throw problems.operator_tenant()
    await database.tenant(tenantId).transaction(async unit => {
      await lockTenant(unit, tenantId)
      for (const table of ['api_keys', 'invitations', 'roles', 'members', 'tenants'])
        await unit.query(`delete from identity_${table} where tenant_id = $1`, [tenantId])
      await audit.record(unit, { tenantId, action: 'tenant.deleted', by: byCaller(caller), subject: tenantId })
      await events.publish('identity.tenant.deleted', { tenantId, subject: tenantId, payload: { tenantId } })
      changes.narrowed({ tenantId })
    })
  }

  return {
    create,
    get,
    update,
    remove,
    /** As an answer shows it. */
    shown: (tenant: Tenant) => withPlan(deps, tenant),
    async add(input: NewTenant, caller: Caller): Promise<Tenant> {
      const { tenant } = await database
        .system('a new tenant is nobody’s yet')
        .transaction(unit => create(unit, input, byCaller(caller)))
      return withPlan(deps, tenant)
    },
    /** Those that a person is a member of. */
    async list(userId: string, query: { limit?: number; cursor?: string }): Promise<PageOf<Tenant>> {
      const [after = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const { rows } = await database.system('a person sees all tenants they are a member of').query<TenantRow>(
        `select ${COLUMNS.replace(/(\w+)/g, 't.$1')} from identity_tenants t
         join identity_members m on m.tenant_id = t.tenant_id
         where m.user_id = $1 and ($2::text is null or t.tenant_id > $2) order by t.tenant_id limit $3`,
        [userId, after, limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, row => [row.tenant_id])
      return { data: await Promise.all(data.map(row => withPlan(deps, toTenant(row)))), nextCursor }
    },
  }
}
export type Tenants = ReturnType<typeof createTenants>

const UNIQUE_VIOLATION = '23505'

/** Other tenants' slugs are out of this tenant's sight; the index sees them all. */
function slugTaken(error: unknown): never {
  throw error instanceof Error && Reflect.get(error, 'code') === UNIQUE_VIOLATION ? problems.slug_taken() : error
}
