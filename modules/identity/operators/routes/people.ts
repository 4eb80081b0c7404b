/** Customers and staff, in products of people. */
import { common, listOf, listQuery, NameOf, route, Type } from '@larder-dev/larder/kernel'
import { MemberSearch } from '../../users/records/member.ts'
import { memberProblems } from '../../workspaces/members/problems.ts'
import { Customer, PeopleSort, StaffMember } from '../records/people.ts'
import type { OperatorServices } from '../services.ts'

const query = listQuery({ q: MemberSearch, sort: Type.Optional(PeopleSort) })
const email = Type.String({ maxLength: 254 })
/** Customers have neither: the check of the recipe refuses them. */
const allow = ['identity.member.read', 'identity.user.read_all'] as const

/** Staff acts for a customer. */
const change = {
  allow: 'identity.customer.suspend',
  body: Type.Object({ reason: NameOf(500) }, { examples: [{ reason: 'Unpaid invoices' }] }),
  replies: { 200: Customer },
  problems: [common.not_found, memberProblems.not_a_customer],
  // People's accounts have no tenant.
  unit: 'own',
} as const

export function peopleRoutes({ customers: people, customerSuspensions, settings }: OperatorServices) {
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

  const suspend = route({
    method: 'post',
    path: '/identity/customers/:id/suspend',
    operationId: 'suspendCustomer',
    summary: 'Suspends a customer until they are reinstated. Recorded in the audit log.',
    description:
      'They and their API keys get 403 `customer_suspended`, their sockets close, and their imports and automations end. They can still sign in, export their data and delete their account. They get an email with the reason. Suspending them again changes nothing.',
    ...change,
    handle: ({ params, body, caller }) => customerSuspensions.suspend(params.id, body.reason, caller),
  })

  const reinstate = route({
    method: 'post',
    path: '/identity/customers/:id/reinstate',
    operationId: 'reinstateCustomer',
    summary: 'Reinstates a suspended customer. Recorded in the audit log.',
    description: "They get an email. Reinstating a customer who isn't suspended changes nothing.",
    ...change,
    handle: ({ params, body, caller }) => customerSuspensions.reinstate(params.id, body.reason, caller),
  })

  return [customers, staff, suspend, reinstate]
}
