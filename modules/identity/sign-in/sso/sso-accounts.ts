/**
 * The accounts of people whom the provider of a workspace identified. The workspace has verified the domain of their
 * address, so the provider decides about addresses of this domain, and about no others.
 */
import { type Caller, type Deps, Problem, together, type Unit } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { type AuditActor, actorOf } from '../../audit/audit-log.ts'
import { isCustomer } from '../../domain/customers.ts'
import { domainOf } from '../../domain/email-domains.ts'
import { OWNER } from '../../domain/fixed-roles.ts'
import { timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import { accountTable, type StoredAccount } from '../../users/records/account.ts'
import type { Members } from '../../workspaces/members/members.ts'
import type { Memberships } from '../../workspaces/members/memberships.ts'
import { requireSeat } from '../../workspaces/members/seats.ts'
import type { Roles } from '../../workspaces/roles/roles.ts'
import { lockTenant } from '../../workspaces/tenant-record.ts'
import type { AddressProofs } from '../address-proofs.ts'
import type { ProvedIdentity, SignInIdentities } from '../identities.ts'
import type { LoginOrigin } from '../logins.ts'
import { signInProblems } from '../problems.ts'
import { assertSubject } from '../providers/domain/subjects.ts'
import type { ProviderLoginOptions } from '../providers/provider-accounts.ts'
import type { Registration } from '../registration.ts'
import type { FinishedSignIn, SignInCompletion } from '../sign-in-completion.ts'
import { SSO } from '../sign-in-methods.ts'
import { firstRoles, nextRoles } from './domain/sso-roles.ts'
import { ssoProblems } from './problems.ts'
import { providerOf, type SsoConnections } from './sso-connections.ts'
import type { SsoPerson } from './sso-method.ts'
import type { SsoRequirement } from './sso-requirement.ts'

export interface SsoAccounts {
  /**
   * Signs in. The first time, creates the account or links it, and makes the person a member. Returns the person if
   * they must prove their account first: it isn't linked yet, and has the rights of an owner or operator. Throws `sso_wrong_address`,
   * `sso_invalid_address`, `sso_unverified_address`, `sso_other_person`, `sso_former_address`, `invalid_subject`, `subject_too_long` and
   * `entitlement_exceeded` without a free seat.
   */
  signIn(
    person: SsoPerson,
    origin: LoginOrigin,
    options: ProviderLoginOptions,
  ): Promise<FinishedSignIn | { readonly prove: ProvedSsoPerson }>
  /** Links the person to the account of the caller, which has their address. Throws `sso_other_account` and `sso_off`. */
  link(caller: Caller, person: ProvedSsoPerson): Promise<void>
}
/** A person whom the provider of a workspace identified, until they have proved their account. */
export interface ProvedSsoPerson extends ProvedIdentity {
  readonly email: string
  readonly tenantId: string
}
type Needs = Deps<'systemDatabase' | 'clock' | 'operator', 'entitlements'> & {
  readonly addressProofs: AddressProofs
  readonly identities: SignInIdentities
  readonly members: Members
  readonly memberships: Memberships
  readonly registration: Registration
  readonly roles: Roles
  readonly settings: IdentitySettings
  readonly signInCompletion: SignInCompletion
  readonly ssoConnections: SsoConnections
  readonly ssoRequirement: SsoRequirement
}

export function createSsoAccounts(deps: Needs): SsoAccounts {
  const { systemDatabase, clock, operator, addressProofs, identities, members, memberships, registration } = deps
  const { roles, settings, signInCompletion, ssoConnections, ssoRequirement } = deps
  const users = () => systemDatabase.acrossTenants('people sign in before their tenant is known')

  const isCovered = async (tenantId: string, email: string): Promise<boolean> => {
    const domain = domainOf(email)
    return domain !== undefined && (await ssoConnections.covers(tenantId, domain))
  }

  /** The rights of an owner or operator need more than the word of one workspace's provider. */
  async function isPrivileged(unit: Unit, userId: string): Promise<boolean> {
    const { rowCount } = await unit.query(
      `select from identity_members where user_id = $1 and ($2 = any (roles) or tenant_id = $3) limit 1`,
      [userId, OWNER, operator.tenantId],
    )
    return rowCount > 0
  }

  async function openKnown(unit: Unit, userId: string, { sso }: SsoPerson): Promise<StoredAccount> {
    const stored = await accountTable.get(unit, { id: userId })
    // The address of the account can have changed to one that isn't the workspace's.
    if (await isCovered(sso.tenantId, stored.email)) return stored
    if (sso.required && (await ssoRequirement.isBound(unit, sso.tenantId, userId))) return stored
    throw ssoProblems.sso_wrong_address()
  }

  /** A member whose address changed must not get a second account, nor somebody else the address of a member. */
  async function assertNoFormerMember(
    unit: Unit,
    { tenantId, email }: ProvedSsoPerson,
    { sso }: Pick<SsoPerson, 'sso'>,
    userId: string | undefined,
  ): Promise<void> {
    if (sso.required && (await ssoRequirement.hadBound(unit, tenantId, email, userId)))
      throw ssoProblems.sso_former_address()
  }

  /** The account of the person, linked to them. Undefined if there is none, and null if they must prove it first. */
  const findAccount = (identity: ProvedSsoPerson, person: SsoPerson) =>
    users().transaction(async (unit): Promise<StoredAccount | null | undefined> => {
      const known = await identities.use(unit, identity)
      if (known) return openKnown(unit, known.userId, person)
      if (person.isVerified === false) throw ssoProblems.sso_unverified_address()
      const stored = await accountTable.find(unit, { emailKey: emailKey(identity.email) })
      await assertNoFormerMember(unit, identity, person, stored?.id)
      if (!stored) return undefined
      const isUnproved = stored.emailVerifiedAt === null
      // Nobody has proved the address of the account, and this person has.
      if (isUnproved && person.isVerified) return stored
      // The provider may have given the address to somebody else.
      if (!isUnproved && (await identities.hasOther(unit, stored.id, identity))) throw ssoProblems.sso_other_person()
      if (await isPrivileged(unit, stored.id)) return null
      if (isUnproved) return stored
      await memberships.lockOf(unit, stored.id)
      await identities.add(unit, stored.id, identity, actorFor(stored.id))
      return stored
    })

  const linkClaimed = (userId: string, identity: ProvedIdentity & { readonly email: string }): Promise<StoredAccount> =>
    users().transaction(async unit => {
      const { stored } = await together({
        members: memberships.lockOf(unit, userId),
        stored: accountTable.get(unit, { id: userId }, { lock: true }),
      })
      // Its address can have changed since it was found.
      if (emailKey(stored.email) !== emailKey(identity.email)) throw ssoProblems.sso_other_account()
      if (!(await identities.use(unit, identity))) await identities.add(unit, userId, identity, actorFor(userId))
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

  /** An invitation of the person is accepted, so that it doesn't keep a second seat. */
  async function acceptInvitation(unit: Unit, tenantId: string, userId: string) {
    const { rows } = await unit.query<{ id: string; roles: string[] }>(
      `update identity_invitations i set status = 'accepted', accepted_by = u.id, accepted_at = $3, updated_at = $3
       from identity_users u where u.id = $2 and i.tenant_id = $1 and i.email_key = u.email_key
         and i.status = 'pending' and i.expires_at > $3 returning i.id, i.roles`,
      [tenantId, userId, timeAt(clock)],
    )
    return rows[0]
  }

  async function joinOrUpdate(unit: Unit, person: SsoPerson, userId: string): Promise<void> {
    const { tenantId, syncRoles } = person.sso
    const mapped = await mappedBy(person)
    const { membership } = await together({
      lock: lockTenant(unit, tenantId),
      membership: memberships.find(unit, tenantId, userId),
    })
    // Single sign-on is for the staff of a product of people: a customer who uses it joins them.
    if (membership && isCustomer(settings, membership.roles)) {
      const invited = await acceptInvitation(unit, tenantId, userId)
      const joined = [...membership.roles, ...firstRoles(mapped), ...(invited?.roles ?? [])]
      await members.applyRoles(unit, tenantId, membership.id, [...new Set(joined)], actorFor(userId))
    } else if (!membership) {
      const invited = await acceptInvitation(unit, tenantId, userId)
      await requireSeat(deps, tenantId)
      const roles = [...new Set([...firstRoles(mapped), ...(invited?.roles ?? [])])]
      await memberships.add(unit, { tenantId, userId, roles, invitationId: invited?.id }, actorFor(userId))
    } else if (syncRoles) {
      const { id, roles: current } = membership
      await members.applyRoles(unit, tenantId, id, nextRoles(current, mapped), actorFor(userId))
    }
  }

  return {
    async signIn(person, origin, { locale, ...given }) {
      const { sso, subject, name, email, authenticatedAt } = person
      const { tenantId } = sso
      const options = { ...given, authenticatedAt, tenantId }
      if (email === undefined) throw ssoProblems.sso_invalid_address()
      if (!(await isCovered(tenantId, email))) throw ssoProblems.sso_wrong_address()
      assertSubject(subject)
      const identity: ProvedSsoPerson = { method: SSO, provider: providerOf(sso), subject, email, tenantId }
      const start = async (stored: StoredAccount): Promise<FinishedSignIn> => {
        let current = stored
        if (stored.emailVerifiedAt === null) {
          await addressProofs.claimByAddress(stored)
          current = await linkClaimed(stored.id, identity)
        }
        const { id: userId, email, passwordVersion } = current
        await users().transaction(unit => joinOrUpdate(unit, person, userId))
        const proved = { ...options, verifiedBy: tenantId }
        return signInCompletion.finish({ userId, email, passwordVersion }, origin, proved)
      }
      const known = await findAccount(identity, person)
      if (known !== undefined) return known ? start(known) : { prove: identity }
      try {
        const join = (unit: Unit, userId: string) => joinOrUpdate(unit, person, userId)
        return await registration.registerProved({ email, locale, name, identity, join }, origin, options)
      } catch (error) {
        // A concurrent request has created the account.
        const created =
          Problem.is(error) && error.code === 'email_taken' ? await findAccount(identity, person) : undefined
        if (created === undefined) throw error
        return created ? start(created) : { prove: identity }
      }
    },

    async link(caller, person) {
      const { tenantId, email } = person
      const connection = await ssoConnections.ofTenant(tenantId)
      const isCurrent = connection && providerOf(connection) === person.provider
      if (!isCurrent || !(await ssoConnections.isActive(connection))) throw ssoProblems.sso_off()
      if (!(await isCovered(tenantId, email))) throw ssoProblems.sso_wrong_address()
      await users().transaction(async unit => {
        const { stored } = await together({
          members: memberships.lockOf(unit, caller.userId),
          stored: accountTable.get(unit, { id: caller.userId }, { lock: true }),
        })
        if (emailKey(stored.email) !== emailKey(email)) throw ssoProblems.sso_other_account()
        const known = await identities.use(unit, person)
        if (known?.userId === caller.userId) return
        if (known) throw signInProblems.identity_taken()
        await assertNoFormerMember(unit, person, { sso: connection }, caller.userId)
        if (await identities.hasOther(unit, caller.userId, person)) throw ssoProblems.sso_other_person()
        await identities.add(unit, caller.userId, person, actorOf(caller))
        // The person has proved the account, and the provider its address.
        const emailVerifiedAt = stored.emailVerifiedAt ?? timeAt(clock)
        await unit.defer([accountTable.updateStep({ id: caller.userId }, { emailVerifiedAt })])
      })
    },
  }
}

const actorFor = (userId: string): AuditActor => ({ kind: 'system', id: 'single sign-on', userId })
