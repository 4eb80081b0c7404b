/** Webhooks to an HTTPS receiver, sent by separate worker processes with and without its certificate as trusted. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { writeCertificate } from '../fixtures/certificate.ts'
import { waitFor } from '../fixtures/wait.ts'
import { createHooked, deliveriesOf, settled, startWebhooks } from '../modules/webhooks/fixtures.ts'
import { type Receiver, startReceiver } from '../modules/webhooks/receiver.ts'
import { verifies } from '../modules/webhooks/verify.ts'

const WORKER = fileURLToPath(new URL('../modules/webhooks/worker.js', import.meta.url))

/** A receiver with a self-signed certificate for 127.0.0.1. */
async function secureReceiver(t: ExecutionContext): Promise<{ receiver: Receiver; certificate: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-https-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const { key, certificate } = await writeCertificate(folder)
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

test('delivers signed webhooks over HTTPS to a receiver with a trusted certificate', async t => {
  const { receiver, certificate } = await secureReceiver(t)
  const person = await startWithWorker(t, { NODE_EXTRA_CA_CERTS: certificate })
  const session = await createHooked(person, `${receiver.url}/hooks`)
  t.like(await settled(person, session, 'delivered'), { response_status: 204, attempt_count: 1 })
  const [request] = await receiver.came(1)
  t.is(request?.path, '/hooks')
  const { body } = await person.get('/v1/webhooks/secret')
  t.true(request && verifies(body.secret, request))
})

test('sends nothing to a receiver with an untrusted certificate, and reports the reason', async t => {
  const { receiver } = await secureReceiver(t)
  const person = await startWithWorker(t, {})
  const session = await createHooked(person, `${receiver.url}/hooks`)
  const [attempted] = await waitFor(
    () => deliveriesOf(person, `filter[session_id]=${session.id}`),
    ([first]) => first?.attempt_count === 1,
  )
  t.is(attempted?.status, 'pending')
  t.regex(attempted?.error ?? '', /certificate/)
  t.deepEqual(receiver.received, [])
})
