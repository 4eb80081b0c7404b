/** Signals during a start, and starts without a database. */
import { spawn } from 'node:child_process'
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { pino } from 'pino'
import { resolveEmbeddedPaths } from '../../services/postgres/embedded/paths.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { createProxy } from '../services/postgres/proxy.ts'
import { CLEAN_ENV, LARDER, run, spawnLarder, temporaryFolder } from './command.ts'

const RECIPE = 'recipe: 1\nproduct: { key: test, name: Test, publicUrl: "http://localhost" }\nmodules: {}\n'

async function createProject(t: ExecutionContext): Promise<string> {
  const cwd = await temporaryFolder(t)
  await writeFile(`${cwd}/recipe.yaml`, RECIPE)
  return cwd
}

/** Processes whose command line or working folder names this folder. */
async function processesIn(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue
    const [command, cwd] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
      readlink(`/proc/${pid}/cwd`).catch(() => ''),
    ])
    if (command.includes(folder) || cwd.startsWith(folder)) found.push(`${pid} ${command.replaceAll('\0', ' ')}`)
  }
  return found
}

for (const [signal, delays] of [
  ['SIGINT', [0, 500, 1000, 2000]],
  ['SIGTERM', [300]],
] as const)
  test.serial(`${signal} during a start leaves no process behind`, async t => {
    for (const delay of delays) {
      const cwd = await createProject(t)
      const larder = spawnLarder(t, ['start', 'recipe.yaml'], cwd, { PORT: '0' })
      await larder.waitForOutput(/connecting to the database/)
      await pause(delay)
      larder.child.kill(signal)
      const { code, err } = await larder.ended
      t.is(code, 0, err)
      const { home } = await resolveEmbeddedPaths(`${cwd}/.larder`, pino({ level: 'silent' }))
      t.deepEqual(await processesIn(home), [], `${delay} ms`)
    }
  })

for (const [when, output] of [
  ['a start', /connecting to the database/],
  ['service', /is running at/],
] as const)
  test.serial(`SIGTERM to npm during ${when} leaves no process behind`, async t => {
    const cwd = await createProject(t)
    const start = `"${process.execPath}" "${LARDER}" start recipe.yaml`
    await writeFile(`${cwd}/package.json`, JSON.stringify({ private: true, scripts: { start } }))
    const npm = spawn('npm', ['start'], {
      cwd,
      env: { ...CLEAN_ENV, LARDER_DATA: `${cwd}/.larder`, PORT: '0' },
      detached: true,
    })
    t.teardown(() => {
      try {
        process.kill(-(npm.pid as number), 'SIGKILL')
      } catch {}
    })
    let printed = ''
    for (const stream of [npm.stdout, npm.stderr])
      stream.on('data', text => {
        printed += text
      })
    await waitFor(() => output.test(printed), Boolean, 120)
    npm.kill('SIGTERM')
    const { home } = await resolveEmbeddedPaths(`${cwd}/.larder`, pino({ level: 'silent' }))
    const left = async () => [...(await processesIn(cwd)), ...(await processesIn(home))]
    t.deepEqual(await waitFor(left, ({ length }) => length === 0, 120), [])
  })

test.serial('a start waits for its database', async t => {
  const cwd = await createProject(t)
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const target = new URL(database.ownerUrl)
  const port = await freePort()
  const env = {
    PORT: '0',
    LARDER_SECRET: 'a secret that only tests may know of',
    DATABASE_URL: Object.assign(new URL(database.ownerUrl), { port }).href,
  }
  const larder = spawnLarder(t, ['start', 'recipe.yaml'], cwd, env)
  await larder.waitForOutput(/unreachable.*60 s/)
  const proxy = await createProxy(target, port)
  t.teardown(() => proxy.close())
  await larder.waitForOutput(/is running at/)
  larder.child.kill('SIGTERM')
  t.is((await larder.ended).code, 0)
})

test.serial('a start gives up on an unreachable database after DATABASE_WAIT_SECONDS', async t => {
  const { code, err } = await run(t, ['start', 'recipe.yaml'], await createProject(t), {
    LARDER_SECRET: 'a secret that only tests may know of',
    DATABASE_URL: `postgresql://nobody@127.0.0.1:${await freePort()}/none`,
    DATABASE_WAIT_SECONDS: '2',
  })
  t.is(code, 1)
  t.regex(err, /can't connect to PostgreSQL.*connection refused/s)
})
