/** A user's own data: the export, and the deletion of the account. */
import { type Caller, common, type Deps, together, type Unit, withHeaders } from '@larder-dev/larder/kernel'
import { type AuditActor, type AuditRecorder, actorOf } from '../audit/audit-log.ts'
import { auditTable } from '../audit/records.ts'
import { OWNER } from '../domain/fixed-roles.ts'
import { timeAt } from '../domain/time.ts'
import type { ProfileValues } from '../ports.ts'
import type { AccessRevocation } from '../sign-in/access-revocation.ts'
import { createConcurrencyLimit } from '../sign-in/password/concurrency-limit.ts'
import type { Reauthentication } from '../sign-in/reauthentication.ts'
import { loginTable } from '../sign-in/records/login.ts'
import { identityTable } from '../sign-in/records/sign-in.ts'
import type { TrustedDevices } from '../sign-in/second-factor/trusted-devices.ts'
import type { Profiles } from '../users/profiles.ts'
import { accountTable } from '../users/records/account.ts'
import type { Users } from '../users/users.ts'
import { apiKeyTable } from '../workspaces/keys/records.ts'
import type { Memberships } from '../workspaces/members/memberships.ts'
import { memberProblems } from '../workspaces/members/problems.ts'
import { invitationTable } from '../workspaces/members/records/invitation.ts'
import { memberTable } from '../workspaces/records.ts'
import type { AccessChanges } from '../workspaces/roles/access-changes.ts'
import type { Tenants } from '../workspaces/tenants.ts'
import type { Erasures } from './erasure.ts'
import { MAX_EXPORTED_ROWS, type PersonalDataReader } from './personal-data.ts'
import {
  type AccountExport,
  exportedApiKey,
  exportedAuditEntry,
  exportedInvitation,
  exportedSignInMethod,
} from './records/export.ts'

/** The names of properties. */
const namesOf = <Name extends string>(properties: { readonly [_ in Name]: unknown }): Name[] =>
  Object.keys(properties) as Name[]

/** An export reads many rows, so one runs at a time. */
const EXPORTS = { concurrency: 1, maxWaiting: 50 }

export interface AccountData {
  /** Returns the user's data without secrets. Lists have the newest rows; audit entries are those that the user caused. */
  export(userId: string): Promise<AccountExport>
  /**
   * Deletes the user, their logins and API keys, and the workspaces in which they are alone, and erases their address and
   * name elsewhere. Throws `wrong_password` or `reauthentication_required`, and `last_owner` while another member of a workspace would have no owner.
   */
  remove(caller: Caller, password: string | undefined): Promise<void>
}
type Needs = Deps<'systemDatabase' | 'events' | 'clock' | 'operator'> & {
  readonly accessChanges: AccessChanges
  readonly accessRevocation: AccessRevocation
  readonly audit: AuditRecorder
  readonly erasures: Erasures
  readonly memberships: Memberships
  readonly reauthentication: Reauthentication
  readonly personalData: PersonalDataReader
  readonly profiles: Profiles
  readonly tenants: Tenants
  readonly trustedDevices: TrustedDevices
  readonly users: Users
}
interface MemberRow {
  id: string
  tenant_id: string
  roles: string[]
  others: number
  other_owners: number
}

const SIGN_IN_METHOD = identityTable.columns(undefined, namesOf(exportedSignInMethod))
const API_KEY = apiKeyTable.columns(undefined, namesOf(exportedApiKey))
const INVITATION = invitationTable.columns(undefined, namesOf(exportedInvitation))
const AUDIT_ENTRY = auditTable.columns(undefined, namesOf(exportedAuditEntry))

const LOCK_TENANTS = `select tenant_id from identity_tenants
  where tenant_id in (select tenant_id from identity_members where user_id = $1)
  order by tenant_id for no key update`

const SELECT_MEMBERSHIPS = `select m.id, m.tenant_id, m.roles,
    (select count(*)::int from identity_members o where o.tenant_id = m.tenant_id and o.id <> m.id) as others,
    (select count(*)::int from identity_members o
     where o.tenant_id = m.tenant_id and o.id <> m.id and $2 = any (o.roles)) as other_owners
  from identity_members m where m.user_id = $1 order by m.tenant_id`

const MAX_ATTEMPTS = 5
/** The user joined a workspace that another transaction has locked. Waiting for it could end in a deadlock. */
class MembershipsChanged extends Error {}

export function createAccountData({
  systemDatabase,
  events,
  clock,
  operator,
  accessChanges,
  accessRevocation,
  audit,
  erasures,
  memberships,
  personalData,
  profiles,
  reauthentication,
  tenants,
  trustedDevices,
  users,
}: Needs): AccountData {
  const oneExport = createConcurrencyLimit(EXPORTS)
  const acrossTenants = () => systemDatabase.acrossTenants('a user reads or deletes their own data in every tenant')

  /** The operator's tenant is never deleted. */
  const isAlone = ({ others, tenant_id }: MemberRow) => others === 0 && tenant_id !== operator.tenantId

  async function leave(unit: Unit, userId: string, member: MemberRow, actor: AuditActor): Promise<void> {
    const { id, tenant_id: tenantId, roles, other_owners: otherOwners } = member
    if (isAlone(member)) return tenants.removeIn(unit, tenantId, actor)
    if (roles.includes(OWNER) && otherOwners === 0) throw memberProblems.last_owner()
    await unit.defer([
      memberTable.deleteStep({ tenantId, id }),
      apiKeyTable.deleteStep({ tenantId, createdBy: userId }),
    ])
    await audit.record(unit, { tenantId, action: 'member.removed', actor, subject: id, details: { userId } })
    await events.publish('identity.member.removed', { tenantId, subject: id, payload: { memberId: id, userId } })
  }

  async function exportAccount(userId: string): Promise<AccountExport> {
    const unit = acrossTenants()
    const {
      user,
      profile,
      memberProfiles,
      joined,
      logins,
      devices,
      signInMethods,
      apiKeys,
      invitations,
      auditEntries,
    } = await together({
      user: users.get(userId),
      profile: profiles.ofUser(userId),
      memberProfiles: unit.query<{ tenantId: string; profile: ProfileValues }>(
        'select tenant_id as "tenantId", profile from identity_members where user_id = $1 order by id',
        [userId],
      ),
      joined: memberships.ofUser(userId),
      logins: loginTable.query(
        unit,
        `select ${loginTable.columns()} from identity_logins where user_id = $1 order by id`,
        [userId],
      ),
      devices: trustedDevices.list(userId),
      signInMethods: unit.query(
        `select ${SIGN_IN_METHOD} from identity_sign_in_identities where user_id = $1 order by id`,
        [userId],
      ),
      apiKeys: unit.query(`select ${API_KEY} from identity_api_keys where user_id = $1 order by id`, [userId]),
      invitations: unit.query(`select ${INVITATION} from identity_invitations where invited_by = $1 order by id`, [
        userId,
      ]),
      auditEntries: unit.query(
        `select ${AUDIT_ENTRY} from identity_audit where actor ->> 'userId' = $1 order by id desc limit ${MAX_EXPORTED_ROWS}`,
        [userId],
      ),
    })
    const tenantIds = joined.map(({ tenant }) => tenant.id)
    return {
      exportedAt: timeAt(clock),
      user,
      profile,
      memberProfiles: memberProfiles.rows.map(row => ({
        tenantId: row.tenantId,
        profile: profiles.memberFields()?.read(row.profile) ?? {},
      })),
      memberships: joined,
      logins: logins.map(({ extendedAt: lastUsedAt, ...login }) => ({ ...login, lastUsedAt })),
      trustedDevices: [...devices],
      signInMethods: plain(signInMethods.rows),
      apiKeys: plain(apiKeys.rows),
      invitations: plain(invitations.rows),
      auditEntries: plain(auditEntries.rows),
      data: plain(await personalData.read(unit, user, tenantIds)),
    }
  }

  /** The locks serialize this with changes of members in these tenants. See `lockTenant` for their order. */
  async function removeIn(unit: Unit, caller: Caller): Promise<void> {
    const { userId } = caller
    const actor = actorOf(caller)
    const {
      user,
      locked,
      memberships: { rows },
      revoked,
    } = await together({
      tenantLocks: unit.query(LOCK_TENANTS, [userId]),
      members: memberships.lockOf(unit, userId),
      // New memberships, API keys and logins wait from here on.
      user: unit.query('select from identity_users where id = $1 for update', [userId]),
      locked: unit.query<{ tenant_id: string }>(`${LOCK_TENANTS} skip locked`, [userId]),
      memberships: unit.query<MemberRow>(SELECT_MEMBERSHIPS, [userId, OWNER]),
      revoked: accessRevocation.revokeInvitations(unit, userId),
    })
    // A concurrent request has deleted the user.
    if (user.rowCount === 0) throw common.unauthenticated()
    if (locked.rows.length < rows.length) throw new MembershipsChanged()
    for (const member of rows) await leave(unit, userId, member, actor)
    // Those of a deleted workspace are deleted with it.
    const remaining = revoked.filter(({ tenantId }) => !rows.some(row => row.tenant_id === tenantId && isAlone(row)))
    await accessRevocation.announceInvitations(unit, remaining, actor)
    const { tenantId } = operator
    await audit.record(unit, { tenantId, action: 'user.deleted', actor, subject: userId })
    await events.publish('identity.user.deleted', { tenantId, subject: userId, payload: { userId } })
    const left = rows.filter(member => !isAlone(member)).map(member => member.tenant_id)
    await erasures.request(unit, userId, left)
    await unit.defer([['delete from identity_users where id = $1', [userId]]])
    accessChanges.revoked({ userId })
  }

  return {
    export: userId => oneExport(() => exportAccount(userId)),

    async remove(caller, password) {
      const { userId } = caller
      const account = await accountTable.find(acrossTenants(), { id: userId })
      if (!account) throw common.unauthenticated()
      await reauthentication.assert(caller, account, password, '/password')
      for (let attempt = 1; ; attempt++)
        try {
          return await acrossTenants().transaction(unit => removeIn(unit, caller))
        } catch (error) {
          if (!(error instanceof MembershipsChanged)) throw error
          if (attempt === MAX_ATTEMPTS) throw withHeaders(common.unavailable({ seconds: 1 }), { 'retry-after': '1' })
        }
    },
  }
}

/** The rows with dates as RFC 3339. */
const plain = <Row>(rows: readonly unknown[]): Row[] => JSON.parse(JSON.stringify(rows)) as Row[]
