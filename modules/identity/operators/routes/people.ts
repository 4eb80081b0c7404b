/** Customers and staff, in products of people. */
import { listOf, listQuery, route, Type } from '@larder-dev/larder/kernel'
import { MemberSearch } from '../../users/records/member.ts'
import { Customer, PeopleSort, StaffMember } from '../records/people.ts'
import type { OperatorServices } from '../services.ts'

const query = listQuery({ q: MemberSearch, sort: Type.Optional(PeopleSort) })
const email = Type.String({ maxLength: 254 })
/** Customers have neither: the check of the recipe refuses them. */
const allow = ['identity.member.read', 'identity.user.read_all'] as const

export function peopleRoutes({ customers: people, settings }: OperatorServices) {
  if (settings.customerRole === undefined) return []

  const customers = route({
    method: 'get',
    path: '/identity/customers',
    operationId: 'listCustomers',
    summary: 'Lists the customers, newest first: the members who have no other role than that of the registration.',
    allow,
    query,
    filters: { email },
    replies: { 200: listOf(Customer) },
    handle: ({ query, filters }) => people.customers({ ...query, ...filters }),
  })

  const staff = route({
    method: 'get',
    path: '/identity/staff',
    operationId: 'listStaff',
    summary: 'Lists the staff, newest first: the members who have another role than customers.',
    allow,
    query,
    filters: { email, role: Type.String({ maxLength: 64 }) },
    replies: { 200: listOf(StaffMember) },
    handle: ({ query, filters }) => people.staff({ ...query, ...filters }),
  })

  return [customers, staff]
}
