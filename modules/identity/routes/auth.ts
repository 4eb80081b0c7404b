/** Coming in and going out. */
import { type Deps, Nullable, reply, route, SECOND, Type } from 'larder/kernel'
import { forgotLimits, linkLimits, loginLimits, registerLimits } from '../domain/rate-limits.ts'
import { problems } from '../problems.ts'
import { ApiKey, Email, KnownPassword, LinkToken, Membership, Name, NewPassword, Tenant, User } from '../schemas.ts'
import { byCaller } from '../services/audit.ts'
import { cookieHeaders } from '../services/login-cookies.ts'

/** No answer of these is kept for a repeat: they hold secrets, and a sign-in happens once. */
const common = { idempotent: false, unit: 'own' } as const

const SignedIn = {
  user: User,
  token: Type.String({ description: 'Dashboard token: Authorization: Bearer dt_…' }),
  expiresIn: Type.Integer({ description: 'Seconds that the sign-in lasts without being used' }),
  workspace: Nullable(Tenant),
}

export function authRoutes({ identity, product }: Deps<'identity' | 'product'>) {
  const { account, logins, memberships, registration, settings, signIn, users, tenants } = identity
  const cookies = cookieHeaders(product, settings)
  const expiresIn = Math.floor(settings.loginTtl / SECOND)

  const register = route({
    ...common,
    method: 'post',
    path: '/auth/register',
    summary: 'Makes an account, a workspace of its own, and signs in.',
    allow: 'public',
    body: Type.Object({
      email: Email,
      password: NewPassword(settings.minLength),
      name: Type.Optional(Name),
      workspaceName: Type.Optional(Name),
      invitation: Type.Optional(LinkToken),
    }),
    replies: { 201: Type.Object({ ...SignedIn, membership: Nullable(Membership), apiKey: Nullable(ApiKey) }) },
    problems: [problems.email_taken, problems.registration_closed],
    limits: registerLimits,
    async handle({ body, request }) {
      const { login, ...made } = await registration.register(body, request, { token: true })
      const workspace = made.workspace && (await tenants.shown(made.workspace))
      const headers = { location: '/v1/auth/me', ...cookies.signedIn(login.cookie) }
      return reply(201, { ...made, workspace, token: login.token, expiresIn }, headers)
    },
  })

  const login = route({
    ...common,
    method: 'post',
    path: '/auth/login',
    summary: 'Signs in: sets the session cookie and answers a dashboard token.',
    allow: 'public',
    body: Type.Object({ email: Email, password: KnownPassword }),
    replies: { 200: Type.Object(SignedIn) },
    problems: [problems.invalid_credentials],
    limits: loginLimits,
    async handle({ body, caller, request }) {
      const proof = await signIn.prove(body.email, body.password)
      const old = caller?.credential === 'cookie' ? caller.principalId : undefined
      const made = await logins.start(proof, request, { token: true, old })
      const [home] = await memberships.ofUser(proof.userId)
      const workspace = home ? await tenants.get(home.tenantId) : null
      const user = await users.get(proof.userId)
      return reply(200, { user, token: made.token, expiresIn, workspace }, cookies.signedIn(made.cookie))
    },
  })

  const logout = route({
    ...common,
    method: 'post',
    path: '/auth/logout',
    summary: 'Ends the sign-in of the caller, its cookie and its token; quiet where there is none.',
    allow: 'public',
    replies: { 204: null },
    async handle({ caller }) {
      if (caller?.kind === 'login') await logins.signOut(caller.userId, caller.principalId, byCaller(caller))
      return reply(204, undefined, cookies.signedOut)
    },
  })

  const forgot = route({
    ...common,
    method: 'post',
    path: '/auth/password/forgot',
    summary: 'Mails a link to set a new password, if there is such an account; the answer never says.',
    allow: 'public',
    body: Type.Object({ email: Email }),
    replies: { 202: null },
    limits: forgotLimits,
    async handle({ body }) {
      await account.forgot(body.email)
    },
  })

  const reset = route({
    ...common,
    method: 'post',
    path: '/auth/password/reset',
    summary: 'Sets a new password by the link in the mail. Ends every sign-in.',
    allow: 'public',
    body: Type.Object({ token: LinkToken, password: NewPassword(settings.minLength) }),
    replies: { 204: null },
    problems: [problems.link_expired],
    limits: linkLimits,
    async handle({ body }) {
      await account.reset(body.token, body.password)
      return reply(204, undefined, cookies.signedOut)
    },
  })

  const verify = route({
    ...common,
    method: 'post',
    path: '/auth/verify-email',
    summary: 'Proves an e-mail address by the link in the mail; again is fine.',
    allow: 'public',
    body: Type.Object({ token: LinkToken }),
    replies: { 204: null },
    problems: [problems.link_expired],
    limits: linkLimits,
    async handle({ body }) {
      await account.verifyEmail(body.token)
    },
  })

  return [register, login, logout, forgot, reset, verify]
}
