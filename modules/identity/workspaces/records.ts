import {
  bodyOf,
  idPattern,
  Nullable,
  named,
  type RecordOf,
  type Static,
  Timestamp,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { Name, Slug } from '../domain/fields.ts'

export const Tenant = named(
  'Tenant',
  Type.Object({
    id: Type.String({ pattern: idPattern('ten') }),
    name: Writable(Type.String(), Name),
    slug: Writable(Type.String(), Type.Optional(Slug)),
    planKey: Nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Tenant = Static<typeof Tenant>

export const NewTenant = Type.Object(bodyOf(Tenant.properties))
export const TenantPatch = Type.Partial(NewTenant)

/** Plans belong to another module. */
const { planKey: _plan, ...stored } = Tenant.properties
export const tenantTable = table('identity_tenants', Type.Object(stored), {
  what: 'workspace',
  columns: { id: 'tenant_id' },
})
export type StoredTenant = RecordOf<typeof tenantTable>

/** A member's own view of their membership. */
export const Membership = named(
  'Membership',
  Type.Object({
    id: Type.String(),
    tenantId: Type.String(),
    userId: Type.String(),
    roles: Type.Array(Type.String()),
    createdAt: Timestamp,
  }),
)
export type Membership = Static<typeof Membership>

export const memberTable = table('identity_members', Membership, { what: 'member', hidden: { updatedAt: Timestamp } })

export const MembershipWithTenant = named(
  'MembershipWithTenant',
  Type.Object({ ...Membership.properties, tenant: Tenant }),
)
export type MembershipWithTenant = Static<typeof MembershipWithTenant>
