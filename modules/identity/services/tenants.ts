import {
  type Caller,
  type Deps,
  decodeCursor,
  inOrder,
  newId,
  type PageOf,
  pageLimit,
  toPage,
  type Unit,
} from 'larder/kernel'
import { OWNER } from '../domain/fixed-roles.ts'
import { slugCandidates } from '../domain/slug.ts'
import { timeAt } from '../domain/time.ts'
import { problems } from '../problems.ts'
import type { Membership, Tenant } from '../routes/tenant-schemas.ts'
import type { AccessChanges } from './access-changes.ts'
import { type AuditActor, type AuditRecorder, actorOf } from './audit-log.ts'
import type { Memberships } from './memberships.ts'
import { lockTenant, requireTenant, type TenantRow, toTenant, withPlan } from './tenant-record.ts'

export interface NewTenant {
  readonly name: string
  /** Derived from the name by default. */
  readonly slug?: string
  readonly ownerId: string
}
export interface Tenants {
  /** Creates a tenant without members: call `addOwner`. Throws `slug_taken` for an explicit slug that is in use. */
  insert(unit: Unit, tenant: Omit<NewTenant, 'ownerId'>, actor: AuditActor): Promise<Tenant>
  /** Completes a tenant that was inserted in the same unit. */
  addOwner(unit: Unit, tenant: Tenant, ownerId: string, actor: AuditActor): Promise<Membership>
  create(tenant: NewTenant, caller: Caller): Promise<Tenant>
  get(tenantId: string): Promise<Tenant>
  /** Finds a tenant by its ID or its slug. */
  find(idOrSlug: string): Promise<Tenant | undefined>
  update(tenantId: string, patch: { name?: string; slug?: string }, caller: Caller): Promise<Tenant>
  /** Deletes the tenant and the rows of identity. Other modules clean up on `identity.tenant.deleted`. */
  remove(tenantId: string, caller: Caller): Promise<void>
  /** The same in a unit that holds the tenant's lock. */
  removeIn(unit: Unit, tenantId: string, actor: AuditActor): Promise<void>
  /** Lists the tenants of a user. */
  list(userId: string, query: { limit?: number; cursor?: string }): Promise<PageOf<Tenant>>
  withPlan(tenant: Tenant): Promise<Tenant>
}
interface Services {
  readonly audit: AuditRecorder
  readonly accessChanges: AccessChanges
  readonly memberships: Memberships
}
const COLUMNS = 'tenant_id, name, slug, created_at, updated_at'
/** Deleted with their tenant in this order. The audit log is retained. */
const TABLES = [
  'identity_api_keys',
  'identity_invitations',
  'identity_roles',
  'identity_members',
  'identity_tenants',
] as const

export function createTenants(
  deps: Deps<'database' | 'systemDatabase' | 'events' | 'clock' | 'operator', 'entitlements'>,
  { audit, accessChanges, memberships }: Services,
): Tenants {
  const { database, systemDatabase, events, clock, operator } = deps

  const insert: Tenants['insert'] = async (unit, { name, slug }, actor) => {
    const row = await insertRow(unit, name, slug ? [slug] : slugCandidates(name))
    if (!row) throw problems.slug_taken()
    const { tenant_id: tenantId } = row
    await audit.record(unit, { tenantId, action: 'tenant.created', actor, subject: tenantId, details: { name } })
    return toTenant(row)
  }

  const addOwner: Tenants['addOwner'] = async (unit, { id: tenantId, name, slug }, ownerId, actor) => {
    const payload = { tenantId, name, slug, ownerId }
    await events.publish('identity.tenant.created', { tenantId, subject: tenantId, payload })
    return memberships.join(unit, { tenantId, userId: ownerId, roles: [OWNER] }, actor)
  }

  async function insertRow(unit: Unit, name: string, slugs: Iterable<string>): Promise<TenantRow | undefined> {
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

  const removeIn: Tenants['removeIn'] = async (unit, tenantId, actor) => {
    await unit.defer(TABLES.map(table => [`delete from ${table} where tenant_id = $1`, [tenantId]]))
    await audit.record(unit, { tenantId, action: 'tenant.deleted', actor, subject: tenantId })
    await events.publish('identity.tenant.deleted', { tenantId, subject: tenantId, payload: { tenantId } })
    accessChanges.revoked({ tenantId })
  }

  return {
    insert,
    addOwner,
    removeIn,
    withPlan: tenant => withPlan(deps, tenant),

    async create(input, caller) {
      const tenant = await systemDatabase
        .acrossTenants('a new tenant is created before any tenant context exists')
        .transaction(async unit => {
          const inserted = await insert(unit, input, actorOf(caller))
          await addOwner(unit, inserted, input.ownerId, actorOf(caller))
          return inserted
        })
      return withPlan(deps, tenant)
    },

    async find(idOrSlug) {
      const system = systemDatabase.acrossTenants('a request without a member names a workspace')
      const { rows } = await system.query<TenantRow>(
        `select ${COLUMNS} from identity_tenants where tenant_id = $1 or slug = $1`,
        [idOrSlug],
      )
      return rows[0] && toTenant(rows[0])
    },

    async get(tenantId) {
      const { rows } = await database
        .tenant(tenantId)
        .query<TenantRow>(`select ${COLUMNS} from identity_tenants where tenant_id = $1`, [tenantId])
      return withPlan(deps, toTenant(requireTenant(rows[0])))
    },

    async update(tenantId, patch, caller) {
      return database.tenant(tenantId).transaction(async unit => {
        const update = unit
          .query<TenantRow>(
            `update identity_tenants set name = coalesce($2, name), slug = coalesce($3, slug), updated_at = $4
             where tenant_id = $1 returning ${COLUMNS}`,
            [tenantId, patch.name ?? null, patch.slug ?? null, timeAt(clock)],
          )
          .catch(rethrowSlugTaken)
        const [{ rows }, plan] = await inOrder(update, deps.entitlements?.of(tenantId))
        const tenant = { ...toTenant(requireTenant(rows[0])), planKey: plan?.planKey ?? null }
        const { id, name, slug } = tenant
        const actor = actorOf(caller)
        await audit.record(unit, { tenantId, action: 'tenant.updated', actor, subject: id, details: { ...patch } })
        await events.publish('identity.tenant.updated', { tenantId, subject: id, payload: { tenantId, name, slug } })
        return tenant
      })
    },

    async remove(tenantId, caller) {
      if (tenantId === operator.tenantId) throw problems.operator_tenant()
      await database.tenant(tenantId).transaction(async unit => {
        await lockTenant(unit, tenantId)
        await removeIn(unit, tenantId, actorOf(caller))
      })
    },

    async list(userId, query) {
      const [after = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const { rows } = await systemDatabase
        .acrossTenants('a user lists all tenants they are a member of')
        .query<TenantRow>(
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

const UNIQUE_VIOLATION = '23505'

/** Row level security hides other tenants' slugs; the unique index still sees them. */
function rethrowSlugTaken(error: unknown): never {
  throw error instanceof Error && Reflect.get(error, 'code') === UNIQUE_VIOLATION ? problems.slug_taken() : error
}
