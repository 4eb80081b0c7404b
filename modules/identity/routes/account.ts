/** What a signed-in person sees and changes of their own. */
import { type Caller, type Deps, listOf, listQuery, Nullable, OneOf, reply, route, SECOND, Type } from 'larder/kernel'
import { OWNER } from '../domain/fixed-roles.ts'
import { changeLimits, claimLimits, verifyLimits } from '../domain/rate-limits.ts'
import { problems } from '../problems.ts'
import {
  ApiKey,
  KnownPassword,
  Login,
  Membership,
  MembershipOfTenant,
  Name,
  NewPassword,
  Tenant,
  User,
} from '../schemas.ts'
import { byCaller } from '../services/audit.ts'
import { cookieHeaders } from '../services/login-cookies.ts'

/** An account is a person's: no key acts on it, no tenant's unit surrounds it. */
const own = { allow: 'user', apiKeys: false, unit: 'own' } as const

export function accountRoutes({ identity, product }: Deps<'identity' | 'product'>) {
  const { account, apiKeys, claims, logins, memberships, rights, settings, tenants, users } = identity
  const cookies = cookieHeaders(product, settings)

  /** The workspace that the request names, else the person's own. */
  async function here(caller: Caller) {
    const tenantId = caller.tenantId ?? (await memberships.ofUser(caller.userId))[0]?.tenantId
    if (tenantId === undefined) return { workspace: null, role: null, roles: [], permissions: [], apiKeys: [] }
    const { roles, tenant, platform } = await rights.whole(caller, tenantId)
    const keys = await apiKeys.list(tenantId, { createdBy: caller.userId, limit: 200 })
    return {
      workspace: await tenants.get(tenantId),
      role: roles.includes(OWNER) ? OWNER : (roles[0] ?? null),
      roles,
      permissions: [...new Set([...tenant, ...platform])],
      apiKeys: keys.data,
    }
  }

  const me = route({
    method: 'get',
    path: '/me',
    summary: 'The caller: user, workspace, roles, permissions and the API keys they made.',
    allow: 'user',
    replies: {
      200: Type.Object({
        user: User,
        workspace: Nullable(Tenant),
        role: Nullable(Type.String({ description: 'The first of roles; tenant.owner if it is among them' })),
        roles: Type.Array(Type.String()),
        permissions: Type.Array(Type.String(), { description: 'Patterns: *, area.*, area.resource.* or exact' }),
        apiKeys: Type.Array(ApiKey),
      }),
    },
    handle: async ({ caller }) => ({ user: await users.get(caller.userId), ...(await here(caller)) }),
  })

  const authMe = route({
    ...own,
    method: 'get',
    path: '/auth/me',
    summary: 'The current user and their memberships, the own workspace first.',
    replies: { 200: Type.Object({ user: User, memberships: Type.Array(MembershipOfTenant) }) },
    async handle({ caller }) {
      const all = await memberships.ofUser(caller.userId)
      const shown = all.map(async one => ({ ...one, tenant: await tenants.shown(one.tenant) }))
      return { user: await users.get(caller.userId), memberships: await Promise.all(shown) }
    },
  })

  const update = route({
    ...own,
    method: 'patch',
    path: '/auth/me',
    summary: 'Changes name and language.',
    body: Type.Object({
      name: Type.Optional(Nullable(Name)),
      locale: Type.Optional(Nullable(OneOf(product.locales.available))),
    }),
    replies: { 200: Type.Object({ user: User }) },
    handle: async ({ caller, body }) => ({ user: await users.update(caller.userId, body) }),
  })

  const change = route({
    ...own,
    method: 'post',
    path: '/auth/password/change',
    summary: 'Sets a new password. Ends every sign-in and answers a new one in place of this.',
    idempotent: false,
    body: Type.Object({ currentPassword: KnownPassword, newPassword: NewPassword(settings.minLength) }),
    replies: {
      200: Type.Object({ user: User, token: Nullable(Type.String()), expiresIn: Type.Integer() }),
    },
    problems: [problems.wrong_password],
    limits: changeLimits,
    async handle({ caller, body, request }) {
      const login = await account.changePassword(caller, body.currentPassword, body.newPassword, request)
      const user = await users.get(caller.userId)
      const expiresIn = Math.floor(settings.loginTtl / SECOND)
      return reply(200, { user, token: login.token ?? null, expiresIn }, cookies.signedIn(login.cookie))
    },
  })

  const verify = route({
    ...own,
    method: 'post',
    path: '/auth/verify-email/send',
    summary: 'Mails the link again that proves the e-mail address.',
    idempotent: false,
    replies: { 202: null },
    limits: verifyLimits,
    handle: ({ caller }) => account.askToVerify(caller.userId),
  })

  const sessions = route({
    ...own,
    method: 'get',
    path: '/auth/sessions',
    summary: 'Where the caller is signed in.',
    query: listQuery(),
    replies: { 200: listOf(Login) },
    handle: ({ caller, query }) => logins.list(caller.userId, caller.principalId, query),
  })

  const revoke = route({
    ...own,
    method: 'delete',
    path: '/auth/sessions/:id',
    summary: 'Ends one of the caller’s sign-ins, its cookie and its token.',
    replies: { 204: null },
    handle: ({ caller, params }) => logins.revoke(caller.userId, params.id, byCaller(caller)),
  })

  const claim = route({
    ...own,
    method: 'post',
    path: '/auth/claim',
    summary: 'Makes the caller owner of this installation, by the code that its terminal showed.',
    idempotent: false,
    body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) }),
    replies: { 200: Type.Object({ membership: Membership }) },
    problems: [problems.invalid_claim],
    limits: claimLimits,
    handle: async ({ caller, body }) => ({ membership: await claims.claim(body.code, caller) }),
  })

  return [me, authMe, update, change, verify, sessions, revoke, claim]
}
