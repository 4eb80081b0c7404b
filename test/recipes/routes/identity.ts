import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { newId } from '../../../kernel/base/index.ts'
import { hashSecret, newPendingSecret } from '../../../modules/identity/domain/secrets.ts'
import { api, defineRequests, form, page } from './request.ts'
import type { Account, World } from './world.ts'

const NEW_PASSWORD = 'another correct horse battery staple'
interface Invited {
  readonly link: string
  readonly invitation: { readonly id: string }
}
interface Id {
  readonly id: string
}

async function invite(
  { owner, call }: Pick<World, 'owner' | 'call'>,
  email: string,
): Promise<{ readonly id: string; readonly token: string }> {
  const body = { email, roles: ['tenant.user'], sendEmail: false }
  const invited = await call<Invited & Id>(owner, 'POST', '/v1/identity/members/invite', body)
  return { id: invited.id ?? invited.invitation.id, token: new URL(invited.link).searchParams.get('token') ?? '' }
}
/** An API key of the owner's workspace. */
const keyOf = async (owner: World['owner'], call: World['call']): Promise<string> =>
  (await call<Id>(owner, 'POST', '/v1/identity/api-keys', { name: 'A key' })).id

/** A new member of the owner's workspace. */
async function join(world: World): Promise<string> {
  const account = await world.register()
  const { token } = await invite(world, account.email)
  const { membership } = await world.call<{ membership: Id }>(account, 'POST', '/v1/identity/invitations/accept', {
    token,
  })
  return membership.id
}
async function resetToken({ sql, link }: Pick<World, 'sql' | 'link'>, { userId }: Account): Promise<string> {
  const id = newId('rst')
  await sql(
    `insert into identity_password_resets (id, user_id, password_version, expires_at)
     select $1, id, password_version, now() + interval '1 hour' from identity_users where id = $2`,
    [id, userId],
  )
  return link('password_reset', id)
}
/** The token of a link to a new address. */
async function changeProof({ register, sql, link, email }: Pick<World, 'register' | 'sql' | 'link' | 'email'>) {
  const { userId, password } = await register()
  const [id, address] = [newId('emc'), email()]
  await sql(
    `insert into identity_email_changes (id, user_id, email, email_key, expires_at)
     values ($1, $2, $3, $3, now() + interval '1 hour')`,
    [id, userId, address],
  )
  return { token: link('email_change', id, 2), password }
}
/** The request of the app in the recipe. */
const APP_REQUEST = new URLSearchParams({
  redirect_uri: 'com.larder.app:/signed-in',
  code_challenge: createHash('sha256').update('a verifier').digest('base64url'),
})

/** A user with an address that is not verified. */
async function unverified({ call, email }: Pick<World, 'call' | 'email'>): Promise<string> {
  const account = { email: email(), password: NEW_PASSWORD }
  return (await call<{ user: Id }>(undefined, 'POST', '/v1/auth/register', account)).user.id
}
/** A way to sign in at the provider of the recipe's module. */
async function linkIdentity({ sql }: Pick<World, 'sql'>, { userId }: Account): Promise<string> {
  const id = newId('sid')
  await sql(
    `insert into identity_sign_in_identities (id, user_id, method, provider, subject, created_at)
     values ($1, $2, 'redirect', 'redirect', $1, now())`,
    [id, userId],
  )
  return id
}
/** A request for a code, with the code in the mail. */
async function emailCode({ sql, code }: Pick<World, 'sql' | 'code'>, { email }: Account) {
  const request = newId('scr')
  await sql(
    `insert into identity_email_codes (id, email, email_key, next, expires_at)
     values ($1, $2, lower($2), '/', now() + interval '1 hour')`,
    [request, email],
  )
  return { request, code: code('sign_in_code', request) }
}
/** A response to a challenge that no authenticator has signed. */
async function signedBy(account: Account | undefined, call: World['call'], options: string) {
  const { challenge } = await call<{ challenge: string }>(account, 'POST', options)
  const data = account ? { attestationObject: 'AAAA' } : { authenticatorData: 'AAAA', signature: 'AAAA' }
  const response = { clientDataJSON: 'e30', ...data }
  return {
    challenge,
    response: { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {}, response },
  }
}
const loginOf = ({ token, call }: Account & Pick<World, 'call'>) =>
  call<{ data: { id: string; current: boolean }[] }>(
    { headers: { authorization: `Bearer ${token}` } },
    'GET',
    '/v1/auth/sessions',
  ).then(({ data }) => data.find(({ current }) => current)?.id)
/** An account with an authenticator app, and the code that it shows. */
async function withApp({ register, call }: Pick<World, 'register' | 'call'>) {
  const account = await register()
  const { secret, enrollment } = await call<{ secret: string; enrollment: string }>(
    account,
    'POST',
    '/v1/auth/me/second-factor/enrollment',
  )
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const { recoveryCodes } = await call<{ recoveryCodes: string[] }>(account, 'PUT', '/v1/auth/me/second-factor', {
    enrollment,
    code: app.generate(),
  })
  return { account, recoveryCode: recoveryCodes[0] ?? '' }
}
/** A sign-in that waits for its second factor. */
async function pendingOf({ sql }: Pick<World, 'sql'>, { userId }: Account): Promise<string> {
  const secret = newPendingSecret()
  await sql(
    `insert into identity_pending_logins (id, secret_hash, user_id, password_version, token, expires_at)
     select $1, $2, id, password_version, true, now() + interval '10 minutes' from identity_users where id = $3`,
    [newId('slp'), hashSecret(secret), userId],
  )
  return secret
}
/** A started setup of an app, with its first code. */
async function setupOf({ call }: Pick<World, 'call'>, account: Account) {
  const path = '/v1/auth/me/second-factor/enrollment'
  const { secret, enrollment } = await call<{ secret: string; enrollment: string }>(account, 'POST', path)
  return { enrollment, code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() }
}
const createKey = ({ owner, call }: Pick<World, 'owner' | 'call'>) =>
  call<Id>(owner, 'POST', '/v1/identity/api-keys', { name: 'A key' }).then(({ id }) => id)
const createRole = async ({ owner, call }: Pick<World, 'owner' | 'call'>, key: string) => {
  await call(owner, 'POST', '/v1/identity/roles', { key, name: 'A role', permissions: ['identity.member.read'] })
  return key
}

/** An operator who acts as a new user. */
async function supportOf({ operator, register, call }: Pick<World, 'operator' | 'register' | 'call'>) {
  const { userId, tenantId } = await register()
  const body = { tenantId, reason: 'Ticket 4711: an import fails' }
  const path = `/v1/identity/admin/users/${userId}/impersonation`
  const { token } = await call<{ token: string }>(operator, 'POST', path, body)
  return { ...operator, headers: { authorization: `Bearer ${token}` } }
}

/** A provider that no request reaches. */
const SSO = { issuer: 'http://localhost:9', clientId: 'larder', clientSecret: 'a secret' }
/** The metadata of a provider that no request reaches, with a certificate of 100 years. */
const SAML_METADATA = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="acme">
<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>
MIICwjCCAaqgAwIBAgIQUtljVhQLbT3hOshpaIYF3jANBgkqhkiG9w0BAQsFADAaMRgwFgYDVQQDEw9sb2dpbi5hY21lLnRlc3Qw
IBcNMjYxMTI2MTcwMjA5WhgPMjEyNjExMDMxNzAyMDlaMBoxGDAWBgNVBAMTD2xvZ2luLmFjbWUudGVzdDCCASIwDQYJKoZIhvcN
AQEBBQADggEPADCCAQoCggEBAJboPY2+clxONaXO1fWlRTnB36XuxUx32LfmNVEerPw0+/3opR/waE/6OVi+ON1M1l3x7gIwQlkF
N9oJTnG9xY++OFGl3c8JypP4SqSJeQmq1lF0noUZ4JIAFXGF0ENVCzJOgCuRzp+uWjLDts7j7XUGnBAb2jetPQTWayjNjFyF4SYO
BSN0C3nnevgHHPXySvtxz/76O6eF+f47ztsaYKaSskpaZ/sZFbEJXtEqZdT1e6NNEMeuCybI7/rXMM5rel9VcHrzDpWsTEHzpI3s
HT27joFBBAbMA1z1yZdrIvw7Y8VTKk++nSiJaDVZ3zjkP5hIQKTbF6wqviF1QHCVVcsCAwEAAaMCMAAwDQYJKoZIhvcNAQELBQAD
ggEBAIlwWODfHdR/ckx3cep+EWZ/SYzYb+hcOPCw/Sltchpv+HSyycjCzWIOjuUtz9E/uVhLCBcWSJLi6l06xI76R9L8MmdzlDZF
sEJmgaxDC0ceflmalBxrf5zWvpm9hBLGDzohwGIzyO6KRKWKASNXu7WRVZjGJZYXNiCcT5EDlBSHSJcL3dHVVcLYBLRl+/8VHZYM
3N82G7C8a2lg9L6slQ2HclkXQOEZJtskfmOZoSuF3/lEjjN9TshKeBebe/1s2ER8kZ3XeGhO2ylCW/ps8anuFRDP26//16rD/xKo
CMn851g3eanwFtdcBwqRDfOPomNYhhMruufCVmoWox6viu4=
</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://login.acme.test"/>
</IDPSSODescriptor></EntityDescriptor>`
const ssoDomain = (run: string, n: number) => ({ domain: `acme-${run.replaceAll('_', '-')}-${n}.com` })

export const identity = defineRequests(
  async world => {
    const { owner, email } = world
    const memberId = await join(world)
    for (let n = 0; n < 20; n++) await invite(world, email())
    for (let n = 0; n < 20; n++) await createKey(world)
    for (let n = 0; n < 20; n++) await createRole(world, `team.seeded_${n}`)
    for (let n = 0; n < 10; n++) await world.signIn(owner)
    const apiKey = await createKey(world)
    const invitation = await invite(world, email())
    await world.call(owner, 'PUT', '/v1/identity/sso/connection', SSO)
    return {
      memberId,
      apiKey,
      invitation,
      run: `${process.pid}_${Date.now()}`,
      founder: await world.register(),
    }
  },
  {
    'POST /v1/auth/register': ({ email }) =>
      api(undefined, '/v1/auth/register', { email: email(), password: NEW_PASSWORD }),
    'POST /v1/auth/login': ({ owner }) =>
      api(undefined, '/v1/auth/login', { email: owner.email, password: owner.password }),
    'POST /v1/auth/login/:method': ({ owner }) => api(undefined, '/v1/auth/login/direct', { userId: owner.userId }),
    'POST /v1/auth/email-code': ({ email }) => api(undefined, '/v1/auth/email-code', { email: email() }),
    'POST /v1/auth/email-code/verify': async world =>
      api(undefined, '/v1/auth/email-code/verify', await emailCode(world, await world.register())),
    'POST /v1/auth/me/passkeys/options': ({ owner }) => api(owner, '/v1/auth/me/passkeys/options'),
    // Only an authenticator can sign a challenge.
    'POST /v1/auth/me/passkeys': async ({ owner, call }) =>
      api(owner, '/v1/auth/me/passkeys', await signedBy(owner, call, '/v1/auth/me/passkeys/options'), { status: 401 }),
    'POST /v1/auth/passkey/options': () => api(undefined, '/v1/auth/passkey/options'),
    'POST /v1/auth/passkey/verify': async ({ call }) =>
      api(undefined, '/v1/auth/passkey/verify', await signedBy(undefined, call, '/v1/auth/passkey/options'), {
        status: 401,
      }),
    'POST /v1/auth/app-code/verify': async ({ owner, sql }) => {
      const [code, codeVerifier] = [randomBytes(32), randomBytes(32)].map(bytes => bytes.toString('base64url'))
      await sql(
        `insert into identity_app_codes (code_hash, user_id, password_version, challenge, expires_at)
         select sha256($1::bytea), id, password_version, $3, now() + interval '1 minute' from identity_users where id = $2`,
        [
          Buffer.from(code ?? ''),
          owner.userId,
          createHash('sha256')
            .update(codeVerifier ?? '')
            .digest('base64url'),
        ],
      )
      return api(undefined, '/v1/auth/app-code/verify', { code, codeVerifier })
    },
    'POST /v1/auth/reauthenticate': ({ owner }) => api(owner, '/v1/auth/reauthenticate', { password: owner.password }),
    'POST /v1/auth/second-factor': async world => {
      const { account, recoveryCode } = await withApp(world)
      return api(undefined, '/v1/auth/second-factor', { pending: await pendingOf(world, account), code: recoveryCode })
    },
    'POST /v1/auth/second-factor/passkey': async world => {
      const proof = await signedBy(undefined, world.call, '/v1/auth/passkey/options')
      const pending = await pendingOf(world, await world.register())
      return api(undefined, '/v1/auth/second-factor/passkey', { pending, ...proof }, { status: 401 })
    },
    'POST /v1/auth/second-factor/enrollment': async world =>
      api(undefined, '/v1/auth/second-factor/enrollment', { pending: await pendingOf(world, await world.register()) }),
    'POST /v1/auth/second-factor/enroll': async world => {
      const account = await world.register()
      const proof = await setupOf(world, account)
      return api(undefined, '/v1/auth/second-factor/enroll', { pending: await pendingOf(world, account), ...proof })
    },
    'GET /v1/auth/me/second-factor': ({ owner }) => api(owner, '/v1/auth/me/second-factor'),
    'DELETE /v1/auth/me/second-factor/trusted-devices': ({ owner }) =>
      api(owner, '/v1/auth/me/second-factor/trusted-devices'),
    'POST /v1/auth/me/second-factor/enrollment': ({ owner }) => api(owner, '/v1/auth/me/second-factor/enrollment'),
    'PUT /v1/auth/me/second-factor': async world => {
      const account = await world.register()
      return api(account, '/v1/auth/me/second-factor', await setupOf(world, account))
    },
    'DELETE /v1/auth/me/second-factor': async world => api((await withApp(world)).account, '/v1/auth/me/second-factor'),
    'POST /v1/auth/me/recovery-codes': async world => api((await withApp(world)).account, '/v1/auth/me/recovery-codes'),
    // A new member has a workspace of their own, too.
    'DELETE /v1/identity/members/:id/second-factor': async world =>
      api(world.owner, `/v1/identity/members/${await join(world)}/second-factor`, undefined, { status: 409 }),
    'DELETE /v1/identity/admin/users/:id/second-factor': async world =>
      api(world.operator, `/v1/identity/admin/users/${(await withApp(world)).account.userId}/second-factor`),
    'GET /sign-in/second-factor': async world =>
      page(undefined, '/sign-in/second-factor', {
        headers: { cookie: `platform_pending=${await pendingOf(world, (await withApp(world)).account)}` },
      }),
    'POST /sign-in/second-factor': async world => {
      const { account, recoveryCode } = await withApp(world)
      return form(
        undefined,
        '/sign-in/second-factor',
        { code: recoveryCode },
        {
          headers: { cookie: `platform_pending=${await pendingOf(world, account)}` },
        },
      )
    },
    'GET /sign-in/confirm': ({ owner }) => page(owner, '/sign-in/confirm'),
    'POST /sign-in/confirm': ({ owner }) => form(owner, '/sign-in/confirm', { password: owner.password }),
    'GET /account/second-factor': ({ owner }) => page(owner, '/account/second-factor'),
    'POST /account/second-factor': ({ owner }) =>
      form(owner, '/account/second-factor', { intent: 'start' }, { status: 200 }),
    'GET /sign-in/passkey/script.js': () => api(undefined, '/sign-in/passkey/script.js'),
    'POST /v1/auth/impersonation/end': async world => api(await supportOf(world), '/v1/auth/impersonation/end'),
    'POST /v1/auth/logout': async ({ owner, signIn }) => api(await signIn(owner), '/v1/auth/logout'),
    'POST /v1/auth/password/forgot': ({ owner }) => api(undefined, '/v1/auth/password/forgot', { email: owner.email }),
    'POST /v1/auth/password/reset': async world => {
      const token = await resetToken(world, await world.register())
      return api(undefined, '/v1/auth/password/reset', { token, password: NEW_PASSWORD }, { status: 204 })
    },
    'POST /v1/auth/verify-email': async world =>
      api(undefined, '/v1/auth/verify-email', { token: world.link('verify_email', await unverified(world)) }),
    'GET /v1/me': ({ owner }) => api(owner, '/v1/me'),
    'GET /v1/auth/me': ({ owner }) => api(owner, '/v1/auth/me'),
    'PATCH /v1/auth/me': ({ owner }, n) => api(owner, '/v1/auth/me', { name: `Ada ${n}` }),
    'POST /v1/auth/email/change': async ({ register, email }) => {
      const account = await register()
      return api(account, '/v1/auth/email/change', { email: email(), password: account.password }, { status: 202 })
    },
    'GET /v1/auth/email/change': async ({ register, call, email }) => {
      const account = await register()
      await call(account, 'POST', '/v1/auth/email/change', { email: email(), password: account.password })
      return api(account, '/v1/auth/email/change')
    },
    'DELETE /v1/auth/email/change': ({ owner }) => api(owner, '/v1/auth/email/change'),
    'POST /v1/auth/email/confirm': async world => api(undefined, '/v1/auth/email/confirm', await changeProof(world)),
    'GET /v1/auth/methods': () => api(undefined, '/v1/auth/methods'),
    'GET /v1/auth/me/sign-in-methods': ({ owner }) => api(owner, '/v1/auth/me/sign-in-methods'),
    'PATCH /v1/auth/me/sign-in-methods/:id': async world => {
      const id = await linkIdentity(world, world.owner)
      return api(world.owner, `/v1/auth/me/sign-in-methods/${id}`, { label: 'Laptop' })
    },
    'DELETE /v1/auth/me/sign-in-methods/:id': async world => {
      const account = await world.register()
      const id = await linkIdentity(world, account)
      return api(account, `/v1/auth/me/sign-in-methods/${id}`, undefined, { status: 204 })
    },
    'GET /v1/auth/me/export': async ({ register }) => api(await register(), '/v1/auth/me/export'),
    'POST /v1/auth/me/delete': async ({ register }) => {
      const account = await register()
      return api(account, '/v1/auth/me/delete', { password: account.password })
    },
    'POST /v1/auth/password/change': async ({ register }) => {
      const account = await register()
      const body = { currentPassword: account.password, newPassword: NEW_PASSWORD }
      return api(account, '/v1/auth/password/change', body)
    },
    'POST /v1/auth/verify-email/send': ({ owner }) => api(owner, '/v1/auth/verify-email/send'),
    'GET /v1/auth/sessions': ({ owner }) => api(owner, '/v1/auth/sessions'),
    'DELETE /v1/auth/sessions': async ({ register }) => api(await register(), '/v1/auth/sessions'),
    'DELETE /v1/auth/sessions/:id': async ({ owner, signIn, call }) => {
      const id = await loginOf({ ...(await signIn(owner)), call })
      return api(owner, `/v1/auth/sessions/${id}`)
    },
    'POST /v1/auth/claim': async ({ operator, claimCode }) =>
      api({ ...operator, headers: { authorization: String(operator.headers.authorization) } }, '/v1/auth/claim', {
        code: await claimCode(),
      }),
    'POST /v1/identity/tenants': ({ founder }) => api(founder, '/v1/identity/tenants', { name: 'A workspace' }),
    'GET /v1/identity/tenants': ({ owner }) => api(owner, '/v1/identity/tenants'),
    'GET /v1/identity/tenants/:id': ({ owner }) => api(owner, `/v1/identity/tenants/${owner.tenantId}`),
    'PATCH /v1/identity/tenants/:id': ({ owner }, n) =>
      api(owner, `/v1/identity/tenants/${owner.tenantId}`, { name: `Workspace ${n}` }),
    'DELETE /v1/identity/tenants/:id': async ({ register }) => {
      const account = await register()
      return api(account, `/v1/identity/tenants/${account.tenantId}`)
    },
    'GET /v1/identity/admin/users': ({ operator }) => api(operator, '/v1/identity/admin/users?limit=20'),
    'GET /v1/identity/admin/users/:id': ({ operator, owner }) =>
      api(operator, `/v1/identity/admin/users/${owner.userId}`),
    'PATCH /v1/identity/admin/users/:id': async ({ operator, register }) =>
      api(operator, `/v1/identity/admin/users/${(await register()).userId}`, { profile: { phone: '030 1234' } }),
    'GET /v1/identity/admin/users/:id/logins': ({ operator, owner }) =>
      api(operator, `/v1/identity/admin/users/${owner.userId}/logins?limit=20`),
    'DELETE /v1/identity/admin/users/:id/logins/:loginId': async ({ operator, owner, signIn, call }) => {
      const id = await loginOf({ ...(await signIn(owner)), call })
      return api(operator, `/v1/identity/admin/users/${owner.userId}/logins/${id}`)
    },
    'DELETE /v1/identity/admin/users/:id/logins': async ({ operator, register }) =>
      api(operator, `/v1/identity/admin/users/${(await register()).userId}/logins`),
    'GET /v1/identity/admin/users/:id/api-keys': ({ operator, owner }) =>
      api(operator, `/v1/identity/admin/users/${owner.userId}/api-keys?limit=20`),
    'GET /v1/identity/admin/users/:id/sign-in-methods': ({ operator, owner }) =>
      api(operator, `/v1/identity/admin/users/${owner.userId}/sign-in-methods`),
    'POST /v1/identity/admin/users/:id/password-reset': ({ operator, owner }) =>
      api(operator, `/v1/identity/admin/users/${owner.userId}/password-reset`),
    'POST /v1/identity/admin/users/:id/verification': ({ operator, owner }) =>
      api(operator, `/v1/identity/admin/users/${owner.userId}/verification`),
    'POST /v1/identity/admin/users/:id/impersonation': async ({ operator, signIn, register }) => {
      const { userId, tenantId } = await register()
      const path = `/v1/identity/admin/users/${userId}/impersonation`
      return api(await signIn(operator), path, { tenantId, reason: 'Ticket 4711: an import fails' })
    },
    'GET /v1/identity/admin/tenants': ({ operator }) => api(operator, '/v1/identity/admin/tenants?limit=20'),
    'GET /v1/identity/admin/tenants/:id': ({ operator, owner }) =>
      api(operator, `/v1/identity/admin/tenants/${owner.tenantId}`),
    'POST /v1/identity/admin/tenants/:id/suspend': async ({ operator, register }) =>
      api(operator, `/v1/identity/admin/tenants/${(await register()).tenantId}/suspend`, { reason: 'Unpaid invoices' }),
    'POST /v1/identity/admin/tenants/:id/resume': async ({ operator, register, call }) => {
      const path = `/v1/identity/admin/tenants/${(await register()).tenantId}`
      await call(operator, 'POST', `${path}/suspend`, { reason: 'Unpaid invoices' })
      return api(operator, `${path}/resume`, { reason: 'Paid' })
    },
    'POST /v1/identity/admin/tenants/:id/delete': async ({ operator, register, signIn }) =>
      api(await signIn(operator), `/v1/identity/admin/tenants/${(await register()).tenantId}/delete`, {
        reason: 'Contract ended',
      }),
    'GET /v1/identity/admin/tenants/:id/members': ({ operator, owner }) =>
      api(operator, `/v1/identity/admin/tenants/${owner.tenantId}/members?limit=20`),
    'GET /v1/identity/admin/tenants/:id/roles': ({ operator, owner }) =>
      api(operator, `/v1/identity/admin/tenants/${owner.tenantId}/roles?limit=20`),
    'GET /v1/identity/admin/tenants/:id/api-keys': ({ operator, owner }) =>
      api(operator, `/v1/identity/admin/tenants/${owner.tenantId}/api-keys?limit=20`),
    'POST /v1/identity/tenants/:id/transfer': async world => {
      const account = await world.register()
      const other = await world.register()
      const { token } = await invite({ ...world, owner: account }, other.email)
      const accepted = await world.call<{ membership: Id }>(other, 'POST', '/v1/identity/invitations/accept', { token })
      return api(account, `/v1/identity/tenants/${account.tenantId}/transfer`, { memberId: accepted.membership.id })
    },
    'GET /v1/identity/members': ({ owner }) => api(owner, '/v1/identity/members'),
    'PATCH /v1/identity/members/:id': ({ owner, memberId }, n) =>
      api(owner, `/v1/identity/members/${memberId}`, { roles: [n % 2 ? 'tenant.user' : 'tenant.member'] }),
    'DELETE /v1/identity/members/:id': async world => api(world.owner, `/v1/identity/members/${await join(world)}`),
    'POST /v1/identity/members/invite': ({ owner, email }) =>
      api(owner, '/v1/identity/members/invite', { email: email(), roles: ['tenant.user'] }, { status: 201 }),
    'GET /v1/identity/invitations': ({ owner }) => api(owner, '/v1/identity/invitations?limit=20'),
    'DELETE /v1/identity/invitations/:id': async world =>
      api(world.owner, `/v1/identity/invitations/${(await invite(world, world.email())).id}`),
    'POST /v1/identity/invitations/:id/resend': async world =>
      api(world.owner, `/v1/identity/invitations/${(await invite(world, world.email())).id}/resend`, {}),
    'POST /v1/identity/invitations/accept': async world => {
      const account = await world.register()
      const { token } = await invite(world, account.email)
      return api(account, '/v1/identity/invitations/accept', { token })
    },
    'GET /v1/identity/roles': ({ owner }) => api(owner, '/v1/identity/roles'),
    // Few, because pages list all roles.
    'POST /v1/identity/roles': async ({ owner, run }, n) =>
      api(owner, '/v1/identity/roles', {
        key: `team.new_${run}_${n}`,
        name: 'A role',
        permissions: ['identity.member.read'],
      }),
    'PATCH /v1/identity/roles/:key': ({ owner }, n) =>
      api(owner, '/v1/identity/roles/team.seeded_0', { name: `Role ${n}` }),
    'DELETE /v1/identity/roles/:key': async (world, n) =>
      api(world.owner, `/v1/identity/roles/${await createRole(world, `team.old_${world.run}_${n}`)}`),
    'GET /v1/identity/permissions': ({ owner }) => api(owner, '/v1/identity/permissions'),
    'GET /v1/identity/api-keys': ({ owner }) => api(owner, '/v1/identity/api-keys?limit=20'),
    'POST /v1/identity/api-keys': ({ owner }) => api(owner, '/v1/identity/api-keys', { name: 'A key' }),
    'PATCH /v1/identity/api-keys/:id': ({ owner, apiKey }, n) =>
      api(owner, `/v1/identity/api-keys/${apiKey}`, { name: `Key ${n}` }),
    'DELETE /v1/identity/api-keys/:id': async world =>
      api(world.owner, `/v1/identity/api-keys/${await createKey(world)}`),
    'GET /v1/identity/audit': ({ owner }) => api(owner, '/v1/identity/audit?limit=20'),
    'GET /sign-in/:method': () => page(undefined, '/sign-in/redirect', { status: 302 }),
    'GET /sign-in/:method/callback': ({ owner }) =>
      page(undefined, `/sign-in/redirect/callback?code=${owner.userId}`, { status: 303 }),
    'POST /sign-in/:method/callback': ({ owner }) =>
      form(undefined, '/sign-in/redirect/callback', { code: owner.userId }, { status: 303 }),
    'GET /sign-in/app': ({ owner }) => page(owner, `/sign-in/app?${APP_REQUEST}`),
    'POST /sign-in/app': ({ owner }) => form(owner, '/sign-in/app', Object.fromEntries(APP_REQUEST), { status: 200 }),
    'GET /sign-in/switch': ({ owner }) => page(owner, '/sign-in/switch', { status: 303 }),
    'POST /sign-in/switch': ({ owner }) => form(owner, '/sign-in/switch', {}, { status: 303 }),
    'POST /v1/auth/reauthenticate/email-code': ({ owner }) =>
      api(owner, '/v1/auth/reauthenticate/email-code', undefined, { status: 422 }),
    'GET /sign-in/connect': ({ owner }) => page(owner, '/sign-in/connect', { status: 303 }),
    'POST /sign-in/connect': ({ owner }) => form(owner, '/sign-in/connect', {}),
    'GET /account/sign-in-methods/connect/:method': ({ owner }) =>
      page(owner, '/account/sign-in-methods/connect/redirect'),
    'GET /sign-in': () => page(undefined, '/sign-in'),
    'POST /sign-in': ({ owner }) => form(undefined, '/sign-in', { email: owner.email, password: owner.password }),
    'GET /sign-in/email-code': () => page(undefined, '/sign-in/email-code'),
    'POST /sign-in/email-code': ({ email }) =>
      form(undefined, '/sign-in/email-code', { email: email() }, { status: 200 }),
    'GET /sign-in/email-code/verify': () => page(undefined, '/sign-in/email-code/verify', { status: 303 }),
    'POST /sign-in/email-code/verify': async world =>
      form(undefined, '/sign-in/email-code/verify', await emailCode(world, await world.register())),
    'GET /sign-in/email-code/link': () => page(undefined, '/sign-in/email-code/link?token=x'),
    'POST /sign-in/email-code/link': async world => {
      const { request } = await emailCode(world, await world.register())
      return form(undefined, '/sign-in/email-code/link', { token: world.link('sign_in', request) })
    },
    'GET /sign-up': () => page(undefined, '/sign-up'),
    'POST /sign-up': ({ email }) => form(undefined, '/sign-up', { email: email(), password: NEW_PASSWORD }),
    'GET /account': ({ owner }) => page(owner, '/account'),
    'POST /account': ({ owner }, n) => form(owner, '/account', { name: `Ada ${n}` }),
    'GET /account/details': ({ owner }) => page(owner, '/account/details'),
    'POST /account/details': ({ owner }, n) => form(owner, '/account/details', { 'profile.phone': `030 ${n}` }),
    'GET /workspace/members/:id/details': ({ owner, memberId }) =>
      page(owner, `/workspace/members/${memberId}/details`),
    'POST /workspace/members/:id/details': ({ owner, memberId }, n) =>
      form(owner, `/workspace/members/${memberId}/details`, { 'profile.position': `Engineer ${n}` }),
    'GET /account/email': ({ owner }) => page(owner, '/account/email', { status: 303 }),
    'POST /account/email': async ({ register, email }) => {
      const account = await register()
      return form(account, '/account/email', { intent: 'request', email: email(), password: account.password })
    },
    'GET /welcome': ({ owner }) => page(owner, '/welcome'),
    'GET /account/deleted': () => page(undefined, '/account/deleted'),
    'GET /account/data': ({ owner }) => page(owner, '/account/data'),
    'POST /account/data': async ({ register }) => {
      const account = await register()
      return form(account, '/account/data', { password: account.password })
    },
    'GET /change-email': () => page(undefined, '/change-email?token=x'),
    'POST /change-email': async world => form(undefined, '/change-email', await changeProof(world), { status: 200 }),
    'GET /account/sign-in-methods': ({ owner }) => page(owner, '/account/sign-in-methods'),
    'POST /account/sign-in-methods': async world => {
      const account = await world.register()
      return form(account, '/account/sign-in-methods', { id: await linkIdentity(world, account) })
    },
    'GET /account/verify': ({ owner }) => page(owner, '/account/verify', { status: 303 }),
    'POST /account/verify': ({ owner }) => form(owner, '/account/verify', {}),
    'GET /account/password': ({ owner }) => page(owner, '/account/password'),
    'POST /account/password': async ({ register }) => {
      const account = await register()
      return form(account, '/account/password', { currentPassword: account.password, newPassword: NEW_PASSWORD })
    },
    'GET /account/logins': ({ owner }) => page(owner, '/account/logins'),
    'POST /account/logins': async ({ owner, signIn, call }) =>
      form(owner, '/account/logins', { id: String(await loginOf({ ...(await signIn(owner)), call })) }),
    'GET /impersonation/end': () => page(undefined, '/impersonation/end', { status: 303 }),
    'POST /impersonation/end': () => form(undefined, '/impersonation/end', {}),
    'GET /sign-out': ({ owner }) => page(owner, '/sign-out'),
    'POST /sign-out': async ({ owner, signIn }) => form(await signIn(owner), '/sign-out', {}),
    'GET /account/workspaces': ({ owner }) => page(owner, '/account/workspaces'),
    'POST /account/workspaces': ({ owner }) => form(owner, '/account/workspaces', { id: owner.tenantId }),
    'GET /account/workspaces/new': ({ owner }) => page(owner, '/account/workspaces/new'),
    'POST /account/workspaces/new': ({ founder }) => form(founder, '/account/workspaces/new', { name: 'A workspace' }),
    'GET /account/api-keys': ({ owner }) => page(owner, '/account/api-keys', { status: 303 }),
    'GET /account/checklist': ({ owner }) => page(owner, '/account/checklist', { status: 303 }),
    'POST /account/checklist': ({ owner }) => form(owner, '/account/checklist', {}),
    'GET /workspace': ({ owner }) => page(owner, '/workspace', { status: 303 }),
    'GET /workspace/settings': ({ owner }) => page(owner, '/workspace/settings'),
    'POST /workspace/settings': ({ owner, run }, n) =>
      form(owner, '/workspace/settings', {
        name: `Workspace ${n}`,
        slug: `workspace-${run.replaceAll('_', '-')}-${n}`,
      }),
    'GET /workspace/members': ({ owner }) => page(owner, '/workspace/members'),
    'POST /workspace/members': ({ owner, email }) =>
      form(owner, '/workspace/members', { intent: 'invite', emails: email(), role: 'tenant.user' }, { status: 200 }),
    'GET /workspace/members/:id': ({ owner, memberId }) => page(owner, `/workspace/members/${memberId}`),
    'POST /workspace/members/:id': ({ owner, memberId }, n) =>
      form(owner, `/workspace/members/${memberId}`, {
        intent: 'roles',
        [n % 2 ? 'role:tenant.user' : 'role:tenant.member']: '1',
      }),
    'GET /workspace/roles': ({ owner }) => page(owner, '/workspace/roles'),
    'GET /workspace/roles/new': ({ owner }) => page(owner, '/workspace/roles/new'),
    'POST /workspace/roles/new': async ({ owner, run }, n) =>
      form(owner, '/workspace/roles/new', { name: `Role ${run} ${n}` }),
    'GET /workspace/roles/:key': ({ owner }) => page(owner, '/workspace/roles/team.seeded_1'),
    'POST /workspace/roles/:key': ({ owner }, n) =>
      form(owner, '/workspace/roles/team.seeded_1', { name: `Role ${n}` }),
    'GET /workspace/api-keys': ({ owner }) => page(owner, '/workspace/api-keys'),
    'POST /workspace/api-keys': ({ owner }) => form(owner, '/workspace/api-keys', { name: 'A key' }, { status: 200 }),
    'GET /workspace/api-keys/:id': async ({ owner, call }) =>
      page(owner, `/workspace/api-keys/${await keyOf(owner, call)}`),
    'POST /workspace/api-keys/:id': async ({ owner, call }) =>
      form(owner, `/workspace/api-keys/${await keyOf(owner, call)}`, { name: 'A key', days: 'keep' }),
    'GET /workspace/invitations': ({ owner }) => page(owner, '/workspace/invitations'),
    'POST /workspace/invitations': async world => {
      const { id } = await invite(world, world.email())
      return form(world.owner, '/workspace/invitations', { intent: 'revoke', id })
    },
    'GET /v1/identity/sso/connection': ({ owner }) => api(owner, '/v1/identity/sso/connection'),
    'PUT /v1/identity/sso/connection': ({ owner }) => api(owner, '/v1/identity/sso/connection', SSO),
    'PUT /v1/identity/sso/connection/saml': async ({ register }) =>
      api(await register(), '/v1/identity/sso/connection/saml', { metadata: SAML_METADATA }),
    'PATCH /v1/identity/sso/connection': ({ owner }) => api(owner, '/v1/identity/sso/connection', { enabled: false }),
    'DELETE /v1/identity/sso/connection': async ({ register, call }) => {
      const account = await register()
      await call(account, 'PUT', '/v1/identity/sso/connection', SSO)
      return api(account, '/v1/identity/sso/connection')
    },
    'POST /v1/identity/sso/connection/test': ({ owner }) => api(owner, '/v1/identity/sso/connection/test'),
    'GET /v1/identity/sso/domains': ({ owner }) => api(owner, '/v1/identity/sso/domains'),
    'POST /v1/identity/sso/domains': async ({ register, run }, n) =>
      api(await register(), '/v1/identity/sso/domains', ssoDomain(run, n)),
    // Only a name server can verify a domain.
    'POST /v1/identity/sso/domains/:id/verify': ({ owner }) =>
      api(owner, `/v1/identity/sso/domains/${newId('ssd')}/verify`, undefined, { status: 404 }),
    'DELETE /v1/identity/sso/domains/:id': async ({ register, call, run }, n) => {
      const account = await register()
      const { id } = await call<Id>(account, 'POST', '/v1/identity/sso/domains', ssoDomain(run, n))
      return api(account, `/v1/identity/sso/domains/${id}`)
    },
    'GET /sign-in/sso/:workspace/metadata': ({ owner }) => api(undefined, `/sign-in/sso/${owner.tenantId}/metadata`),
    // A response that answers no request.
    'GET /sign-in/sso/:workspace/callback': ({ owner }) =>
      page(undefined, `/sign-in/sso/${owner.tenantId}/callback`, { status: 303 }),
    'POST /sign-in/sso/:workspace/acs': ({ owner }) =>
      form(undefined, `/sign-in/sso/${owner.tenantId}/acs`, { SAMLResponse: '' }, { status: 303 }),
    'GET /workspace/sso': ({ owner }) => page(owner, '/workspace/sso'),
    'POST /workspace/sso': ({ owner }) => form(owner, '/workspace/sso', { intent: 'turn-off' }),
    'GET /workspace/sso/test': ({ owner }) => page(owner, '/workspace/sso/test', { status: 303 }),
    'GET /sign-in/single-sign-on': () => page(undefined, '/sign-in/single-sign-on'),
    'POST /sign-in/single-sign-on': ({ email }) => form(undefined, '/sign-in/single-sign-on', { email: email() }),
    'GET /sign-in/single-sign-on/continue': () => page(undefined, '/sign-in/single-sign-on/continue'),
    'GET /workspace/audit': ({ owner }) => page(owner, '/workspace/audit'),
    'GET /claim': ({ owner }) => page(owner, '/claim'),
    'POST /claim': async ({ operator, claimCode }) => form(operator, '/claim', { code: await claimCode() }),
    'GET /invitations/accept': ({ invitation }) => page(undefined, `/invitations/accept?token=${invitation.token}`),
    'POST /invitations/accept': async world => {
      const account = await world.register()
      const { token } = await invite(world, account.email)
      return form(account, '/invitations/accept', { token })
    },
    'GET /forgot-password': () => page(undefined, '/forgot-password'),
    'POST /forgot-password': ({ owner }) =>
      form(undefined, '/forgot-password', { email: owner.email }, { status: 200 }),
    'GET /reset-password': () => page(undefined, '/reset-password?token=x'),
    'POST /reset-password': async world => {
      const token = await resetToken(world, await world.register())
      return form(undefined, '/reset-password', { token, password: NEW_PASSWORD })
    },
    'GET /verify-email': () => page(undefined, '/verify-email?token=x'),
    'POST /verify-email': async world =>
      form(undefined, '/verify-email', { token: world.link('verify_email', await unverified(world)) }, { status: 200 }),
  },
)
