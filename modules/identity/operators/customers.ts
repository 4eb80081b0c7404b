/** Customers and staff of a product of people, who are all members of the operator's workspace. */
import {
  common,
  type Deps,
  decodeCursor,
  foldedContaining,
  type PageOf,
  pageLimit,
  statement,
  toPage,
} from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { isCustomerSql } from '../domain/customers.ts'
import { iso, isoOrNull } from '../domain/time.ts'
import type { IdentitySettings } from '../options.ts'
import { LAST_SIGN_IN } from './directory.ts'
import type { Customer, PeopleSort, StaffMember } from './records/people.ts'

interface PeopleQuery {
  readonly limit?: number
  readonly cursor?: string
  /** Part of a name or an address. */
  readonly q?: string
  readonly sort?: PeopleSort
  readonly email?: string
}
export interface Customers {
  /** Members without another role than that of the registration. Newest first by default. */
  customers(query: PeopleQuery): Promise<PageOf<Customer>>
  /** Members with another role. Newest first by default. */
  staff(query: PeopleQuery & { readonly role?: string }): Promise<PageOf<StaffMember>>
  /** Throws `not_found`. */
  get(memberId: string): Promise<Customer>
}
interface Row {
  readonly id: string
  readonly userId: string
  readonly email: string
  readonly email_key: string
  readonly name: string | null
  readonly email_verified_at: Date | null
  readonly last_sign_in_at: Date | null
  readonly roles: string[]
  readonly created_at: Date
  readonly suspended_at: Date | null
  readonly suspension_reason: string | null
}

/** IDs are in the order of their times. */
const ORDERS = { createdAt: 'm.id', email: 'u.email_key' } as const

const SELECT = `select m.id, u.id as "userId", u.email, u.email_key, u.name, u.email_verified_at, m.roles, m.created_at,
     m.suspended_at, m.suspension_reason, ${LAST_SIGN_IN}
   from identity_members m join identity_users u on u.id = m.user_id`
const list = (key: string, isDescending: boolean) =>
  statement(
    `${SELECT} where m.tenant_id = $tenantId and ${isCustomerSql('m.roles', '$customerRole')} = $areCustomers
       and ($after::text is null or ${key} ${isDescending ? '<' : '>'} $after)
       and ($emailKey::text is null or u.email_key = $emailKey)
       and ($role::text is null or $role = any (m.roles))
       and ($words::text is null or larder_folded(u.email) like $words or larder_folded(u.name) like $words)
     order by ${key} ${isDescending ? 'desc' : ''} limit $limit`,
  )
const STATEMENTS = {
  createdAt: list(ORDERS.createdAt, false),
  '-createdAt': list(ORDERS.createdAt, true),
  email: list(ORDERS.email, false),
  '-email': list(ORDERS.email, true),
}

type Needs = Deps<'systemDatabase' | 'operator', 'entitlements'> & {
  readonly settings: Pick<IdentitySettings, 'customerRole'>
}

export function createCustomers({ systemDatabase, operator, entitlements, settings }: Needs): Customers {
  const all = () => systemDatabase.acrossTenants("operators list customers and staff; people's accounts have no tenant")

  async function page(
    areCustomers: boolean,
    { sort = '-createdAt', q, email, role, ...query }: PeopleQuery & { readonly role?: string },
  ): Promise<PageOf<Row>> {
    const limit = pageLimit(query)
    const [after = null] = decodeCursor(query.cursor, 1) ?? []
    const { rows } = await all().query<Row>(
      ...STATEMENTS[sort]({
        tenantId: operator.tenantId,
        customerRole: settings.customerRole ?? null,
        areCustomers,
        after,
        emailKey: email === undefined ? null : emailKey(email),
        role: role ?? null,
        words: q ? foldedContaining(q) : null,
        limit: limit + 1,
      }),
    )
    return toPage(rows, limit, row => [sort.endsWith('email') ? row.email_key : row.id])
  }

  async function toCustomers(rows: readonly Row[]): Promise<Customer[]> {
    const { tenantId } = operator
    const holders = rows.map(({ id: memberId, userId }) => ({ tenantId, memberId, userId }))
    const plans = await entitlements?.planKeys(holders)
    return rows.map(row => ({
      ...toPerson(row),
      planKey: plans?.get(row.id) ?? null,
      suspendedAt: isoOrNull(row.suspended_at),
      suspensionReason: row.suspension_reason,
    }))
  }

  return {
    async customers(query) {
      const { data, nextCursor } = await page(true, query)
      return { data: await toCustomers(data), nextCursor }
    },
    async get(memberId) {
      const { rows } = await all().query<Row>(`${SELECT} where m.tenant_id = $1 and m.id = $2`, [
        operator.tenantId,
        memberId,
      ])
      const [customer] = await toCustomers(rows)
      if (!customer) throw common.not_found({ what: 'customer' })
      return customer
    },
    async staff(query) {
      const { data, nextCursor } = await page(false, query)
      return { data: data.map(row => ({ ...toPerson(row), roles: row.roles })), nextCursor }
    },
  }
}

const toPerson = ({ id, userId, email, name, email_verified_at, last_sign_in_at, created_at }: Row) => ({
  id,
  userId,
  email,
  name,
  emailVerified: email_verified_at !== null,
  lastSignInAt: isoOrNull(last_sign_in_at),
  createdAt: iso(created_at),
})
