import test from 'ava'
import pg from 'pg'
import { startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { createEndpoint, createHooked, deliveriesOf, endpointSecret, settled } from './fixtures.ts'
import { openReceiver, type Received } from './receiver.ts'
import { verifies } from './verify.ts'

const recipe = { modules: { identity: {}, comms: {}, sessions: {}, webhooks: { allowHosts: '127.0.0.1' } } }

/** As `larder secret rotate` does. */
async function acceptOtherSecret(databaseUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl })
  owner.on('error', () => {})
  await owner.connect()
  await owner.query("update larder_installation set secret_fingerprints = '{}'")
  await owner.end()
}

const OLD = 'a secret that only tests may know of'
const NEW = 'another secret that only tests may know of'

test('secrets stay readable after a rotation, when the older LARDER_SECRET is removed', async t => {
  const before = await startTestKernel({ recipe, role: 'web' })
  t.teardown(before.stop)
  const { token } = await before.register('ada@example.test')
  const endpoint = await createEndpoint(before.as(token), 'https://receiver.example.test/', ['sessions.*'])
  const paths = ['/v1/webhooks/secret', `/v1/webhooks/endpoints/${endpoint.id}/secret`]
  const secretsFrom = (kernel: TestKernel) =>
    Promise.all(paths.map(async path => (await kernel.as(token).get<{ secret: string }>(path)).body.secret))
  const secrets = await secretsFrom(before)

  const rotating = await startTestKernel({
    recipe,
    env: { LARDER_SECRET: `${NEW},${OLD}` },
    database: before.databaseUrl,
  })
  t.teardown(rotating.stop)
  await rotating.kernel.ports.jobs.enqueue('larder.reencrypt', {}, {})
  await rotating.settled()

  const after = await startTestKernel({ recipe, env: { LARDER_SECRET: NEW }, database: before.databaseUrl })
  t.teardown(after.stop)
  t.deepEqual(await secretsFrom(after), secrets)
})

test('a rotation repairs secrets that a lost LARDER_SECRET made unreadable', async t => {
  const receiver = await openReceiver(t)
  // Sends nothing.
  const before = await startTestKernel({ recipe, role: 'web' })
  t.teardown(before.stop)
  const { token } = await before.register('ada@example.test')
  const endpoint = await createEndpoint(before.as(token), `${receiver.url}/endpoint`, ['sessions.*'])
  await endpointSecret(before.as(token), endpoint)
  await before.as(token).get('/v1/webhooks/secret')

  await acceptOtherSecret(before.databaseUrl)
  const env = { LARDER_SECRET: NEW }
  const kernel = await startTestKernel({ recipe, env, database: before.databaseUrl })
  t.teardown(kernel.stop)
  // Logins don't depend on the secret.
  const ada = kernel.as(token)
  for (const path of ['/v1/webhooks/secret', `/v1/webhooks/endpoints/${endpoint.id}/secret`]) {
    const lost = await ada.get<{ code: string }>(path)
    t.deepEqual([lost.status, lost.body.code], [409, 'secret_unreadable'], path)
  }
  const failing = await createHooked(ada, receiver.url)
  const delivery = await settled(ada, failing, 'pending').then(() =>
    waitFor(
      () => deliveriesOf(ada, `filter[session_id]=${failing.id}`),
      ([first]) => first?.attempt_count === 1,
    ),
  )
  t.regex(delivery[0]?.error ?? '', /LARDER_SECRET/)
  t.is(receiver.received.length, 0)

  for (const path of ['/v1/webhooks/secret', `/v1/webhooks/endpoints/${endpoint.id}/secret`]) {
    const rotated = await ada.post<{ secret: string; previous_expires_at: null }>(`${path}/rotate`)
    t.is(rotated.status, 200, path)
    t.is(rotated.body.previous_expires_at, null)
    t.is((await ada.get<{ secret: string }>(path)).body.secret, rotated.body.secret)
  }
  await createHooked(ada, `${receiver.url}/session`)
  await receiver.came(2)
  const at = (path: string) => receiver.received.find(one => one.path === path) as Received
  t.true(verifies((await ada.get('/v1/webhooks/secret')).body.secret, at('/session')))
  t.true(verifies(await endpointSecret(ada, endpoint), at('/endpoint')))
})
