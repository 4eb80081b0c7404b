import test from 'ava'
import { linkToken } from '../../../../modules/identity/domain/links.ts'
import { type Person, TEST_PASSWORD } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { codeOf, identityRecipe, inviteLink, newEmail } from '../fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

interface Ended {
  ended: { logins: number; apiKeys: number; invitations: number }
  login: { token: string | null; expiresIn: number } | null
}
const verificationToken = ({ userId }: Person) =>
  linkToken(kernel.kernel.ports.secrets, 'verify_email', { id: userId, version: 1 })

/** Someone registers with an address that isn't theirs, and invites an accomplice. */
async function preHijack(email = newEmail('victim')) {
  const attacker = await kernel.register(email)
  const accomplice = await kernel.register(newEmail('accomplice'))
  const invitation = await inviteLink(attacker, accomplice.email, ['tenant.owner'])
  return { attacker, accomplice, invitation }
}

async function mailTo(email: string, subject: RegExp): Promise<string | undefined> {
  await kernel.settled()
  const inbox = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`)
  const mail = inbox.body.data.find(one => subject.test(one.subject))
  return mail && (await kernel.get(`/v1/communications/mailbox/${mail.id}`)).body.text
}

async function resetToken(email: string): Promise<string> {
  await kernel.post('/v1/auth/password/forgot', { email })
  const text = await mailTo(email, /^Reset your/)
  return decodeURIComponent(/reset-password\?token=([^\s>\]]+)/.exec(text ?? '')?.[1] ?? '')
}

async function assertLockedOut(t: import('ava').ExecutionContext, { attacker, accomplice, invitation }: Hijack) {
  t.is(codeOf(await kernel.as(attacker.apiKey).get('/v1/me')), '401 unauthenticated')
  t.is(codeOf(await attacker.get('/v1/auth/me')), '401 unauthenticated')
  t.is(codeOf(await kernel.with({ cookie: attacker.cookie }).get('/v1/auth/me')), '401 unauthenticated')
  const accepted = await accomplice.post('/v1/identity/invitations/accept', { token: invitation })
  t.is(codeOf(accepted), '410 invitation_revoked')
}
type Hijack = Awaited<ReturnType<typeof preHijack>>

test('a password reset of an unverified account ends the logins, keys and invitations made before it', async t => {
  const hijack = await preHijack()
  const { email, userId } = hijack.attacker
  const token = await resetToken(email)
  const reset = await kernel.post('/v1/auth/password/reset', { token, password: 'the real owner is back' })
  t.is(reset.status, 200)
  t.deepEqual(reset.body.ended, { logins: 1, apiKeys: 1, invitations: 1 })
  await assertLockedOut(t, hijack)

  const owner = await kernel.post('/v1/auth/login', {
    email,
    password: 'the real owner is back',
  })
  t.like(owner.body.user, { id: userId, emailVerified: true })
  const client = kernel.as(owner.body.token)
  t.deepEqual((await client.get('/v1/identity/api-keys')).body.data, [])
  const log = await client.get('/v1/identity/audit')
  const actions = log.body.data.map(({ action }) => action)
  t.true(actions.includes('api_key.deleted') && actions.includes('invitation.revoked'), actions.join())
  t.regex((await mailTo(email, /access/i)) ?? '', /API keys: 1/)
})

test('the first verification of an address ends the logins, keys and invitations made before it', async t => {
  const hijack = await preHijack()
  const token = verificationToken(hijack.attacker)
  const verified = await kernel.post('/v1/auth/verify-email', { token })
  t.is(verified.status, 200)
  t.deepEqual(verified.body, { ended: { logins: 1, apiKeys: 1, invitations: 1 } })
  await assertLockedOut(t, hijack)
  t.regex((await mailTo(hijack.attacker.email, /access/i)) ?? '', /Invitations: 1/)
  t.is((await kernel.post('/v1/auth/verify-email', { token })).status, 204)
})

test('a login of another account is no proof of the verified one', async t => {
  const { attacker, accomplice } = await preHijack()
  const verified = await accomplice.post('/v1/auth/verify-email', { token: verificationToken(attacker) })
  t.is(verified.body.ended.logins, 1)
  t.deepEqual(verified.headers.getSetCookie(), [])
  t.is((await accomplice.get('/v1/auth/me')).status, 200)
})

test('a reset of a verified account ends its logins, and keys and invitations on request', async t => {
  const ada = await kernel.register(newEmail())
  await ada.post<Ended>('/v1/auth/verify-email', { token: verificationToken(ada) })
  const key = await ada.post<{ key: string }>('/v1/identity/api-keys', { name: 'CI' })
  const first = { token: await resetToken(ada.email), password: 'an entirely new one' }
  t.is((await kernel.post('/v1/auth/password/reset', first)).status, 204)
  t.is(codeOf(await ada.get('/v1/auth/me')), '401 unauthenticated')
  t.is((await kernel.as(key.body.key).get('/v1/me')).status, 200)

  const second = { token: await resetToken(ada.email), password: 'yet another one', revokeAccess: true }
  const reset = await kernel.post<Ended>('/v1/auth/password/reset', second)
  t.is(reset.status, 200)
  t.deepEqual(reset.body.ended, { logins: 0, apiKeys: 2, invitations: 0 })
  t.is(codeOf(await kernel.as(key.body.key).get('/v1/me')), '401 unauthenticated')
})

test('revokes keys and invitations in every workspace of the account, and nothing of other members', async t => {
  const owner = await kernel.register(newEmail())
  const { attacker } = await preHijack()
  const token = await inviteLink(owner, attacker.email, ['tenant.owner'])
  await attacker.post('/v1/identity/invitations/accept', { token })
  const there = attacker.with({ 'x-tenant-id': owner.tenantId })
  const key = await there.post<{ key: string }>('/v1/identity/api-keys', { name: 'Elsewhere' })
  t.is((await kernel.as(key.body.key).get('/v1/me')).status, 200)
  const verified = await kernel.post<Ended>('/v1/auth/verify-email', { token: verificationToken(attacker) })
  t.deepEqual(verified.body.ended, { logins: 1, apiKeys: 2, invitations: 1 })
  t.is(codeOf(await kernel.as(key.body.key).get('/v1/me')), '401 unauthenticated')
  t.is((await kernel.as(owner.apiKey).get('/v1/me')).status, 200)
  t.is((await kernel.post('/v1/auth/login', { email: owner.email, password: TEST_PASSWORD })).status, 200)
})
