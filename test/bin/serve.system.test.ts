import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { type Env, run, spawnLarder, temporaryFolder } from './command.ts'

const RECIPE = `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  identity: {}
  comms: { transport: mailbox, from: "Acme <hello@acme.test>" }
  console: {}
`

async function ready(t: Parameters<typeof temporaryFolder>[0]): Promise<{ cwd: string; env: Env }> {
  const cwd = await temporaryFolder(t)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE)
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  return {
    cwd,
    env: { DATABASE_URL: database.ownerUrl, LARDER_SECRET: 'a secret that only tests may know of', PORT: '0' },
  }
}

test.serial('start serves requests, prints its address and stops gracefully on SIGTERM', async t => {
  const { cwd, env } = await ready(t)
  const larder = spawnLarder(t, ['start'], cwd, env)
  const [, url] = await larder.waitForOutput(/Acme is running at (http:\S+)[\s\S]+ready in/)
  t.is((await fetch(`${url}/v1/health/readiness`)).status, 200)
  for (const word of ['docs', 'mailbox', 'console', 'database', 'recipe', 'modules'])
    t.regex(larder.err(), new RegExp(`^  ${word} `, 'm'), word)
  t.regex(
    larder.err(),
    new RegExp(
      `^  links +in emails point to http://localhost:8080,.* PUBLIC_URL=http://localhost:${new URL(url ?? '').port}$`,
      'm',
    ),
  )
  larder.child.kill('SIGTERM')
  const { code, err } = await larder.ended
  t.is(code, 0)
  t.notRegex(err + larder.out(), /only tests may know/)
})

for (const command of ['start', 'dev'])
  test.serial(`${command} prints the warnings of the recipe, with file and line`, async t => {
    const { cwd, env } = await ready(t)
    const file = join(cwd, 'recipe.yaml')
    await writeFile(file, `${RECIPE}roles:\n  tenant.reader: { name: Reader, permissions: [] }\n`)
    const larder = spawnLarder(t, [command], cwd, env)
    await larder.waitForOutput(/Acme is running at/)
    t.regex(larder.err(), /recipe\.yaml:8:\d+[\s\S]+Role "tenant\.reader" has no permissions[\s\S]+1 warning\./)
    larder.child.kill('SIGTERM')
    t.is((await larder.ended).code, 0)
  })

test.serial('does not warn about a public URL that is correct or on another host', async t => {
  const { cwd, env } = await ready(t)
  const port = String(await freePort())
  for (const publicUrl of [`http://localhost:${port}`, 'https://acme.test']) {
    const larder = spawnLarder(t, ['web'], cwd, { ...env, PORT: port, PUBLIC_URL: publicUrl })
    await larder.waitForOutput(/ready in/)
    t.notRegex(larder.err(), /^ {2}links /m)
    larder.child.kill('SIGTERM')
    await larder.ended
  }
})

test.serial('start stops gracefully after the reader of its output has exited', async t => {
  const { cwd, env } = await ready(t)
  const larder = spawnLarder(t, ['start'], cwd, { ...env, LOG_LEVEL: 'info' }, 20_000)
  const [, url] = await larder.waitForOutput(/Acme is running at (http:\S+)[\s\S]+ready in/)
  larder.child.stdout?.destroy()
  larder.child.stderr?.destroy()
  t.is((await fetch(`${url}/v1/health/readiness`)).status, 200)
  larder.child.kill('SIGTERM')
  t.is((await larder.ended).code, 0)
})

test.serial('a worker sends the mail of a registration in a web process', async t => {
  const { cwd, env } = await ready(t)
  const web = spawnLarder(t, ['web'], cwd, env)
  const [, url] = await web.waitForOutput(/is running at (http:\S+)/)
  const worker = spawnLarder(t, ['worker'], cwd, env)
  await worker.waitForOutput(/worker is running/)
  const registered = await fetch(`${url}/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.test', password: 'correct horse battery' }),
  })
  t.is(registered.status, 201)
  const { token } = (await registered.json()) as { token: string }
  const sent = async () => {
    const answer = await fetch(`${url}/v1/communications/messages`, { headers: { authorization: `Bearer ${token}` } })
    const { data } = (await answer.json()) as { data: { status: string; to: string }[] }
    return data.some(mail => mail.to === 'ada@example.test' && mail.status === 'sent')
  }
  t.true(await waitFor(sent))
})

test.serial('a worker serves health checks and metrics on METRICS_PORT until it stops', async t => {
  const { cwd, env } = await ready(t)
  const worker = spawnLarder(t, ['worker'], cwd, { ...env, METRICS_PORT: '0' })
  const [, url = ''] = await worker.waitForOutput(/worker is running[\s\S]+metrics +(http:\S+)\/metrics[\s\S]+ready in/)
  for (const path of ['/v1/health', '/v1/health/readiness']) t.is((await fetch(url + path)).status, 200, path)
  t.regex(await (await fetch(`${url}/metrics`)).text(), /^larder_events_oldest_seconds \d/m)
  const METRICS_PORT = new URL(url).port
  const second = await run(t, ['worker'], cwd, { ...env, METRICS_PORT })
  t.is(second.code, 1)
  t.regex(second.err, new RegExp(`port ${METRICS_PORT} .*already in use.*METRICS_PORT=`))
  worker.child.kill('SIGTERM')
  t.is((await worker.ended).code, 0)
  await t.throwsAsync(fetch(`${url}/v1/health`))
})

test.serial('a port in use exits with 1 and names the port', async t => {
  const { cwd, env } = await ready(t)
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  t.teardown(() => void holder.close())
  const { port } = holder.address() as { port: number }
  const { code, err } = await run(t, ['start'], cwd, { ...env, PORT: String(port) })
  t.is(code, 1)
  t.regex(err, new RegExp(`port ${port} .*already in use.*PORT=`))
})

test.serial('an unreachable database exits with 1 and hides its password', async t => {
  const { cwd, env } = await ready(t)
  const DATABASE_URL = `postgres://owner:hunter2@127.0.0.1:${await freePort()}/acme`
  const { code, err, out } = await run(t, ['start'], cwd, { ...env, DATABASE_URL, DATABASE_WAIT_SECONDS: '1' })
  t.is(code, 1)
  t.regex(err, /can't connect to .*127\.0\.0\.1:\d+\/acme/)
  t.notRegex(err + out, /hunter2|\n {4}at /)
})

test.serial('starts an embedded database without any settings', async t => {
  const cwd = await temporaryFolder(t)
  const larder = spawnLarder(t, ['start'], cwd, { PORT: '0' })
  const [, url] = await larder.waitForOutput(/is running at (http:\S+)[\s\S]+ready in/)
  t.is((await fetch(`${url}/v1/health/readiness`)).status, 200)
  t.true(existsSync(join(cwd, '.larder', 'secret')))
  larder.child.kill('SIGINT')
  t.is((await larder.ended).code, 0)
})

test.serial('doctor passes for a working product and reports the error of a broken one', async t => {
  const { cwd, env } = await ready(t)
  const good = await run(t, ['doctor'], cwd, { ...env, PORT: String(await freePort()) })
  t.is(good.code, 0, good.out)
  t.notRegex(good.out, /^(fail|warn)/m)
  t.notRegex(good.out, /only tests may know/)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE.replace('identity', 'idenity'))
  const bad = await run(t, ['doctor'], cwd, env)
  t.is(bad.code, 1)
  t.regex(bad.out, /^fail +the recipe[\s\S]+identity/m)
})
