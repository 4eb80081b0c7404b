import test from 'ava'
import { DAY, HOUR } from '../../../../kernel/index.ts'
import { type Client, type Person, TEST_PASSWORD } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { codeOf, identityRecipe, inviteLink, newEmail, resetTokens, startIdentity, sweep } from '../fixtures.ts'
import { verify, waitForToken } from '../pages/mail-tokens.ts'

const password = TEST_PASSWORD

const { kernel, clock } = withPeople(test, { recipe: identityRecipe(), clock: true })

/** A user whose address is verified. */
async function verified(): Promise<Client & Pick<Person, 'email' | 'userId'>> {
  const { email, userId, ...person } = await kernel.register(newEmail('before'))
  await verify(kernel, { email, userId, ...person })
  const { body } = await kernel.post('/v1/auth/login', { email, password })
  return { ...kernel.as(body.token), email, userId }
}
const request = (client: Client, email: string) => client.post('/v1/auth/email/change', { email, password })
const confirm = async (address: string, client: Client = kernel) =>
  client.post('/v1/auth/email/confirm', {
    token: await waitForToken(kernel, address, '/change-email'),
  })
const ownWorkspace = async (client: Client) => {
  const { body } = await client.get('/v1/auth/me')
  return body.memberships[0] ?? { tenantId: '' }
}
const stored = async (userId: string): Promise<number> => {
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test counts pending changes')
    .query('select 1 from identity_email_changes where user_id = $1', [userId])
  return rows.length
}

test.serial('the confirmation of the current address alone changes nothing', async t => {
  const ada = await verified()
  const email = newEmail('after')
  await request(ada, email)
  t.deepEqual((await confirm(ada.email)).body, { complete: false, login: null })
  t.like((await ada.get('/v1/auth/email/change')).body, { currentConfirmed: true, newConfirmed: false })
  t.is((await kernel.post('/v1/auth/login', { email, password })).status, 401)
})

test.serial('a new request forgets the confirmations of the former one', async t => {
  const ada = await verified()
  const [first, second] = [newEmail('first'), newEmail('second')]
  await request(ada, first)
  t.is((await confirm(first, ada)).status, 200)
  await request(ada, second)
  t.like((await ada.get('/v1/auth/email/change')).body, { email: second, newConfirmed: false })
  t.is(codeOf(await confirm(first, ada)), '410 link_expired')
})

test.serial('a completed change ends the links to reset the password', async t => {
  const ada = await verified()
  const email = newEmail('after')
  await kernel.post('/v1/auth/password/forgot', { email: ada.email })
  const [token] = await resetTokens(kernel, ada.email)
  await request(ada, email)
  t.is((await confirm(email, ada)).status, 200)
  t.deepEqual((await confirm(ada.email)).body, { complete: true, login: null })
  t.is(codeOf(await kernel.post('/v1/auth/password/reset', { token, password })), '410 link_expired')
})

test.serial('a completed change ends all logins, and gives the person another one that is no newer proof', async t => {
  const ada = await verified()
  const other = await kernel.post('/v1/auth/login', { email: ada.email, password })
  const email = newEmail('after')
  await request(ada, email)
  clock.forward(HOUR)
  t.is((await confirm(email, ada)).body.login, null)
  const { token } = (await confirm(ada.email, ada)).body.login ?? {}
  for (const ended of [ada, kernel.as(other.body.token)]) t.is((await ended.get('/v1/auth/me')).status, 401)
  const renewed = kernel.as(token ?? '')
  t.like((await renewed.get('/v1/auth/me')).body.user, { email })
  const { tenantId } = await ownWorkspace(renewed)
  const key = await kernel.as(token ?? '', tenantId).post('/v1/identity/api-keys', { name: 'A key' })
  t.is(codeOf(key), '403 reauthentication_required')
})

test.serial('records the request and the change', async t => {
  const ada = await kernel.register(newEmail('before'))
  const email = newEmail('after')
  await request(ada, email)
  await confirm(email)
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test reads the audit log')
    .query<{ action: string }>(`select action from identity_audit where subject = $1 and action like 'email.%'`, [
      ada.userId,
    ])
  t.deepEqual(rows.map(({ action }) => action).sort(), ['email.changed', 'email.requested'])
})

test.serial('a change expires after a day, and is deleted', async t => {
  const ada = await kernel.register(newEmail('before'))
  const email = newEmail('after')
  await request(ada, email)
  const token = await waitForToken(kernel, email, '/change-email')
  clock.forward(DAY - HOUR)
  await sweep(kernel)
  t.is((await ada.get('/v1/auth/email/change')).status, 200)
  clock.forward(2 * HOUR)
  t.is((await ada.get('/v1/auth/email/change')).status, 404)
  t.is(codeOf(await kernel.post('/v1/auth/email/confirm', { token })), '410 link_expired')
  t.is(await stored(ada.userId), 1)
  await sweep(kernel)
  t.is(await stored(ada.userId), 0)
})

test('a list of disposable domains refuses new accounts and changes, but not invited people', async t => {
  const own = await startIdentity({ registration: { disposableDomains: ['throwaway.test', 'Müll.test'] } })
  t.teardown(() => own.stop())
  const register = (email: string, more: object = {}) => own.post('/v1/auth/register', { email, password, ...more })
  for (const domain of ['throwaway.test', 'sub.THROWAWAY.test', 'müll.test'])
    t.is(codeOf(await register(`ada@${domain}`)), '422 disposable_address')
  const ada = await own.register(newEmail('before'))
  t.is(codeOf(await request(ada, 'ada@throwaway.test')), '422 disposable_address')
  const invitation = await inviteLink(ada, 'grace@throwaway.test', ['tenant.member'])
  t.is((await register('grace@throwaway.test', { invitation })).status, 201)
})

test('changes the case of the own address', async t => {
  const ada = await verified()
  const email = ada.email.replace('before', 'BEFORE')
  t.is((await request(ada, email)).status, 202)
  t.is((await request(ada, ada.email)).status, 409)
})
