import {
  bodyOf,
  type Caller,
  common,
  type Deps,
  LanguageOf,
  listOf,
  listQuery,
  Nullable,
  named,
  reply,
  route,
  SECOND,
  Type,
} from '@larder-dev/larder/kernel'
import { actorOf } from '../../audit/audit-log.ts'
import { KnownPassword, NewPassword } from '../../domain/fields.ts'
import { OWNER } from '../../domain/fixed-roles.ts'
import { changePasswordLimits, sendVerificationLimits } from '../../domain/rate-limits.ts'
import { passwordProblems } from '../../sign-in/password/problems.ts'
import { Impersonation } from '../../sign-in/records/impersonation.ts'
import { Login } from '../../sign-in/records/login.ts'
import { User } from '../../users/records/account.ts'
import type { RecipeSchemas } from '../../users/records/recipe-schemas.ts'
import { ApiKey } from '../../workspaces/keys/records.ts'
import { MembershipWithTenant, Tenant } from '../../workspaces/records.ts'
import { type PlanHolder, planHolderOf } from '../../workspaces/tenant-record.ts'
import type { AccountServices } from '../services.ts'

const accountSchemas = ({ UserProfile }: RecipeSchemas) => ({
  Me: named(
    'Me',
    Type.Object({
      user: User,
      profile: UserProfile,
      workspace: Nullable(Tenant),
      role: Nullable(
        Type.String({ description: '`tenant.owner` if the caller has it, otherwise the first of `roles`' }),
      ),
      roles: Type.Array(Type.String()),
      permissions: Type.Array(Type.String(), { description: 'Patterns: `*`, `area.*`, `area.resource.*` or exact' }),
      platformPermissions: Type.Array(Type.String(), {
        description: 'Those of `permissions` that apply to the whole installation',
      }),
      apiKeys: Type.Array(ApiKey),
      impersonation: Nullable(Impersonation),
    }),
  ),
  Account: named(
    'Account',
    Type.Object({ user: User, profile: UserProfile, memberships: Type.Array(MembershipWithTenant) }),
  ),
  UpdatedAccount: named('UpdatedAccount', Type.Object({ user: User, profile: UserProfile })),
})
const ChangedPassword = named(
  'ChangedPassword',
  Type.Object({ user: User, token: Nullable(Type.String()), expiresIn: Type.Integer() }),
)
const EndedLogins = named('EndedLogins', Type.Object({ ended: Type.Integer() }))

/**
 * An account belongs to a user: API keys can't change it, and it needs no tenant. Its changes don't run in a unit of
 * the request's workspace, and no connection is held while a password is hashed.
 */
const ownAccount = { allow: 'user', apiKeys: false, unit: 'own' } as const

const callersPlan = ({ memberId, userId, isCustomer }: Caller, tenantId: string): PlanHolder =>
  isCustomer && memberId ? { tenantId, memberId, userId } : tenantId

export function accountRoutes({
  account,
  addressProofs,
  apiKeys,
  impersonations,
  logins,
  memberships,
  passwordChanges,
  profiles,
  rights,
  settings,
  tenants,
  users,
  product,
}: Deps<'product'> & AccountServices) {
  const { Me, Account, UpdatedAccount } = accountSchemas(profiles.schemas())

  /** Defaults to the user's home tenant. */
  async function currentWorkspace(caller: Caller, boundTenantId: string | undefined) {
    const named = caller.tenantId ?? boundTenantId
    const home = named === undefined ? (await memberships.ofUser(caller.userId))[0] : undefined
    const tenantId = named ?? home?.tenantId
    if (tenantId === undefined)
      return { workspace: null, role: null, roles: [], permissions: [], platformPermissions: [], apiKeys: [] }
    const [{ roles, tenant, platform }, keys, workspace] = await Promise.all([
      rights.ofCallerWithPlatform(caller, tenantId),
      apiKeys.list(tenantId, { createdBy: caller.userId, limit: 200 }),
      tenants.get(tenantId, home ? planHolderOf(settings, home) : callersPlan(caller, tenantId)),
    ])
    return {
      workspace,
      role: roles.includes(OWNER) ? OWNER : (roles[0] ?? null),
      roles,
      permissions: [...new Set([...tenant, ...platform])],
      platformPermissions: [...platform],
      apiKeys: keys.data,
    }
  }

  const me = route({
    method: 'get',
    path: '/me',
    operationId: 'getMe',
    summary: 'Returns the caller: user, profile, workspace, roles, permissions and own API keys.',
    allow: 'user',
    replies: { 200: Me },
    async handle({ caller }) {
      const { tenantId, ...impersonation } = (await impersonations.find(caller)) ?? {}
      const [user, profile, current] = await Promise.all([
        users.get(caller.userId),
        profiles.ofUser(caller.userId),
        currentWorkspace(caller, tenantId),
      ])
      return { user, profile, ...current, impersonation: 'by' in impersonation ? impersonation : null }
    },
  })

  const authMe = route({
    ...ownAccount,
    method: 'get',
    path: '/auth/me',
    operationId: 'getAccount',
    summary: 'Returns the current user and their memberships, oldest first.',
    replies: { 200: Account },
    async handle({ caller }) {
      const all = await memberships.ofUser(caller.userId)
      const withPlans = all.map(async membership => ({
        ...membership,
        tenant: await tenants.withPlan(membership.tenant, planHolderOf(settings, membership)),
      }))
      const [user, profile] = await Promise.all([users.get(caller.userId), profiles.ofUser(caller.userId)])
      return { user, profile, memberships: await Promise.all(withPlans) }
    },
  })

  const update = route({
    ...ownAccount,
    method: 'patch',
    path: '/auth/me',
    operationId: 'updateAccount',
    summary: 'Updates the name, language, time zone and profile of the current user.',
    body: Type.Object({
      ...bodyOf(User.properties),
      locale: Type.Optional(Nullable(LanguageOf(product.locales.available))),
      profile: Type.Optional(profiles.schemas().UserProfileChange),
    }),
    replies: { 200: UpdatedAccount },
    handle: ({ caller, body }) => account.update(caller, body),
  })

  const changePassword = route({
    ...ownAccount,
    method: 'post',
    path: '/auth/password/change',
    operationId: 'changePassword',
    summary: 'Changes the password. Ends all logins and returns a new one.',
    idempotent: false,
    description:
      'A user without a password gets one if they signed in within the last 10 minutes; `currentPassword` is left out then.',
    body: Type.Object({
      currentPassword: Type.Optional(KnownPassword),
      newPassword: NewPassword(settings.minLength),
    }),
    replies: { 200: ChangedPassword },
    problems: [passwordProblems.wrong_password, common.reauthentication_required],
    limits: changePasswordLimits,
    async handle({ caller, body, request }) {
      const login = await passwordChanges.changePassword(caller, body.currentPassword, body.newPassword, request)
      const user = await users.get(caller.userId)
      const expiresIn = Math.floor(settings.loginTtl / SECOND)
      return reply(200, { user, token: login.token ?? null, expiresIn }, login.headers)
    },
  })

  const sendVerification = route({
    ...ownAccount,
    method: 'post',
    path: '/auth/verify-email/send',
    operationId: 'sendVerificationEmail',
    summary: 'Sends the verification email again.',
    idempotent: false,
    replies: { 202: null },
    limits: sendVerificationLimits,
    handle: ({ caller }) => addressProofs.requestVerification(caller.userId),
  })

  const sessions = route({
    ...ownAccount,
    method: 'get',
    path: '/auth/sessions',
    operationId: 'listLogins',
    summary: "Lists the caller's logins.",
    query: listQuery(),
    replies: { 200: listOf(Login) },
    handle: ({ caller, query }) => logins.list(caller.userId, caller.principalId, query),
  })

  const endOthers = route({
    ...ownAccount,
    method: 'delete',
    path: '/auth/sessions',
    operationId: 'endOtherLogins',
    summary: "Ends all of the caller's logins except the one of this request.",
    replies: { 200: EndedLogins },
    handle: async ({ caller }) => ({
      ended: await logins.endOthers(caller.userId, caller.principalId, actorOf(caller)),
    }),
  })

  const revoke = route({
    ...ownAccount,
    method: 'delete',
    path: '/auth/sessions/:id',
    operationId: 'revokeLogin',
    summary: "Ends one of the caller's logins with its cookie and token.",
    replies: { 204: null },
    handle: ({ caller, params }) => logins.revoke(caller.userId, params.id, actorOf(caller)),
  })

  const all = [me, authMe, update, sendVerification, sessions, endOthers, revoke]
  return settings.passwords ? [...all, changePassword] : all
}
