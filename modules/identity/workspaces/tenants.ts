import {
  type Caller,
  type Deps,
  decodeCursor,
  isUniqueViolation,
  newId,
  type PageOf,
  pageLimit,
  type Step,
  together,
  toPage,
  type Unit,
} from '@larder-dev/larder/kernel'
import { type AuditActor, type AuditRecorder, actorOf } from '../audit/audit-log.ts'
import { OWNER } from '../domain/fixed-roles.ts'
import { slugCandidates } from '../domain/slug.ts'
import { timeAt } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import type { Memberships } from './members/memberships.ts'
import { workspaceProblems } from './problems.ts'
import { type Membership, type StoredTenant, type Tenant, tenantTable } from './records.ts'
import type { AccessChanges } from './roles/access-changes.ts'
import {
  lockMembersStep,
  lockTenant,
  onPlan,
  type PlanHolder,
  planHolderOf,
  withPlan,
  withPlans,
} from './tenant-record.ts'

export interface NewTenant {
  readonly name: string
  /** Derived from the name by default. */
  readonly slug?: string
  readonly ownerId: string
}
export interface Tenants {
  /** Creates a tenant without members: call `addOwner`. Throws `slug_taken` for an explicit slug that is in use. */
  insert(unit: Unit, tenant: Omit<NewTenant, 'ownerId'> & { readonly id?: string }, actor: AuditActor): Promise<Tenant>
  /** Completes a tenant that was inserted in the same unit. */
  addOwner(unit: Unit, tenant: Tenant, ownerId: string): Promise<Membership>
  /** Throws `one_workspace` in a product of people. */
  create(tenant: NewTenant, caller: Caller): Promise<Tenant>
  /** @param holder see `withPlan` */
  get(tenantId: string, holder?: PlanHolder): Promise<Tenant>
  /** Finds a tenant by its ID or its slug. */
  find(idOrSlug: string): Promise<Tenant | undefined>
  update(tenantId: string, patch: { name?: string; slug?: string }, caller: Caller): Promise<Tenant>
  /**
   * Deletes the tenant and its rows of identity, so that access ends at once. The job `identity.delete_tenant` deletes the
   * rows of all modules.
   */
  remove(tenantId: string, caller: Caller): Promise<void>
  /** The same in a unit that holds the tenant's lock. */
  removeIn(unit: Unit, tenantId: string, actor: AuditActor): Promise<void>
  /** Lists the tenants of a user. */
  list(userId: string, query: { limit?: number; cursor?: string }): Promise<PageOf<Tenant>>
  /** @param holder whose plan the tenant is shown with; by default its own */
  withPlan(tenant: Tenant, holder?: PlanHolder): Promise<Tenant>
}
type Needs = Deps<
  | 'database'
  | 'systemDatabase'
  | 'events'
  | 'clock'
  | 'operator'
  | 'product'
  | 'caches'
  | 'registry'
  | 'tenantSuspension',
  'entitlements'
> & {
  readonly audit: AuditRecorder
  readonly accessChanges: AccessChanges
  readonly memberships: Memberships
  readonly settings: Pick<IdentitySettings, 'customerRole'>
}
/** Their rows are deleted with the tenant, in this order. The audit log is retained. */
const TABLES = [
  'identity_sso_connections',
  'identity_sso_domains',
  'identity_invitations',
  'identity_roles',
  'identity_members',
  'identity_api_keys',
  'identity_tenants',
] as const

export function createTenants(deps: Needs): Tenants {
  const { database, systemDatabase, events, clock, operator, caches, registry, audit, accessChanges, memberships } =
    deps

  const insert: Tenants['insert'] = async (unit, { id: tenantId = newId('ten'), name, slug }, actor) => {
    const row = slug
      ? await insertRow(unit, tenantId, name, [slug])
      : ((await insertRow(unit, tenantId, name, slugCandidates(name))) ??
        (await insertRow(unit, tenantId, name, slugCandidates(name))))
    if (!row) throw workspaceProblems.slug_taken()
    await audit.record(unit, { tenantId, action: 'tenant.created', actor, subject: tenantId, details: { name } })
    return onPlan(row)
  }

  const addOwner: Tenants['addOwner'] = async (unit, { id: tenantId, name, slug }, ownerId) => {
    const payload = { tenantId, name, slug, ownerId }
    await events.publish('identity.tenant.created', { tenantId, subject: tenantId, payload })
    return memberships.insert(unit, { tenantId, userId: ownerId, roles: [OWNER] })
  }

  /** Uses the first slug that is free. Returns undefined if none is, or if another tenant took it at the same time. */
  async function insertRow(
    unit: Unit,
    tenantId: string,
    name: string,
    slugs: readonly string[],
  ): Promise<StoredTenant | undefined> {
    const [row] = await tenantTable.query(
      unit,
      `insert into identity_tenants (tenant_id, name, slug, created_at, updated_at)
       select $1, $2, slug, $4, $4 from unnest($3::text[]) with ordinality as candidates (slug, n)
       where not exists (select from identity_tenants t where t.slug = candidates.slug) order by n limit 1
       on conflict (slug) do nothing returning ${tenantTable.columns()}`,
      [tenantId, name, slugs, timeAt(clock)],
    )
    return row
  }

  const removeIn: Tenants['removeIn'] = async (unit, tenantId, actor) => {
    await unit.defer([
      lockMembersStep(tenantId, null),
      ...TABLES.map((table): Step => [`delete from ${table} where tenant_id = $1`, [tenantId]]),
    ])
    for (const { value: stopTenant } of registry.collect<(tenantId: string) => Promise<void>>('stopTenant'))
      await stopTenant(tenantId)
    await deps.tenantSuspension.forget(tenantId)
    await audit.record(unit, { tenantId, action: 'tenant.deleted', actor, subject: tenantId })
    await events.publish('identity.tenant.deleted', { tenantId, subject: tenantId, payload: { tenantId } })
    accessChanges.revoked({ tenantId })
    database.afterCommit(() => caches.dropTenant(tenantId))
  }

  return {
    insert,
    addOwner,
    removeIn,
    withPlan: (tenant, holder = tenant.id) => withPlan(deps, tenant, holder),

    async create(input, caller) {
      if (deps.product.audience === 'people') throw workspaceProblems.one_workspace()
      const { name, slug, ownerId } = input
      const actor = actorOf(caller)
      const id = newId('ten')
      return systemDatabase
        .acrossTenants('a new tenant is created before any tenant context exists')
        .transaction(async unit => {
          const { tenant, plan } = await together({
            tenant: insert(unit, { id, name, ...(slug !== undefined && { slug }) }, actor),
            plan: deps.entitlements?.of(id),
          })
          await addOwner(unit, tenant, ownerId)
          return onPlan(tenant, plan)
        })
    },

    async find(idOrSlug) {
      const system = systemDatabase.acrossTenants('a request without a member names a workspace')
      const [tenant] = await tenantTable.query(
        system,
        `select ${tenantTable.columns()} from identity_tenants where tenant_id = $1 or slug = $1`,
        [idOrSlug],
      )
      return tenant && onPlan(tenant)
    },

    async get(tenantId, holder = tenantId) {
      const { tenant, plan } = await together({
        tenant: tenantTable.get(database.tenant(tenantId), { id: tenantId }),
        plan: deps.entitlements?.of(holder),
      })
      return onPlan(tenant, plan)
    },

    async update(tenantId, patch, caller) {
      return database.tenant(tenantId).transaction(async unit => {
        const changes = { ...patch, updatedAt: timeAt(clock) }
        const { updated, plan } = await together({
          updated: tenantTable.update(unit, { id: tenantId }, changes).catch(rethrowSlugTaken),
          plan: deps.entitlements?.of(tenantId),
        })
        const tenant = onPlan(updated, plan)
        const { id, name, slug } = tenant
        const actor = actorOf(caller)
        await audit.record(unit, { tenantId, action: 'tenant.updated', actor, subject: id, details: { ...patch } })
        await events.publish('identity.tenant.updated', { tenantId, subject: id, payload: { tenantId, name, slug } })
        return tenant
      })
    },

    async remove(tenantId, caller) {
      if (tenantId === operator.tenantId) throw workspaceProblems.operator_tenant()
      await database.tenant(tenantId).transaction(async unit => {
        await lockTenant(unit, tenantId)
        await removeIn(unit, tenantId, actorOf(caller))
      })
    },

    async list(userId, query) {
      const [after = null] = decodeCursor(query.cursor, 1) ?? []
      const limit = pageLimit(query)
      const tenants = await tenantTable.query<{ memberId: string; roles: string[] }>(
        systemDatabase.acrossTenants('a user lists all tenants they are a member of'),
        `select ${tenantTable.columns('t')}, m.id as "memberId", m.roles from identity_tenants t
         join identity_members m on m.tenant_id = t.tenant_id
         where m.user_id = $1 and ($2::text is null or t.tenant_id > $2) order by t.tenant_id limit $3`,
        [userId, after, limit + 1],
      )
      const { data, nextCursor } = toPage(tenants, limit, ({ id }) => [id])
      const listed = await withPlans(deps, data, ({ id: tenantId, memberId: id, roles }) =>
        planHolderOf(deps.settings, { id, tenantId, userId, roles }),
      )
      return { data: listed.map(({ memberId: _member, roles: _roles, ...tenant }) => tenant), nextCursor }
    },
  }
}

/** Row level security hides other tenants' slugs; the unique index still sees them. */
function rethrowSlugTaken(error: unknown): never {
  throw isUniqueViolation(error) ? workspaceProblems.slug_taken() : error
}
