/** Actions of operators for the users of the installation. Each is recorded in the audit log. */
import { type Deps, decodeCursor, type PageOf, pageLimit, together, toPage, type Unit } from '@larder-dev/larder/kernel'
import type { AuditActor, AuditRecorder } from '../audit/audit-log.ts'
import type { AddressProofs } from '../sign-in/address-proofs.ts'
import type { SignInIdentities } from '../sign-in/identities.ts'
import type { Logins } from '../sign-in/logins.ts'
import type { PasswordChanges } from '../sign-in/password-changes.ts'
import type { SignInWay } from '../sign-in/records/sign-in.ts'
import { userTable } from '../users/records/account.ts'
import { apiKeyTable, type StoredApiKey } from '../workspaces/keys/records.ts'
import type { UserApiKey } from './records/admin.ts'

export interface UserSupport {
  /** Emails a reset link to the user's address. Throws `not_found`. */
  sendPasswordReset(userId: string, actor: AuditActor): Promise<void>
  /** Emails a confirmation link, unless the address is confirmed. Throws `not_found`. */
  sendVerification(userId: string, actor: AuditActor): Promise<void>
  /** Ends all logins of the user. Throws `not_found`. */
  endLogins(userId: string, actor: AuditActor): Promise<void>
  /** The API keys that the user created in any workspace, newest first. */
  apiKeys(userId: string, query: { readonly limit?: number; readonly cursor?: string }): Promise<PageOf<UserApiKey>>
  /** Throws `not_found`. */
  signInMethods(userId: string): Promise<readonly SignInWay[]>
}
interface Tenant {
  readonly tenantId: string
  readonly tenantName: string
}
type Needs = Deps<'systemDatabase' | 'operator'> & {
  readonly addressProofs: AddressProofs
  readonly audit: AuditRecorder
  readonly identities: SignInIdentities
  readonly logins: Logins
  readonly passwordChanges: PasswordChanges
}

export function createUserSupport({
  systemDatabase,
  operator,
  addressProofs,
  audit,
  identities,
  logins,
  passwordChanges,
}: Needs): UserSupport {
  const users = () => systemDatabase.acrossTenants('an operator helps a user of the installation')

  async function emailOf(unit: Unit, userId: string): Promise<string> {
    return (await userTable.get(unit, { id: userId })).email
  }
  const record = (unit: Unit, action: string, actor: AuditActor, userId: string) =>
    audit.record(unit, { tenantId: operator.tenantId, action, actor, subject: userId, details: { userId } })

  return {
    async sendPasswordReset(userId, actor) {
      await users().transaction(async unit => {
        await passwordChanges.requestReset(await emailOf(unit, userId))
        await record(unit, 'password.requested', actor, userId)
      })
    },
    async sendVerification(userId, actor) {
      await users().transaction(async unit => {
        await emailOf(unit, userId)
        await addressProofs.requestVerification(userId)
        await record(unit, 'email.verification_sent', actor, userId)
      })
    },
    async endLogins(userId, actor) {
      await users().transaction(async unit => {
        await together({ user: emailOf(unit, userId), ended: logins.endAll(unit, userId, actor) })
      })
    },
    async apiKeys(userId, query) {
      const limit = pageLimit(query)
      const [before = null] = decodeCursor(query.cursor, 1) ?? []
      const rows = await apiKeyTable.query<Tenant>(
        users(),
        `select ${apiKeyTable.columns('k')}, t.tenant_id as "tenantId", t.name as "tenantName"
         from identity_api_keys k join identity_tenants t on t.tenant_id = k.tenant_id
         where k.user_id = $1 and ($2::text is null or k.id < $2) order by k.id desc limit $3`,
        [userId, before, limit + 1],
      )
      const { data, nextCursor } = toPage(rows, limit, ({ id }) => [id])
      return { data: data.map(toUserApiKey), nextCursor }
    },
    async signInMethods(userId) {
      await emailOf(users(), userId)
      return identities.list(userId)
    },
  }
}

const toUserApiKey = ({ tenantId, tenantName, ...apiKey }: StoredApiKey & Tenant): UserApiKey => ({
  ...apiKey,
  tenant: { id: tenantId, name: tenantName },
})
