/** Replies of the lists of customers and staff. */
import { idPattern, Nullable, named, OneOf, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'

/** By the time at which people joined, or by their address. `-`: descending. */
export const PeopleSort = OneOf(['createdAt', '-createdAt', 'email', '-email'])
export type PeopleSort = Static<typeof PeopleSort>

const person = {
  id: Type.String({ pattern: idPattern('mem') }),
  userId: Type.String({ pattern: idPattern('usr') }),
  email: Type.String(),
  name: Nullable(Type.String()),
  emailVerified: Type.Boolean(),
  lastSignInAt: Nullable(Timestamp),
  createdAt: Type.Unsafe<string>({ ...Timestamp, description: 'When the person joined' }),
}

export const Customer = named(
  'Customer',
  Type.Object({
    ...person,
    planKey: Nullable(Type.String({ description: 'Plan of the customer; null without the module billing' })),
    suspendedAt: Nullable(Timestamp),
    suspensionReason: Nullable(Type.String()),
  }),
)
export type Customer = Static<typeof Customer>

export const StaffMember = named('StaffMember', Type.Object({ ...person, roles: Type.Array(Type.String()) }))
export type StaffMember = Static<typeof StaffMember>
