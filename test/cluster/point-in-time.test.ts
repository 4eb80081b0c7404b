/** The commands of docs/point-in-time-recovery.md, on Debian's PostgreSQL with the files of `deploy/pgbackrest`. */
import { execFile } from 'node:child_process'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, TEST_PASSWORD } from '../../testing/index.ts'
import { deployFile } from '../fixtures/deploy-file.ts'
import { expectStatus } from '../fixtures/people.ts'
import { waitFor } from '../fixtures/wait.ts'
import { startReceiver } from '../modules/webhooks/receiver.ts'
import { DEBIAN_PASSWORD, type DebianPostgres, startDebianPostgres } from '../system/debian-postgres.ts'

const PAGE = new URL('docs/point-in-time-recovery.md', packageRoot)
const MOMENT_OF_DOCS = '2026-11-29 14:05:00+00'
const SECRET = 'the secret of an installation that goes back'

test('an installation goes back to the moment between two writes, sends nothing again, and goes on', async t => {
  const page = await readFile(PAGE, 'utf8')
  const blocks = [...page.matchAll(/(?:^ {8}pgbackrest .*\n)+/gm)].map(([block]) => block)
  t.is(blocks.length, 3)
  const [setUp = '', goBack = '', full = ''] = blocks
  const config = await deployFile('pgbackrest/archive.conf', {})
  const server = await startDebianPostgres(t, folder => ({ config, env: environmentOf(folder) }))
  const run = await repositoryOf(server)
  await run(setUp)

  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  await server.query(`create role ada login createrole password '${DEBIAN_PASSWORD}'`)
  await server.query('create database larder owner ada')
  const start = (role: 'web' | 'worker' | 'all') =>
    startTestKernel({
      recipe: recipeOf(receiver.url),
      role,
      database: server.url('larder', 'ada'),
      env: { LARDER_SECRET: SECRET, LARDER_DATA: server.folder },
    })
  const web = await start('web')
  const ada = await web.register('ada@example.test')
  const write = async (title: string) => expectStatus(201, await ada.post('/v1/data/notes', { title }))
  await write('before the backup')
  await run(full)
  await write('before the moment')
  const [row] = await server.query('select clock_timestamp()::text as moment')
  const worker = await start('worker')
  await write('after the moment')
  await receiver.came(3)
  for (const kernel of [web, worker]) await kernel.stop()
  await server.query('drop table data_notes', 'larder')
  await server.query('select pg_switch_wal()')
  await server.stop()

  t.true(goBack.includes(MOMENT_OF_DOCS))
  await run(goBack.replace(MOMENT_OF_DOCS, String(row?.moment)))
  await server.start()
  await waitFor(
    () => server.query('select pg_is_in_recovery() as recovers'),
    ([state]) => state?.recovers === false,
  )
  const [, hold = ''] = /-c '(update larder_installation .*)'/.exec(page) ?? []
  await server.query(hold, 'larder')

  const second = await start('all')
  t.teardown(() => second.stop())
  const login = await second.post('/v1/auth/login', { email: 'ada@example.test', password: TEST_PASSWORD })
  const owner = second.as(expectStatus(200, login).token, ada.tenantId)
  const titles = async () => {
    const { data } = expectStatus(200, await owner.get<{ data: { title: string }[] }>('/v1/data/notes?sort=createdAt'))
    return data.map(({ title }) => title)
  }
  t.deepEqual(await titles(), ['before the backup', 'before the moment'])
  expectStatus(201, await owner.post('/v1/data/notes', { title: 'after the restore' }))
  t.deepEqual(await titles(), ['before the backup', 'before the moment', 'after the restore'])
  const waiting = () =>
    server.query(`select from webhooks_deliveries where status = 'pending' and next_attempt_at <= now()`, 'larder')
  await waitFor(waiting, found => found.length === 3)
  t.is(receiver.received.length, 3, 'the installation is held')
  await run(full)
})

const environmentOf = (folder: string) => ({ PGBACKREST_CONFIG: join(folder, 'pgbackrest.conf') })

/** Creates the repository. Returns what runs a block of the docs as the user of the server. */
async function repositoryOf({ folder, data, port, user }: DebianPostgres): Promise<(block: string) => Promise<void>> {
  const paths = Object.fromEntries(['repository', 'log', 'lock'].map(name => [name, join(folder, name)]))
  const file = environmentOf(folder).PGBACKREST_CONFIG
  await writeFile(
    file,
    await deployFile('pgbackrest/pgbackrest.conf', {
      '/var/lib/pgbackrest': String(paths.repository),
      '/var/lib/postgresql/15/main': data,
      '<passphrase>': 'only-tests-know-it',
      '[larder]': `log-path=${paths.log}\nlock-path=${paths.lock}\n\n[larder]\npg1-port=${port}\npg1-socket-path=${folder}\npg1-user=postgres`,
    }),
  )
  for (const path of Object.values(paths)) await mkdir(path)
  if (user.uid !== undefined)
    for (const path of [file, ...Object.values(paths)]) await chown(path, user.uid, user.gid as number)
  const env = { PATH: process.env.PATH, LC_ALL: 'C', PGPASSWORD: DEBIAN_PASSWORD, ...environmentOf(folder) }
  return async block => {
    await promisify(execFile)('bash', ['-ec', block], { ...user, cwd: '/', env, maxBuffer: 1e8 })
  }
}

const recipeOf = (url: string) => ({
  modules: { identity: {}, collections: {}, webhooks: { allowHosts: '127.0.0.1' } },
  collections: { notes: { fields: { title: { type: 'text', required: true } } } },
  webhooks: { endpoints: { all: { url: `${url}/hooks`, events: ['collections.notes.created'] } } },
})
