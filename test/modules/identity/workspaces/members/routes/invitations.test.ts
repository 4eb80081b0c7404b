import test from 'ava'
import { DAY, MINUTE } from '../../../../../../kernel/base/units.ts'
import { linkToken } from '../../../../../../modules/identity/domain/links.ts'
import { TEST_PASSWORD, type TestKernel } from '../../../../../../testing/index.ts'
import type { Invitation } from '../../../../../fixtures/api-types.ts'
import { withPeople } from '../../../../../fixtures/with-people.ts'
import {
  codeOf,
  colleague,
  fieldErrors,
  identityRecipe,
  inviteLink,
  newEmail,
  role,
  startIdentity,
  tokenOf,
} from '../../../fixtures.ts'
import { visitor } from '../../../pages/forms.ts'
import { tokenIn, verify } from '../../../pages/mail-tokens.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

const { kernel: clocked, clock } = withPeople(test, { recipe: identityRecipe(), clock: true })

const INVITE = '/v1/identity/members/invite'
const ACCEPT = '/v1/identity/invitations/accept'
const roles = ['tenant.member']

test('joins with the link in the email', async t => {
  const owner = await kernel.register(newEmail(), { name: 'Ada', workspaceName: 'Engines' })
  const email = newEmail('guest')
  const invited = await owner.post(INVITE, { email, roles })
  t.is(invited.status, 201)
  t.like(invited.body, { email, roles, status: 'pending' })
  t.is(invited.body.link, undefined, 'the link is in the mail alone')
  await kernel.settled()
  const inbox = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`)
  const mail = inbox.body.data[0]
  t.is(mail?.subject, 'Ada invited you to Engines')
  const { body } = await kernel.get(`/v1/communications/mailbox/${mail?.id}`)
  const token = decodeURIComponent(/accept\?token=([^\s>\]]+)/.exec(body.text)?.[1] ?? '')
  const guest = await kernel.register(email)
  const joined = await guest.post(ACCEPT, { token })
  t.is(joined.status, 200)
  t.is(joined.body.tenant.id, owner.tenantId)
  t.deepEqual(joined.body.membership.roles, roles)
  t.regex(
    joined.headers.getSetCookie()[0] ?? '',
    new RegExp(`^platform_tenant=${owner.tenantId}; Max-Age=2592000; Path=/; HttpOnly`),
  )
  const list = await owner.get('/v1/identity/invitations?filter[status]=accepted')
  t.deepEqual(
    list.body.data.map(one => one.email),
    [email],
  )
})

test('accepting repeatedly or concurrently creates one membership', async t => {
  const owner = await kernel.register(newEmail())
  const guest = await kernel.register(newEmail())
  const token = await inviteLink(owner, guest.email, roles)
  const accept = () => guest.post(ACCEPT, { token })
  const made = [...(await Promise.all([accept(), accept(), accept()])), await accept()]
  t.deepEqual(made.map(codeOf), ['200', '200', '200', '200'])
  t.is(new Set(made.map(({ body }) => body.membership.id)).size, 1)
  const log = await owner.get('/v1/identity/audit?filter[action]=member.joined')
  t.is(log.body.data.length, 1)
})

test('accepts with an Idempotency-Key regardless of the tenant header', async t => {
  const owner = await kernel.register(newEmail())
  const guest = await kernel.register(newEmail())
  const token = await inviteLink(owner, guest.email, roles)
  const headers = { 'idempotency-key': 'accept', 'x-tenant-id': guest.tenantId }
  for (let i = 0; i < 2; i++) t.is((await guest.post(ACCEPT, { token }, { headers })).status, 200)
})

test('accepts with the tenant header of the inviting workspace, by ID or slug', async t => {
  const owner = await kernel.register(newEmail())
  const { body: tenant } = await owner.get(`/v1/identity/tenants/${owner.tenantId}`)
  for (const header of [owner.tenantId, tenant.slug]) {
    const guest = await kernel.register(newEmail())
    const token = await inviteLink(owner, guest.email, roles)
    const headers = { 'x-tenant-id': header }
    for (let i = 0; i < 2; i++) t.is(codeOf(await guest.post(ACCEPT, { token }, { headers })), '200')
  }
})

test("rejects the tenant header of a workspace that neither invites nor is the caller's", async t => {
  const [owner, other, guest] = await Promise.all([1, 2, 3].map(() => kernel.register(newEmail())))
  if (!owner || !other || !guest) throw new Error('three people register')
  const token = await inviteLink(owner, guest.email, roles)
  for (const header of [other.tenantId, 'no-such-workspace', 'ten_nonsense']) {
    const headers = { 'x-tenant-id': header }
    t.is(codeOf(await guest.post(ACCEPT, { token }, { headers })), '403 not_a_member')
    t.is(codeOf(await guest.post(ACCEPT, { token: 'forged' }, { headers })), '404 not_found')
    t.is(codeOf(await guest.post('/v1/identity/tenants', { name: 'Mine' }, { headers })), '403 not_a_member')
  }
  const pending = await owner.get('/v1/identity/invitations?filter[status]=pending')
  t.is(pending.body.data.length, 1)
})

test('inviting again sends a new link and invalidates the old one', async t => {
  const owner = await kernel.register(newEmail())
  const guest = await kernel.register(newEmail())
  const first = await inviteLink(owner, guest.email, roles)
  const again = await owner.post(INVITE, { email: guest.email.toUpperCase(), roles, sendEmail: false })
  t.is(again.status, 200)
  t.is(codeOf(await guest.post(ACCEPT, { token: first })), '410 invitation_expired')
  t.is((await guest.post(ACCEPT, { token: tokenOf(String(again.body.link)) })).status, 200)
  const list = await owner.get('/v1/identity/invitations')
  t.is(list.body.data.length, 1)
})

test('concurrent invitations of an address create one invitation', async t => {
  const owner = await kernel.register(newEmail())
  const email = newEmail()
  const made = await Promise.all(Array.from({ length: 4 }, () => owner.post(INVITE, { email, roles })))
  t.deepEqual(made.map(codeOf).sort(), ['200', '200', '200', '201'])
  t.is(new Set(made.map(({ body }) => body.id)).size, 1)
})

test.serial('an invitation expires after 7 days and becomes valid when resent', async t => {
  const owner = await clocked.register(newEmail())
  const guest = await clocked.register(newEmail())
  /** The login expires after seven days, too. */
  const again = async ({ email, password }: { email: string; password: string }) =>
    clocked.as((await clocked.post('/v1/auth/login', { email, password })).body.token)
  const made = await owner.post(INVITE, { email: guest.email, roles, sendEmail: false })
  clock.forward(7 * DAY)
  const late = await again(guest)
  t.is(codeOf(await late.post(ACCEPT, { token: tokenOf(String(made.body.link)) })), '410 invitation_expired')
  const list = await (await again(owner)).get('/v1/identity/invitations?filter[status]=expired')
  t.deepEqual(
    list.body.data.map(({ status }) => status),
    ['expired'],
  )
  const path = `/v1/identity/invitations/${made.body.id}/resend`
  const resent = await (await again(owner)).post<Invitation>(path, { sendEmail: false })
  t.like(resent.body, { status: 'pending' })
  t.is((await late.post(ACCEPT, { token: tokenOf(String(resent.body.link)) })).status, 200)
})

test('rejects an invitation to another address', async t => {
  const owner = await kernel.register(newEmail())
  const eve = await kernel.register(newEmail())
  const token = await inviteLink(owner, newEmail(), roles)
  t.is(codeOf(await eve.post(ACCEPT, { token })), '403 email_mismatch')
  t.is(codeOf(await kernel.post(ACCEPT, { token })), '401 unauthenticated')
})

test('rejects a revoked invitation and a second revocation', async t => {
  const owner = await kernel.register(newEmail())
  const guest = await kernel.register(newEmail())
  const made = await owner.post(INVITE, { email: guest.email, roles, sendEmail: false })
  const path = `/v1/identity/invitations/${made.body.id}`
  t.is((await owner.delete(path)).status, 204)
  t.is(codeOf(await guest.post(ACCEPT, { token: tokenOf(String(made.body.link)) })), '410 invitation_revoked')
  t.is(codeOf(await owner.delete(path)), '409 invitation_closed')
  t.is(codeOf(await owner.post(`${path}/resend`, {})), '409 invitation_closed')
})

test("a removed member can't rejoin with a used link", async t => {
  const owner = await kernel.register(newEmail())
  const guest = await kernel.register(newEmail())
  const token = await inviteLink(owner, guest.email, roles)
  const { body } = await guest.post(ACCEPT, { token })
  await owner.delete(`/v1/identity/members/${body.membership.id}`)
  t.is(codeOf(await guest.post(ACCEPT, { token })), '410 invitation_used')
})

test('rejects existing members, unknown roles and invalid addresses', async t => {
  const owner = await kernel.register(newEmail())
  const member = await colleague(kernel, owner, roles)
  const invite = (body: unknown) => owner.post(INVITE, body)
  t.is(codeOf(await invite({ email: member.person.email.toUpperCase(), roles })), '409 already_member')
  t.deepEqual(fieldErrors(await invite({ email: newEmail(), roles: ['no.such'] })), ['/roles/0 unknown_role'])
  t.deepEqual(fieldErrors(await invite({ email: 'a@b.test\r\nBcc: c@d.test', roles })), ['/email wrong_format'])
  t.deepEqual(fieldErrors(await invite({ roles, status: 'accepted' })), ['/email required', '/status unknown_field'])
})

test('rejects forged links', async t => {
  const owner = await kernel.register(newEmail())
  const guest = await kernel.register(newEmail())
  const made = await owner.post(INVITE, { email: guest.email, roles, sendEmail: false })
  const token = tokenOf(String(made.body.link))
  const { secrets } = kernel.kernel.ports
  const wrong = [
    token.replace(/\.1\../, start => (start === '.1.A' ? '.1.B' : '.1.A')),
    'x',
    linkToken(secrets, 'verify_email', { id: made.body.id, version: 1 }),
  ]
  for (const one of wrong) t.is(codeOf(await guest.post(ACCEPT, { token: one })), '404 not_found', one)
})

test('answers 404 for invitations of another tenant', async t => {
  const [owner, eve] = [await kernel.register(newEmail()), await kernel.register(newEmail())]
  const made = await owner.post(INVITE, { email: newEmail(), roles })
  const path = `/v1/identity/invitations/${made.body.id}`
  t.is(codeOf(await eve.delete(path)), '404 not_found')
  t.is(codeOf(await eve.post(`${path}/resend`, {})), '404 not_found')
  t.deepEqual((await eve.get('/v1/identity/invitations')).body.data, [])
})

test('rejects deletion of a role that a pending invitation has', async t => {
  const owner = await kernel.register(newEmail())
  await role(owner, 'team.guest', ['identity.member.read'])
  await inviteLink(owner, newEmail(), ['team.guest'])
  t.is(codeOf(await owner.delete('/v1/identity/roles/team.guest')), '409 role_in_use')
})

test('counts members and pending invitations as seats', async t => {
  const owner = await kernel.register(newEmail())
  const count = () => kernel.kernel.ports.usage.count('identity.seat', owner.tenantId)
  t.is(await count(), 1)
  const made = await owner.post(INVITE, { email: newEmail(), roles })
  t.is(await count(), 2)
  await owner.delete(`/v1/identity/invitations/${made.body.id}`)
  t.is(await count(), 1)
})

test.serial('sends an invitation again at most 3 times an hour', async t => {
  const owner = await clocked.register(newEmail())
  const email = newEmail()
  const { body } = await owner.post(INVITE, { email, roles })
  const resend = () => owner.post(`/v1/identity/invitations/${body.id}/resend`, {})
  const again = () => owner.post(INVITE, { email, roles })
  t.deepEqual([await resend(), await again(), await resend()].map(codeOf), ['200', '200', '200'])
  clock.forward(20 * MINUTE)
  const refused = await resend()
  t.is(codeOf(refused), '429 rate_limited')
  const seconds = Number(refused.headers.get('retry-after'))
  t.true(seconds > 39 * 60 && seconds <= 40 * 60, String(seconds))
  t.is(codeOf(await again()), '429 rate_limited')
  await owner.delete(`/v1/identity/invitations/${body.id}`)
  t.is(codeOf(await again()), '429 rate_limited', 'revoking the invitation does not reset the limit')
  t.is((await owner.post(INVITE, { email: newEmail(), roles })).status, 201)
  clock.forward(40 * MINUTE)
  t.is(codeOf(await again()), '201')
})

test.serial('a clock that is set back does not lengthen the limit of an invitation', async t => {
  const owner = await clocked.register(newEmail())
  const { body } = await owner.post(INVITE, { email: newEmail(), roles })
  const resend = () => owner.post(`/v1/identity/invitations/${body.id}/resend`, {})
  for (let count = 1; count <= 3; count++) t.is(codeOf(await resend()), '200')
  t.is(codeOf(await resend()), '429 rate_limited')
  clock.forward(-60 * MINUTE)
  for (let count = 1; count <= 3; count++) t.is(codeOf(await resend()), '200')
  const refused = await resend()
  t.is(codeOf(refused), '429 rate_limited')
  t.true(Number(refused.headers.get('retry-after')) <= 60 * 60)
})

test('concurrent resends of an invitation share its limit', async t => {
  const owner = await kernel.register(newEmail())
  const { body } = await owner.post(INVITE, { email: newEmail(), roles })
  const resend = () => owner.post(`/v1/identity/invitations/${body.id}/resend`, {})
  const made = await Promise.all(Array.from({ length: 6 }, resend))
  t.deepEqual(made.map(codeOf).sort(), [
    '200',
    '200',
    '200',
    '429 rate_limited',
    '429 rate_limited',
    '429 rate_limited',
  ])
})

test('an invitation without roles has the default role', async t => {
  const owner = await kernel.register(newEmail())
  const standard = await owner.post(INVITE, { email: newEmail() })
  t.deepEqual([standard.status, standard.body.roles], [201, ['tenant.member']])
  t.deepEqual(fieldErrors(await owner.post(INVITE, { email: newEmail(), roles: [] })), ['/roles too_few'])
  const recipe = {
    modules: { identity: { invitations: { defaultRole: 'tenant.reader' } }, comms: {} },
    roles: { 'tenant.reader': { name: 'Reader', permissions: ['identity.member.read'] } },
  }
  const own = await startIdentity({}, { recipe })
  t.teardown(() => own.stop())
  const ada = await own.register(newEmail())
  const chosen = await ada.post(INVITE, { email: newEmail() })
  t.deepEqual([chosen.status, chosen.body.roles], [201, ['tenant.reader']])
})

const isVerified = async (client: Pick<TestKernel, 'get'>) => (await client.get('/v1/auth/me')).body.user.emailVerified
/** An invitation by mail to a new address. */
async function mailed() {
  const owner = await kernel.register(newEmail('owner'))
  const email = newEmail('guest')
  const { id } = (await owner.post(INVITE, { email, roles })).body
  return { owner, email, id, token: await tokenIn(kernel, email, '/invitations/accept') }
}

test('a sign-up with the link in the mail confirms the address, and accepting keeps its login and key', async t => {
  const { email, token } = await mailed()
  const guest = await kernel.register(email, { invitation: token })
  t.true(await isVerified(guest))
  t.is((await guest.post(ACCEPT, { token })).body.verified, null)
  t.is((await guest.get('/v1/auth/me')).status, 200)
  t.is((await kernel.as(guest.apiKey).get('/v1/me')).status, 200)
})

test('a link that was handed to the inviter confirms nothing', async t => {
  const owner = await kernel.register(newEmail('owner'))
  const email = newEmail('guest')
  const token = await inviteLink(owner, email, roles)
  const guest = await kernel.register(email, { invitation: token })
  t.false(await isVerified(guest))
  t.is((await guest.post(ACCEPT, { token })).body.verified, null)
  t.false(await isVerified(guest))
})

test('of an invitation that was sent several times, the newest link counts', async t => {
  const { owner, email, id, token: earlier } = await mailed()
  const resend = `/v1/identity/invitations/${id}/resend`
  const handed = tokenOf((await owner.post<Invitation>(resend, { sendEmail: false })).body.link ?? '')
  const [first, second] = [await kernel.register(email, { invitation: earlier }), newEmail('other')]
  t.false(await isVerified(first), 'the link has been replaced')
  t.is((await first.post(ACCEPT, { token: handed })).body.verified, null)
  const another = await owner.post(INVITE, { email: second, roles, sendEmail: false })
  await owner.post(`/v1/identity/invitations/${another.body.id}/resend`, {})
  const token = await tokenIn(kernel, second, '/invitations/accept')
  t.true(await isVerified(await kernel.register(second, { invitation: token })))
})

test('the link in the mail confirms no other address', async t => {
  const { token } = await mailed()
  t.false(await isVerified(await kernel.register(newEmail('other'), { invitation: token })))
})

test('accepting confirms the address of an earlier account, and keeps its login and key', async t => {
  const { email, token } = await mailed()
  const guest = await kernel.register(email)
  const { body, headers } = await guest.post(ACCEPT, { token })
  t.deepEqual(body.verified, { ended: { logins: 0, apiKeys: 0, invitations: 0 } })
  for (const client of [guest, kernel.as(guest.apiKey)]) t.is((await client.get('/v1/me')).status, 200)
  t.true(await isVerified(guest))
  t.false(headers.getSetCookie().some(cookie => cookie.startsWith('platform_session=')))
})

test('accepting with a confirmed address ends nothing', async t => {
  const { email, token } = await mailed()
  const guest = await kernel.register(email)
  await verify(kernel, guest)
  const login = await kernel.post('/v1/auth/login', { email, password: TEST_PASSWORD })
  const caller = kernel.as(login.body.token)
  t.is((await caller.post(ACCEPT, { token })).body.verified, null)
  t.is((await caller.get('/v1/auth/me')).status, 200)
})

test('the page of the invitation keeps the login of the browser', async t => {
  const { email, token } = await mailed()
  const guest = await kernel.register(email)
  const { location } = await visitor(kernel, guest.cookie).submit('/invitations/accept', { token })
  t.is(location, '/welcome')
  t.is((await visitor(kernel, guest.cookie).open('/account')).status, 200)
})
