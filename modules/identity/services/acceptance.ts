/** From an invitation's link to a member. */
import { type Caller, common, type Deps, type Unit } from 'larder/kernel'
import { emailKey } from '../domain/email.ts'
import { type MailToken, readLinkToken } from '../domain/links.ts'
import { timeAt } from '../domain/time.ts'
import { problems } from '../problems.ts'
import type { Membership, Tenant } from '../schemas.ts'
import { type Audit, byCaller } from './audit.ts'
import { type InvitationRow, isExpired } from './invitations.ts'
import type { Memberships } from './memberships.ts'
import { lockTenant, type TenantRow, toTenant } from './tenant-record.ts'

export interface Accepted {
  readonly tenant: Tenant
  readonly membership: Membership
}
/** What a page may show to whoever holds the link. */
export interface Offer {
  readonly email: string
  readonly tenant: string
}
interface Parts {
  readonly audit: Audit
  readonly memberships: Memberships
}

export function createAcceptance(
  { database, clock, secrets, entitlements }: Deps<'database' | 'clock' | 'secrets', 'entitlements'>,
  { audit, memberships }: Parts,
) {
  const invitations = () => database.system('the invited is no member yet')

  function read(token: string): MailToken {
    const link = readLinkToken(secrets, 'invitation', token)
    if (!link) throw common.not_found({ what: 'invitation' })
    return link
  }

  /** The tenant's lock comes first, as everywhere: two orders of locks would wait for each other. */
  async function locked(unit: Unit, { id }: MailToken): Promise<InvitationRow> {
    const known = await unit.query<{ tenant_id: string }>('select tenant_id from identity_invitations where id = $1', [
      id,
    ])
    const tenantId = known.rows[0]?.tenant_id
    if (tenantId === undefined) throw common.not_found({ what: 'invitation' })
    await lockTenant(unit, tenantId)
    const { rows } = await unit.query<InvitationRow>('select * from identity_invitations where id = $1 for update', [
      id,
    ])
    if (!rows[0]) throw common.not_found({ what: 'invitation' })
    return rows[0]
  }

  async function mustBeFor(unit: Unit, row: InvitationRow, userId: string): Promise<void> {
    const { rows } = await unit.query<{ email_key: string }>('select email_key from identity_users where id = $1', [
      userId,
    ])
    if (rows[0]?.email_key !== row.email_key) throw problems.email_mismatch()
  }

  /** Again by the same person is the same answer; otherwise the member is new and the invitation is used up. */
  async function accept(token: string, caller: Caller): Promise<Accepted> {
    const link = read(token)
    return invitations().transaction(async unit => {
      const row = await locked(unit, link)
      await mustBeFor(unit, row, caller.userId)
      if (row.accepted_by !== caller.userId) mustBeOpen(row, link.version, clock.now())
      const member = { tenantId: row.tenant_id, userId: caller.userId, roles: row.roles }
      if (row.status === 'accepted') return { tenant: await tenantOf(unit, row), membership: await still(unit, member) }
      const by = byCaller(caller)
      await unit.query(
        `update identity_invitations set status = 'accepted', accepted_by = $2, accepted_at = $3, updated_at = $3
         where id = $1`,
        [row.id, caller.userId, timeAt(clock)],
      )
      // The seat that the invitation held is free now; after a downgrade it may be one too many.
      if (!(await memberships.find(unit, row.tenant_id, caller.userId)))
        await entitlements?.require(row.tenant_id, 'identity.seat')
      const membership = await memberships.join(unit, member, by)
      await audit.record(unit, { tenantId: row.tenant_id, action: 'invitation.accepted', by, subject: row.id })
      return { tenant: await tenantOf(unit, row), membership }
    })
  }

  /** Who was removed since cannot come back by the same link. */
  async function still(unit: Unit, { tenantId, userId }: { tenantId: string; userId: string }): Promise<Membership> {
    const membership = await memberships.find(unit, tenantId, userId)
    if (!membership) throw problems.invitation_used()
    return membership
  }

  async function tenantOf(unit: Unit, row: InvitationRow): Promise<Tenant> {
    const { rows } = await unit.query<TenantRow>('select * from identity_tenants where tenant_id = $1', [row.tenant_id])
    return toTenant(rows[0] as TenantRow)
  }

  return {
    accept,
    /** What the link offers. Throws as `accept` does, but for the reader, who may not be known. */
    async offer(token: string): Promise<Offer> {
      const link = read(token)
      const { rows } = await invitations().query<InvitationRow & { tenant: string }>(
        `select i.*, t.name as tenant from identity_invitations i
         join identity_tenants t on t.tenant_id = i.tenant_id where i.id = $1`,
        [link.id],
      )
      const [row] = rows
      if (!row) throw common.not_found({ what: 'invitation' })
      mustBeOpen(row, link.version, clock.now())
      return { email: row.email, tenant: row.tenant }
    },
    /** Whether this link lets its addressee register where registration is closed. */
    async admits(token: string, email: string): Promise<boolean> {
      const offer = await this.offer(token)
      return emailKey(offer.email) === emailKey(email)
    },
  }
}
export type Acceptance = ReturnType<typeof createAcceptance>

function mustBeOpen(row: InvitationRow, version: number, now: number): void {
  if (row.status === 'accepted') throw problems.invitation_used()
  if (row.status === 'revoked') throw problems.invitation_revoked()
  if (row.version !== version || isExpired(row, now)) throw problems.invitation_expired()
}
