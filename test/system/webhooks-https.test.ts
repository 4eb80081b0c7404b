/** Webhooks to a receiver that speaks HTTPS, by workers of their own: one trusts who signed its certificate. */
import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { createHooked, deliveriesOf, settled, startWebhooks, until } from '../modules/webhooks/fixtures.ts'
import { type Receiver, startReceiver } from '../modules/webhooks/receiver.ts'
import { verifies } from '../modules/webhooks/verify.ts'

const WORKER = fileURLToPath(new URL('../modules/webhooks/worker.js', import.meta.url))

/** A certificate for 127.0.0.1 that signs itself, and a receiver that shows it. */
async function secureReceiver(t: ExecutionContext): Promise<{ receiver: Receiver; certificate: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-https-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'],
    ...['-subj', '/CN=receiver', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
  ])
  const pair = { key: await readFile(key, 'utf8'), cert: await readFile(certificate, 'utf8') }
  const receiver = await startReceiver(undefined, pair)
  t.teardown(() => receiver.close())
  return { receiver, certificate }
}

async function startWithWorker(t: ExecutionContext, env: Readonly<Record<string, string>>) {
  const kernel = await startWebhooks({ role: 'web' })
  t.teardown(() => kernel.stop())
  const worker = fork(WORKER, [kernel.databaseUrl, 'worker'], { env: { ...process.env, ...env } })
  t.teardown(async () => {
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  })
  return kernel.register('hooks@example.test')
}

test('a webhook goes to a receiver whose certificate is trusted, and is signed', async t => {
  const { receiver, certificate } = await secureReceiver(t)
  const person = await startWithWorker(t, { NODE_EXTRA_CA_CERTS: certificate })
  const session = await createHooked(person, `${receiver.url}/hooks`)
  t.like(await settled(person, session, 'delivered'), { response_status: 204, attempt_count: 1 })
  const [came] = await receiver.came(1)
  t.is(came?.path, '/hooks')
  const { body } = await person.get<{ secret: string }>('/v1/webhooks/secret')
  t.true(came && verifies(body.secret, came))
})

test('nothing is told to a receiver whose certificate nobody vouches for, and the delivery says why', async t => {
  const { receiver } = await secureReceiver(t)
  const person = await startWithWorker(t, {})
  const session = await createHooked(person, `${receiver.url}/hooks`)
  const [tried] = await until(
    () => deliveriesOf(person, `filter[session_id]=${session.id}`),
    ([first]) => first?.attempt_count === 1,
  )
  t.is(tried?.status, 'pending')
  t.regex(tried?.error ?? '', /certificate/)
  t.deepEqual(receiver.received, [])
})
