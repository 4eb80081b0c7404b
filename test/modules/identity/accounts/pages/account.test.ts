import test from 'ava'
import { type Person, TEST_PASSWORD } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { codeOf, colleague, identityRecipe, newEmail } from '../../fixtures.ts'
import { visitor } from '../../pages/forms.ts'
import { tokenIn as mailToken, verify as verifyIn } from '../../pages/mail-tokens.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

const browserOf = ({ cookie }: Person) => visitor(kernel, cookie)
const password = TEST_PASSWORD

const tokenIn = (email: string, path: string) => mailToken(kernel, email, path)
const verify = (person: Person) => verifyIn(kernel, person)
const emailOf = async ({ email }: { email: string }): Promise<string | undefined> =>
  (await kernel.post('/v1/auth/login', { email, password })).body.user?.email

test('changes a verified address once both addresses confirmed it', async t => {
  const ada = await kernel.register(newEmail('before'))
  await verify(ada)
  const signedIn = await kernel.post('/v1/auth/login', { email: ada.email, password })
  const client = kernel.as(signedIn.body.token)
  const email = newEmail('after')
  t.is(
    codeOf(await client.post('/v1/auth/email/change', { email, password: 'not the right one' })),
    '403 wrong_password',
  )
  const requested = await client.post('/v1/auth/email/change', { email, password })
  t.is(requested.status, 202)
  const [current, next] = [await tokenIn(ada.email, '/change-email'), await tokenIn(email, '/change-email')]
  t.not(current, next)
  t.regex((await browserOf(ada).submit('/change-email', { token: next })).text, /other address/)
  t.is(await emailOf({ email }), undefined)
  t.deepEqual((await kernel.post('/v1/auth/email/confirm', { token: current })).body, {
    complete: true,
    login: null,
  })
  t.is(await emailOf({ email }), email)
  t.is(await emailOf(ada), undefined)
  t.is(codeOf(await kernel.post('/v1/auth/email/confirm', { token: current })), '410 link_expired')
})

test('an address that was never verified need not confirm a change', async t => {
  const ada = await kernel.register(newEmail('typo'))
  const email = newEmail('right')
  const page = browserOf(ada)
  const wrong = await page.submit('/account/email', { intent: 'request', email, password: 'not the right one' })
  t.is(wrong.status, 403)
  t.regex(wrong.text, new RegExp(`value="${email}"`))
  t.is(
    (await page.submit('/account/email', { intent: 'request', email, password })).location,
    '/account?done=requested',
  )
  t.regex((await page.open('/account')).body, new RegExp(`Waiting for the confirmation of ${email}`))
  t.is(await tokenIn(ada.email, '/change-email'), '')
  await ada.post('/v1/auth/email/confirm', { token: await tokenIn(email, '/change-email') })
  const { body } = await kernel.post('/v1/auth/login', {
    email,
    password,
  })
  t.deepEqual([body.user.email, body.user.emailVerified], [email, true])
})

test('a change can be canceled, and never takes the address of another account', async t => {
  const [ada, bob] = [await kernel.register(newEmail()), await kernel.register(newEmail())]
  t.is(codeOf(await ada.post('/v1/auth/email/change', { email: bob.email, password })), '409 email_taken')
  const email = newEmail('contested')
  await ada.post('/v1/auth/email/change', { email, password })
  const token = await tokenIn(email, '/change-email')
  await kernel.register(email)
  t.is(codeOf(await kernel.post('/v1/auth/email/confirm', { token })), '409 email_taken')
  t.is((await browserOf(ada).submit('/account/email', { intent: 'cancel' })).location, '/account?done=canceled')
  t.is((await ada.get('/v1/auth/email/change')).status, 404)
  t.is(codeOf(await kernel.post('/v1/auth/email/confirm', { token })), '410 link_expired')
})

test('a new password cancels a pending change of the address', async t => {
  const [bob, second] = [await kernel.register(newEmail('changer')), newEmail('pending')]
  await bob.post('/v1/auth/email/change', { email: second, password })
  const token = await tokenIn(second, '/change-email')
  await bob.post('/v1/auth/password/change', { currentPassword: password, newPassword: `${password} 2` })
  t.is(codeOf(await kernel.post('/v1/auth/email/confirm', { token })), '410 link_expired')
})

test('a password reset cancels a pending change of the address', async t => {
  const ada = await kernel.register(newEmail('owner'))
  const email = newEmail('pending')
  await ada.post('/v1/auth/email/change', { email, password })
  const token = await tokenIn(email, '/change-email')
  await kernel.post('/v1/auth/password/forgot', { email: ada.email })
  const reset = await tokenIn(ada.email, '/reset-password')
  t.is((await kernel.post('/v1/auth/password/reset', { token: reset, password })).status, 200)
  t.is(codeOf(await kernel.post('/v1/auth/email/confirm', { token })), '410 link_expired')
})

test('pages show times in the time zone of the account', async t => {
  const ada = await kernel.register(newEmail())
  const page = browserOf(ada)
  t.regex((await page.open('/workspace/audit')).body, /[AP]M UTC<\/time>/)
  t.is((await page.submit('/account', { name: 'Ada', timeZone: 'Asia/Tokyo' })).status, 303)
  const { body } = await page.open('/workspace/audit')
  t.notRegex(body, /[AP]M UTC<\/time>/)
  const [, at = '', shown = ''] = /<time class="muted" datetime="([^"]+)">([^<]+)</.exec(body) ?? []
  const tokyo = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Tokyo' })
  t.is(shown.replaceAll('&#8239;', '\u202f'), tokyo.format(new Date(at)))
  t.is((await ada.patch('/v1/auth/me', { timeZone: 'Mars/Olympus' })).status, 422)
  t.is((await page.submit('/account', { name: 'Ada', timeZone: '' })).status, 303)
  const { body: me } = await ada.get('/v1/auth/me')
  t.is(me.user.timeZone, null)
})

test('exports the data of the account without secrets', async t => {
  const ada = await kernel.register(newEmail(), { name: 'Ada' })
  const { status, body, headers } = await ada.get<Record<string, unknown[]> & { user: { name: string } }>(
    '/v1/auth/me/export',
  )
  t.is(status, 200)
  t.regex(headers.get('content-disposition') ?? '', /^attachment/)
  t.is(body.user.name, 'Ada')
  t.deepEqual(
    ['memberships', 'logins', 'apiKeys'].map(name => body[name]?.length),
    [1, 1, 1],
  )
  t.true((body.auditEntries?.length ?? 0) > 2)
  t.notRegex(JSON.stringify(body), /hash|secret|password_/i)
  t.is((await kernel.as(ada.apiKey).get('/v1/auth/me/export')).status, 403)
})

test('deletes the account with its password, and the workspace in which the user is alone', async t => {
  const ada = await kernel.register(newEmail())
  const page = browserOf(ada)
  t.is((await page.submit('/account/data', { password: 'not the right one' })).status, 403)
  const gone = await page.submit('/account/data', { password })
  t.is(gone.location, '/account/deleted')
  t.is((await page.open('/account')).status, 303)
  t.is((await kernel.as(ada.apiKey).get('/v1/me')).status, 401)
  t.is(await emailOf(ada), undefined)
  await kernel.settled()
  t.is((await kernel.post('/v1/auth/register', { email: ada.email, password })).status, 201)
})

test('the only owner of a workspace with members transfers it before the account can be deleted', async t => {
  const ada = await kernel.register(newEmail())
  const member = await colleague(kernel, ada, ['tenant.member'])
  t.is(codeOf(await ada.post('/v1/auth/me/delete', { password })), '409 last_owner')
  await ada.post(`/v1/identity/tenants/${ada.tenantId}/transfer`, { memberId: member.memberId })
  t.is((await ada.post('/v1/auth/me/delete', { password })).status, 204)
  const { body } = await member.get('/v1/identity/members')
  t.deepEqual(
    body.data.map(({ email }) => email),
    [member.person.email],
  )
})
