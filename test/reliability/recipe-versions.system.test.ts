import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { HOUR } from '../../kernel/base/units.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { spawnLarder, temporaryFolder } from '../bin/command.ts'
import { registerAt } from '../fixtures/register-at.ts'
import { kill, type LarderProcess, type Test } from './processes.ts'

const CLIENTS = 4
const REQUESTS_PER_PHASE = 100

/** The recipe with these fields, and with everything else equal. */
const recipe = (fields: string, search: string) => `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules: { identity: {}, collections: {} }
collections:
  courses:
    fields: { ${fields} }
    search: [${search}]
    history: 3
    access: { read: { tenant.owner: true }, create: { tenant.owner: true }, update: { tenant.owner: true } }
`
const RECIPES = {
  earlier: recipe('title: { type: text, unique: true, required: true }', 'title'),
  later: recipe(
    'name: { type: text, unique: true, required: true, was: title }, seats: { type: integer, required: true, default: 1 }',
    'name',
  ),
  last: recipe(
    'name: { type: text, unique: true, required: true }, seats: { type: integer, required: true, default: 1 }',
    'name',
  ),
}
type Version = keyof typeof RECIPES

test('a rolling deploy of a renamed field, its rollback and its repetition fail no request', async t => {
  const larder = await createVersions(t)
  const failed: string[] = []
  let answered = 0
  let created = 0
  const running = new Map<Version, LarderProcess>()
  const start = async (version: Version) => void running.set(version, await larder.start(version))
  const stop = async (version: Version) => {
    const process = running.get(version)
    running.delete(version)
    // The proxy has stopped sending requests.
    await Promise.all(busy)
    if (process) t.is(await kill(process, 'SIGTERM'), 0)
  }
  await start('earlier')
  const { token } = await registerAt(running.get('earlier')?.url ?? '')
  const busy = new Set<Promise<void>>()

  async function send(version: Version, url: string, n: number): Promise<void> {
    const field = version === 'earlier' ? 'title' : 'name'
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${url}/v1/data/courses${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.ok) answered++
      else failed.push(`${version} ${method} ${path}: ${answer.status} ${text}`)
      return answer.ok ? JSON.parse(text) : {}
    }
    const { id } = await call('POST', '', { [field]: `course ${n}` })
    const changed = await call('PATCH', `/${id}`, { [field]: `course ${n} changed` })
    if (changed[field] !== `course ${n} changed`) failed.push(`${version}: ${JSON.stringify(changed)}`)
    await call('GET', `?filter[${field}]=course ${n} changed&sort=${field}`)
    await call('GET', `?q=changed`)
    await call('GET', `/${id}/history`)
  }
  let stopping = false
  async function client(): Promise<void> {
    while (!stopping) {
      const versions = [...running]
      const n = created++
      const [version, process] = versions[n % versions.length] as [Version, LarderProcess]
      const sent = send(version, process.url, n)
      busy.add(sent)
      await sent.catch(error => failed.push(`${version}: ${error}`))
      busy.delete(sent)
    }
  }
  const phase = async () => {
    const until = answered + REQUESTS_PER_PHASE
    while (answered < until && failed.length === 0) await new Promise(resolve => setTimeout(resolve, 50))
  }
  const clients = Array.from({ length: CLIENTS }, client)
  const ready = async () => {
    for (const [version, { url }] of running)
      t.is((await fetch(`${url}/v1/health/readiness`)).status, 200, `${version} is ready`)
  }
  try {
    await phase()
    await start('later')
    await phase()
    await ready()
    await stop('earlier')
    await phase()
    await start('earlier')
    await phase()
    await ready()
    await stop('later')
    await phase()
    await start('later')
    await phase()
    await stop('earlier')
    await start('last')
    await phase()
    await ready()
    await stop('later')
    await phase()
  } finally {
    stopping = true
    await Promise.all(clients)
  }
  t.log(`${answered} requests`)
  t.deepEqual(failed.slice(0, 5), [])
})

async function createVersions(t: Test) {
  const cwd = await temporaryFolder(t)
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const env = {
    DATABASE_URL: database.ownerUrl,
    LARDER_SECRET: 'a secret that only tests may know of',
    PORT: '0',
    LARDER_APPLY: 'safe',
    RATE_LIMITS: 'off',
  }
  return {
    async start(version: Version): Promise<LarderProcess> {
      const file = join(cwd, `${version}.yaml`)
      await writeFile(file, RECIPES[version])
      const running = spawnLarder(t, ['web', file], cwd, env, HOUR)
      const [, url = ''] = await running.waitForOutput(/is running at (http:\S+)/)
      return { ...running, url }
    },
  }
}
