import test from 'ava'
import type { Person } from '../../../../testing/index.ts'
import { codeOf, newEmail } from '../../../fixtures/people.ts'
import { race } from '../../../fixtures/race.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { createHooked, deliveriesOf, details, settled, startWebhooks, webhooksRecipe } from '../fixtures.ts'
import { openReceiver, startReceiver } from '../receiver.ts'
import { signaturesOf, verifies } from '../verify.ts'

const { kernel, clock, ada } = withPeople(test, { recipe: webhooksRecipe(), clock: true }, { ada: 'owner' })

const secretOf = async (person: Person) => (await person.get('/v1/webhooks/secret')).body.secret

test.serial('both secrets sign for a day after a rotation', async t => {
  const receiver = await startReceiver()
  const eve = await kernel.register(newEmail('eve'))
  const before = await secretOf(eve)
  const rotated = await eve.post<{ secret: string; previous_expires_at: string }>('/v1/webhooks/secret/rotate')
  const { secret, previous_expires_at } = rotated.body
  t.not(secret, before)
  t.is(await secretOf(eve), secret)
  t.true(Math.abs(Date.parse(previous_expires_at) - clock.now() - 86_400_000) < 60_000)
  await createHooked(eve, receiver.url)
  const [both] = await receiver.came(1)
  t.true(both && verifies(secret, both) && verifies(before, both))
  t.is(both && signaturesOf(both).length, 2)
  clock.forward(86_400_001)
  await createHooked(eve, receiver.url)
  const [, alone] = await receiver.came(2)
  t.true(alone && verifies(secret, alone))
  t.false(alone && verifies(before, alone))
  await receiver.close()
})

test.serial('the secrets of two rotations at once both sign', async t => {
  const receiver = await openReceiver(t)
  const eve = await kernel.register(newEmail('eve'))
  await secretOf(eve)
  const rotate = () => eve.post('/v1/webhooks/secret/rotate')
  const rotations = await race(kernel.databaseUrl, 'select from webhooks_secrets for update', [rotate, rotate])
  await createHooked(eve, receiver.url)
  const [delivery] = await receiver.came(1)
  t.true(delivery && rotations.every(({ body }) => verifies(body.secret, delivery)))
})

test.serial('secrets and deliveries are visible only to their workspace', async t => {
  const receiver = await startReceiver()
  const session = await createHooked(ada, receiver.url)
  const mine = await settled(ada, session, 'delivered')
  const bob = await kernel.register(newEmail('bob'))
  t.not(await secretOf(bob), await secretOf(ada))
  t.deepEqual(await deliveriesOf(bob), [])
  t.is((await bob.get(`/v1/webhooks/deliveries/${mine.id}`)).status, 404)
  t.is((await bob.post(`/v1/webhooks/deliveries/${mine.id}/retry`)).status, 404)
  for (const path of ['secret', 'deliveries', `deliveries/${mine.id}`])
    t.is((await kernel.get(`/v1/webhooks/${path}`)).status, 401)
  // Tests above move the clock.
  await ada.post('/v1/auth/reauthenticate', { password: ada.password })
  const key = await ada.post<{ key: string }>('/v1/identity/api-keys', { name: 'k', permissions: ['sessions.*'] })
  for (const [method, path] of [
    ['GET', 'secret'],
    ['POST', 'secret/rotate'],
    ['GET', 'deliveries'],
    ['GET', `deliveries/${mine.id}`],
    ['POST', `deliveries/${mine.id}/retry`],
  ] as const)
    t.is((await kernel.as(key.body.key).call(method, `/v1/webhooks/${path}`)).status, 403, path)
  await receiver.close()
})

test.serial('pages through deliveries, newest first, with filters', async t => {
  const receiver = await startReceiver()
  const eve = await kernel.register(newEmail('list'))
  const session = await createHooked(eve, receiver.url)
  await settled(eve, session, 'delivered')
  await eve.post(`/v1/sessions/${session.id}/end`)
  const all = await waitFor(
    () => deliveriesOf(eve),
    ({ length }) => length === 2,
  )
  t.deepEqual(
    all.map(({ type }) => type),
    ['session.ended', 'session.created'],
  )
  const page = await eve.get('/v1/webhooks/deliveries?limit=1')
  const next = await eve.get(`/v1/webhooks/deliveries?limit=1&cursor=${page.body.next_cursor}`)
  t.deepEqual([page.body.data[0]?.id, next.body.data[0]?.id, next.body.next_cursor], [all[0]?.id, all[1]?.id, null])
  t.is((await deliveriesOf(eve, 'filter[type]=session.ended')).length, 1)
  t.is((await deliveriesOf(eve, 'filter[status]=dead')).length, 0)
  await receiver.close()
})

test.serial('rejects private addresses and user information on session creation', async t => {
  const hosts = [
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '[fe80::1]',
    '[fd00::1]',
    '[::ffff:10.0.0.1]',
    '0',
    'u:p@a.test',
  ]
  for (const webhook_url of hosts.map(host => `http://${host}/`)) {
    const answer = await ada.post<{ errors: { pointer: string }[] }>('/v1/sessions', { mode: 'stream', webhook_url })
    t.is(answer.status, 422, webhook_url)
    t.deepEqual(
      answer.body.errors.map(({ pointer }) => pointer),
      ['/webhook_url'],
    )
  }
})

test.serial('stores and lists neither plain secrets nor join tokens', async t => {
  const receiver = await startReceiver()
  const session = (
    await ada.post('/v1/sessions', {
      mode: 'stream',
      webhook_url: receiver.url,
    })
  ).body
  const { id } = await settled(ada, session, 'delivered')
  const seen = JSON.stringify([await details(ada, id), receiver.received])
  t.false(seen.includes(session.join_token.slice(3)))
  const { rows } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('this test looks at what is stored')
    .query<{ sealed: Buffer }>('select sealed from webhooks_secrets')
  const secret = await secretOf(ada)
  t.true(rows.length > 0)
  t.true(
    rows.every(({ sealed }) => !sealed.includes(secret) && !sealed.includes(Buffer.from(secret.slice(6), 'base64'))),
  )
  await receiver.close()
})

test.serial('refuses this machine at once, but not in development', async t => {
  const production = await startWebhooks({ env: { NODE_ENV: 'production' } }, { allowHosts: '' })
  t.teardown(() => production.stop())
  const eva = await production.register(newEmail('eva'))
  const names = ['localhost:8285', 'app.localhost', '127.0.0.2', '[::1]', '2130706434', '0177.0.0.2', '0x7f.2', '127.2']
  for (const webhook_url of names.map(name => `http://${name}/hook`)) {
    const body = { mode: 'stream', webhook_url }
    const { status, body: problem } = await eva.post<{ errors: object[] }>('/v1/sessions', body)
    t.is(status, 422, webhook_url)
    t.like(problem.errors[0], { pointer: '/webhook_url' })
    t.is((await ada.post('/v1/sessions', body)).status, 201, webhook_url)
  }
})

test.serial('secrets and new endpoints need a recent proof, and API keys none', async t => {
  const person = await kernel.register(newEmail('recent'))
  clock.forward(600_001)
  const endpoint = { url: 'https://example.test/hook', events: ['*'] }
  const refused = [
    await person.get('/v1/webhooks/secret'),
    await person.post('/v1/webhooks/secret/rotate'),
    await person.post('/v1/webhooks/endpoints', endpoint),
  ]
  t.deepEqual(
    refused.map(answer => codeOf(answer)),
    refused.map(() => '403 reauthentication_required'),
  )
  t.is((await kernel.as(person.apiKey).get('/v1/webhooks/secret')).status, 200)
})
