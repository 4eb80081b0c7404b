import { idPattern, Nullable, named, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'

export const Tenant = named(
  'Tenant',
  Type.Object({
    id: Type.String({ pattern: idPattern('ten') }),
    name: Type.String(),
    slug: Type.String(),
    planKey: Nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Tenant = Static<typeof Tenant>

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

export const MembershipWithTenant = named(
  'MembershipWithTenant',
  Type.Object({ ...Membership.properties, tenant: Tenant }),
)
export type MembershipWithTenant = Static<typeof MembershipWithTenant>
