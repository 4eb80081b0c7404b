/**
 * The accounts of people whom the provider of a workspace identified. The workspace has verified the domain of their
 * address, so the provider decides about addresses of this domain, and about no others.
 */
import { type Deps, emailKey, Problem, together, type Unit } from '@larder-dev/larder/kernel'
import { domainOf } from '../../domain/email-domains.ts'
import { firstRoles, nextRoles } from '../../domain/sso-roles.ts'
import { assertSubject } from '../../domain/subjects.ts'
import { timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import { problems } from '../../problems.ts'
import { accountTable, type StoredAccount } from '../../records/account.ts'
import type { AuditActor, AuditRecorder } from '../access/audit-log.ts'
import type { Roles } from '../access/roles.ts'
import type { Account } from '../account/account.ts'
import type { Registration } from '../account/registration.ts'
import type { ProviderLoginOptions } from '../providers/provider-accounts.ts'
import type { AddressLogin } from '../sign-in/address-sign-in.ts'
import type { ProvedIdentity, SignInIdentities } from '../sign-in/identities.ts'
import type { LoginOrigin, Logins } from '../sign-in/logins.ts'
import { SSO } from '../sign-in/sign-in-methods.ts'
import type { Members } from '../workspace/members.ts'
import type { Memberships } from '../workspace/memberships.ts'
import { requireSeat } from '../workspace/seats.ts'
import { lockTenant } from '../workspace/tenant-record.ts'
import { providerOf, type SsoConnections } from './sso-connections.ts'
import type { SsoPerson } from './sso-method.ts'

export interface SsoAccounts {
  /**
   * Signs in. The first time, creates the account or links it, and makes the person a member. Throws
   * `sso_wrong_address`, `sso_other_person`, `subject_too_long` and `entitlement_exceeded` without a free seat.
   */
  signIn(person: SsoPerson, origin: LoginOrigin, options: ProviderLoginOptions): Promise<AddressLogin>
}
type Needs = Deps<'systemDatabase' | 'clock', 'entitlements'> & {
  readonly audit: AuditRecorder
  readonly account: Account
  readonly identities: SignInIdentities
  readonly logins: Logins
  readonly members: Members
  readonly memberships: Memberships
  readonly registration: Registration
  readonly roles: Roles
  readonly settings: IdentitySettings
  readonly ssoConnections: SsoConnections
}

export function createSsoAccounts(deps: Needs): SsoAccounts {
  const { systemDatabase, clock, audit, account, identities, logins, members, memberships, registration } = deps
  const { roles, settings, ssoConnections } = deps
  const users = () => systemDatabase.acrossTenants('people sign in before their tenant is known')

  async function assertCovered({ sso }: SsoPerson, email: string): Promise<void> {
    const domain = domainOf(email)
    if (domain === undefined || !(await ssoConnections.covers(sso.tenantId, domain))) throw problems.sso_wrong_address()
  }

  /** The account of the person, linked to them. Undefined if there is none. */
  const findAccount = (email: string, identity: ProvedIdentity, person: SsoPerson) =>
    users().transaction(async (unit): Promise<StoredAccount | undefined> => {
      const known = await identities.use(unit, identity)
      if (known) {
        const stored = await accountTable.get(unit, { id: known.userId })
        // The address of the account can have changed to one that isn't the workspace's.
        await assertCovered(person, stored.email)
        return stored
      }
      const stored = await accountTable.find(unit, { emailKey: emailKey(email) })
      if (!stored || stored.emailVerifiedAt === null) return stored
      // The provider may have given the address to somebody else.
      if (await identities.hasOther(unit, stored.id, identity)) throw problems.sso_other_person()
      await identities.add(unit, stored.id, identity, actorFor(stored.id))
      return stored
    })

  /** Roles that still exist. */
  async function mappedBy({ sso, groups }: SsoPerson) {
    const known = new Set((await roles.all(sso.tenantId)).map(({ key }) => key))
    const mappings = sso.roleMappings.filter(({ role }) => known.has(role))
    const { defaultRole } = sso
    return {
      mappings,
      groups,
      defaultRole: defaultRole !== null && known.has(defaultRole) ? defaultRole : settings.defaultRole,
    }
  }

  /** An invitation of the person is accepted, so that it doesn't keep a second seat. Returns its roles. */
  async function acceptInvitation(unit: Unit, tenantId: string, userId: string): Promise<readonly string[]> {
    const { rows } = await unit.query<{ id: string; roles: string[] }>(
      `update identity_invitations i set status = 'accepted', accepted_by = u.id, accepted_at = $3, updated_at = $3
       from identity_users u where u.id = $2 and i.tenant_id = $1 and i.email_key = u.email_key
         and i.status = 'pending' and i.expires_at > $3 returning i.id, i.roles`,
      [tenantId, userId, timeAt(clock)],
    )
    for (const { id } of rows)
      await audit.record(unit, { tenantId, action: 'invitation.accepted', actor: actorFor(userId), subject: id })
    return rows.flatMap(({ roles }) => roles)
  }

  async function joinOrUpdate(unit: Unit, person: SsoPerson, userId: string): Promise<void> {
    const { tenantId, syncRoles } = person.sso
    const mapped = await mappedBy(person)
    const { membership } = await together({
      lock: lockTenant(unit, tenantId),
      membership: memberships.find(unit, tenantId, userId),
    })
    if (!membership) {
      const invited = await acceptInvitation(unit, tenantId, userId)
      await requireSeat(deps, tenantId)
      const roles = [...new Set([...firstRoles(mapped), ...invited])]
      await memberships.add(unit, { tenantId, userId, roles }, actorFor(userId))
    } else if (syncRoles) {
      const { id, roles: current } = membership
      await members.applyRoles(unit, tenantId, id, nextRoles(current, mapped), actorFor(userId))
    }
  }

  return {
    async signIn(person, origin, { locale, ...options }) {
      const { sso, subject, name } = person
      const { tenantId } = sso
      const email = person.email ?? ''
      await assertCovered(person, email)
      assertSubject(subject)
      const identity = { method: SSO, provider: providerOf(sso), subject, email }
      const start = async (stored: StoredAccount): Promise<AddressLogin> => {
        let current = stored
        if (stored.emailVerifiedAt === null) {
          await account.claimByAddress(stored)
          current = (await findAccount(email, identity, person)) ?? stored
        }
        const { id: userId, passwordVersion } = current
        await users().transaction(unit => joinOrUpdate(unit, person, userId))
        const login = await logins.start({ userId, passwordVersion }, origin, { ...options, verifiedBy: tenantId })
        return { userId, email: current.email, login }
      }
      const known = await findAccount(email, identity, person)
      if (known) return start(known)
      try {
        const join = (unit: Unit, userId: string) => joinOrUpdate(unit, person, userId)
        return await registration.registerProved({ email, locale, name, identity, join }, origin, options)
      } catch (error) {
        // A concurrent request has created the account.
        const created =
          Problem.is(error) && error.code === 'email_taken' ? await findAccount(email, identity, person) : undefined
        if (!created) throw error
        return start(created)
      }
    },
  }
}

const actorFor = (userId: string): AuditActor => ({ kind: 'system', id: 'single sign-on', userId })
