/** This release beside a later one. */
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { HOUR } from '../../kernel/base/units.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { LARDER, type RunningCommand, spawnLarder, temporaryFolder } from '../bin/command.ts'
import { registerAt } from '../fixtures/register-at.ts'
import { connectAsOwner } from './fixtures.ts'
import { kill, type LarderProcess, type Test } from './processes.ts'

const CLIENTS = 2
const REQUESTS_PER_PHASE = 60
const PAUSE_MS = 20
const LATER_VERSION = '99.0.0'

const recipe = (more: string) => `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules: { identity: {}, collections: {} }
collections:
  courses:
    fields: { title: { type: text, unique: true, required: true }${more} }
    search: [title]
    history: 3
    access: { read: { tenant.owner: true }, create: { tenant.owner: true }, update: { tenant.owner: true } }
`
const RECIPES = {
  own: recipe(''),
  later: recipe(', seats: { type: integer, required: true, default: 1, index: true }'),
}
type Release = keyof typeof RECIPES

/** What the later release adds to every table of a module. @param prefix of its tables. */
const expand = (prefix: string): string => `
  do $$ declare changed regclass; begin
    for changed in select oid::regclass from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and starts_with(relname, '${prefix}_')
    loop execute format('alter table %s add column later text not null default %L', changed, 'later'); end loop;
  end $$;
  create table ${prefix}_later (id text)`
/** By the folder of the migrations in the build. */
const EXPANDS: Readonly<Record<string, string>> = {
  'services/postgres': expand('larder'),
  'modules/identity': expand('identity'),
  'modules/collections': expand('collections'),
}

test('two releases serve one database, restart beside each other, and go back', async t => {
  const { start, spawn, owner } = await createReleases(t)
  const running = new Map<Release, LarderProcess>()
  const failed: string[] = []
  const busy = new Set<Promise<void>>()
  let answered = 0
  let created = 0
  let stopping = false
  const open = async (release: Release) => void running.set(release, await start(release))
  const end = async (release: Release, signal: NodeJS.Signals) => {
    const ended = running.get(release) as LarderProcess
    running.delete(release)
    // The proxy has stopped sending requests.
    await Promise.all(busy)
    return kill(ended, signal)
  }
  await open('own')
  const { token } = await registerAt(running.get('own')?.url ?? '')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  async function send(release: Release, url: string, n: number): Promise<void> {
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      const text = await answer.text()
      if (answer.ok) answered++
      else failed.push(`${release} ${method} ${path}: ${answer.status} ${text}`)
      return answer.ok ? JSON.parse(text) : {}
    }
    const seats = release === 'later' && { seats: n }
    const { id } = await call('POST', '/data/courses', { title: `course ${n}`, ...seats })
    const changed = await call('PATCH', `/data/courses/${id}`, { title: `course ${n} changed` })
    if (changed.title !== `course ${n} changed`) failed.push(`${release}: ${JSON.stringify(changed)}`)
    await call('GET', '/data/courses?q=changed')
    await call('GET', `/data/courses/${id}/history`)
    await call('GET', '/me')
  }
  async function client(): Promise<void> {
    while (!stopping) {
      const releases = [...running]
      const n = created++
      const [release, { url }] = releases[n % releases.length] as [Release, LarderProcess]
      const sent = send(release, url, n).catch(error => void failed.push(`${release}: ${error}`))
      busy.add(sent)
      await sent
      busy.delete(sent)
      // Leaves processor time to the processes that start.
      await pause(PAUSE_MS)
    }
  }
  const phase = async () => {
    for (const [release, { url }] of running)
      t.is((await fetch(`${url}/v1/health/readiness`)).status, 200, `${release} is ready`)
    const until = answered + REQUESTS_PER_PHASE
    while (answered < until && failed.length === 0) await pause(PAUSE_MS)
  }
  const clients = Array.from({ length: CLIENTS }, client)
  try {
    await phase()
    await open('later')
    await phase()
    // What an autoscaler or a crash does in the middle of a deploy.
    await end('own', 'SIGKILL')
    await open('own')
    await phase()
    await end('later', 'SIGKILL')
    await open('later')
    await phase()
    // The deploy is taken back, and the release that remains starts once more.
    await end('own', 'SIGKILL')
    await open('own')
    t.is(await end('later', 'SIGTERM'), 0)
    await phase()
  } finally {
    stopping = true
    await Promise.all(clients)
  }
  t.log(`${answered} requests`)
  t.deepEqual(failed.slice(0, 5), [])

  await owner.query("update larder_migrations set expands = false where module = 'identity' and release = $1", [
    LATER_VERSION,
  ])
  const { code, err } = await spawn('own').ended
  t.is(code, 1)
  t.regex(err, new RegExp(`Module identity of this release .*-later \\(applied by Larder ${LATER_VERSION} on 20`))
})

async function createReleases(t: Test) {
  const folder = await temporaryFolder(t)
  const programs = { own: LARDER, later: await laterRelease(folder) }
  const database = await createTestDatabase({ migrations: [] })
  const owner = connectAsOwner(database.ownerUrl)
  t.teardown(async () => {
    await owner.end()
    await database.drop()
  })
  for (const [release, text] of Object.entries(RECIPES)) await writeFile(join(folder, `${release}.yaml`), text)
  const env = {
    DATABASE_URL: database.ownerUrl,
    LARDER_SECRET: 'a secret that only tests may know of',
    PORT: '0',
    LARDER_APPLY: 'safe',
    RATE_LIMITS: 'off',
  }
  const spawn = (release: Release): RunningCommand =>
    spawnLarder(t, ['web', join(folder, `${release}.yaml`)], folder, env, HOUR, programs[release])
  return {
    owner,
    spawn,
    async start(release: Release): Promise<LarderProcess> {
      const running = spawn(release)
      const [, url = ''] = await running.waitForOutput(/is running at (http:\S+)/)
      return { ...running, url }
    },
  }
}

/** A copy of the package with a higher version and further migrations that only add. Returns its program. */
async function laterRelease(folder: string): Promise<string> {
  const root = fileURLToPath(packageRoot)
  const later = join(folder, 'later')
  for (const part of ['recipes', 'themes', 'dist'])
    await cp(join(root, part), join(later, part), {
      recursive: true,
      filter: path => !/\/dist\/(test|bench)$/.test(path),
    })
  await symlink(join(root, 'node_modules'), join(later, 'node_modules'))
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await writeFile(join(later, 'package.json'), JSON.stringify({ ...manifest, version: LATER_VERSION }))
  for (const [part, sql] of Object.entries(EXPANDS)) {
    const migrations = join(later, 'dist', part, 'migrations')
    const last =
      (await readdir(migrations))
        .filter(name => name.endsWith('.js'))
        .sort()
        .at(-1) ?? ''
    const number = String(Number(last.slice(0, 4)) + 1).padStart(4, '0')
    const text = `export const expands = true\nexport const up = ({ query }) => query(${JSON.stringify(sql)})\n`
    await writeFile(join(migrations, `${number}-later.js`), text)
  }
  return join(later, 'dist/bin/larder.js')
}
