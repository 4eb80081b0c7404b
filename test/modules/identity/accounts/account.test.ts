import test from 'ava'
import { newId } from '../../../../kernel/base/ids.ts'
import { MINUTE } from '../../../../kernel/base/units.ts'
import { linkToken } from '../../../../modules/identity/domain/links.ts'
import { TEST_PASSWORD } from '../../../../testing/index.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { codeOf, fieldErrors, identityRecipe, newEmail, requestReset, resetTokens } from '../fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

const { kernel: clocked, clock } = withPeople(test, { recipe: identityRecipe(), clock: true })

const login = (email: string, password = TEST_PASSWORD) => kernel.post('/v1/auth/login', { email, password })
/** True if the cookie still authenticates. */
const opens = async (cookie: string) => (await kernel.with({ cookie }).get('/v1/auth/me')).status
const userId = async (email: string) => (await login(email)).body.user.id

test('mail for an account that was deleted in between is left out, and nothing fails', async t => {
  const { operator, systemDatabase, events, jobs } = kernel.kernel.ports
  const { tenantId } = operator
  const subject = newId('usr')
  const system = systemDatabase.acrossTenants('a test announces changes of a deleted account')
  await system.transaction(async () => {
    const created = { userId: subject, email: newEmail(), name: null, locale: null }
    await events.publish('identity.user.created', { tenantId, subject, payload: created })
    await events.publish('identity.second_factor.enabled', { tenantId, subject, payload: { userId: subject } })
    await jobs.enqueue('identity.verify_email', { userId: subject })
  })
  await kernel.settled()
  const { rows } = await system.query(
    `select d.handler from larder_deliveries d join larder_events e on e.id = d.event_id
       where e.subject = $1 and d.last_error is not null
     union all select name from larder_jobs where data ->> 'userId' = $1 and last_error is not null`,
    [subject],
  )
  t.deepEqual(rows, [])
})

test('resets a password once with the emailed link and ends all logins', async t => {
  const ada = await kernel.register(newEmail())
  const token = await requestReset(kernel, ada.email)
  const reset = (password: string) => kernel.post('/v1/auth/password/reset', { token, password })
  t.deepEqual(fieldErrors(await reset('password')), ['/password common_password'])
  t.is((await reset('an entirely new one')).status, 200, 'the reply counts what ended: the address was not verified')
  t.is(codeOf(await reset('and another new one')), '410 link_expired')
  t.is(await opens(ada.cookie), 401)
  t.is((await ada.get('/v1/auth/me')).status, 401)
  t.is(codeOf(await login(ada.email)), '401 invalid_credentials')
  t.is((await login(ada.email, 'an entirely new one')).status, 200)
})

test('each reset request sends a new link and invalidates the previous one', async t => {
  const ada = await kernel.register(newEmail())
  const [first, second] = [await requestReset(kernel, ada.email), await requestReset(kernel, ada.email)]
  t.not(first, second)
  const reset = (token: string) => kernel.post('/v1/auth/password/reset', { token, password: 'an entirely new one' })
  t.is(codeOf(await reset(first)), '410 link_expired')
  t.is(codeOf(await reset(second)), '200')
  t.is(codeOf(await reset(second)), '410 link_expired')
})

test.serial('a new request, a changed password or a repeated job revives no reset link', async t => {
  const ada = await clocked.register(newEmail())
  const reset = (token: string) => clocked.post('/v1/auth/password/reset', { token, password: 'an entirely new one' })
  const old = await requestReset(clocked, ada.email)
  clock.forward(61 * MINUTE)
  const fresh = await requestReset(clocked, ada.email)
  t.is(codeOf(await reset(old)), '410 link_expired')
  const change = { currentPassword: TEST_PASSWORD, newPassword: 'changed meanwhile' }
  t.is((await ada.post('/v1/auth/password/change', change)).status, 200)
  t.is(codeOf(await reset(fresh)), '410 link_expired')
  const sent = await resetTokens(clocked, ada.email)
  const [requestId = ''] = old.split('.')
  await clocked.kernel.ports.jobs.enqueue('identity.password_reset', { email: ada.email, requestId })
  t.deepEqual(await resetTokens(clocked, ada.email), sent)
  t.is(codeOf(await reset(old)), '410 link_expired')
})

test.serial('a repeated reset sends a new link although the clock was set back', async t => {
  const ada = await clocked.register(newEmail())
  const reset = (token: string) => clocked.post('/v1/auth/password/reset', { token, password: 'an entirely new one' })
  const first = await requestReset(clocked, ada.email)
  clock.forward(-60 * MINUTE)
  await requestReset(clocked, ada.email)
  const [second = '', ...others] = (await resetTokens(clocked, ada.email)).filter(token => token !== first)
  t.deepEqual(others, [])
  t.is(codeOf(await reset(first)), '410 link_expired')
  t.is((await reset(second)).status, 200)
})

test('does not reveal which accounts exist and emails existing accounts only', async t => {
  const [known, unknown] = [(await kernel.register(newEmail())).email, newEmail()]
  const [one, two] = await Promise.all(
    [known, unknown].map(email => kernel.post('/v1/auth/password/forgot', { email })),
  )
  t.deepEqual([one?.status, one?.body], [two?.status, two?.body])
  await kernel.settled()
  const inbox = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(unknown)}`)
  t.deepEqual(inbox.body.data, [])
})

test.serial('accepts a reset link for one hour, and only after a request', async t => {
  const ada = await clocked.register(newEmail())
  const reset = (text: string) =>
    clocked.post('/v1/auth/password/reset', { token: text, password: 'an entirely new one' })
  const { secrets } = clocked.kernel.ports
  for (const id of [ada.userId, 'rst_00000000000000000000000000'])
    t.is(codeOf(await reset(linkToken(secrets, 'password_reset', { id, version: 1 }))), '410 link_expired')
  const token = await requestReset(clocked, ada.email)
  for (const forged of ['x', `${token}x`, token.replace('.1.', '.2.')])
    t.is(codeOf(await reset(forged)), '410 link_expired')
  clock.forward(60 * MINUTE)
  t.is(codeOf(await reset(token)), '410 link_expired')
})

test('exactly one of two concurrent resets with the same link succeeds', async t => {
  const ada = await kernel.register(newEmail())
  const token = await requestReset(kernel, ada.email)
  const made = await Promise.all(
    ['first new one', 'second new one'].map(password => kernel.post('/v1/auth/password/reset', { token, password })),
  )
  t.deepEqual(made.map(codeOf).sort(), ['200', '410 link_expired'])
})

test('verifies the address with the link of the welcome email, repeatedly, and with no other link', async t => {
  const email = newEmail()
  const ada = await kernel.register(email, { name: 'Ada' })
  await kernel.settled()
  const inbox = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`)
  t.deepEqual(
    inbox.body.data.map(({ subject }) => subject),
    ['Welcome to Test'],
  )
  const { body } = await kernel.get(`/v1/communications/mailbox/${inbox.body.data[0]?.id}`)
  const token = decodeURIComponent(/verify-email\?token=([^\s>\]]+)/.exec(body.text)?.[1] ?? '')
  const verify = (text: string) => ada.post('/v1/auth/verify-email', { token: text })
  t.is((await verify(token)).status, 200)
  t.is((await verify(token)).status, 204)
  const me = await ada.get('/v1/auth/me')
  t.true(me.body.user.emailVerified)
  const other = linkToken(kernel.kernel.ports.secrets, 'password_reset', { id: await userId(email), version: 1 })
  t.is(codeOf(await verify(other)), '410 link_expired')
})
