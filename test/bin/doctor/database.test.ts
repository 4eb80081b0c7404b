import test from 'ava'
import pg from 'pg'
import { readSettings } from '../../../bin/composition.ts'
import {
  databaseClock,
  judgePooler,
  judgeProcesses,
  judgeReplication,
  pooler,
  serverVersion,
} from '../../../bin/doctor/cluster.ts'
import { database, judgeBackup, judgeRoles, judgeSharing } from '../../../bin/doctor/database.ts'
import { publicUrl } from '../../../bin/doctor/examine.ts'
import { askProduct, judgeAnswer } from '../../../bin/doctor/proxy.ts'
import { createSecrets, packageVersion } from '../../../kernel/base/index.ts'
import { startTestKernel, type TestKernel } from '../../../testing/index.ts'

let kernel: TestKernel
let owner: pg.Client
test.before(async () => {
  kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {} } } })
  owner = new pg.Client(kernel.databaseUrl)
  owner.on('error', () => {})
  await owner.connect()
})
test.after.always(async () => {
  await owner?.end()
  await kernel?.stop()
})

const settings = () => readSettings({ DATABASE_URL: kernel.databaseUrl, LARDER_SECRET: 'x'.repeat(44) })
const examined = () => database(settings(), {})

test.serial('reads the age of the last backup, and compares the version of ICU with that of the indexes', async t => {
  const warnings = async () =>
    // Databases of tests share roles.
    (await examined()).filter(({ state, what }) => state === 'warn' && !what.startsWith('the role'))
  t.deepEqual(await warnings(), [])
  await owner.query(`update pg_collation set collversion = '1' where collname = 'larder_names'`)
  await owner.query(`update larder_installation set backed_up_at = now() - interval '8 days'`)
  const [backup, warning] = await warnings()
  await owner.query('update larder_installation set backed_up_at = null')
  t.regex(backup?.what ?? '', /^the last backup is of 20/)
  t.regex(warning?.what ?? '', /another version of ICU \(1 → [\d.]+\)/)
  t.regex(warning?.fix ?? '', /larder recipe apply/)
})

test.serial('compares clocks, and says what is not known of backups and standbys', async t => {
  const said = (await examined()).map(({ state, what }) => `${state} ${what}`)
  t.true(
    said.some(line => /^ok the clocks of this machine and of the database agree/.test(line)),
    said.join('\n'),
  )
  t.true(said.includes('skip larder backup has not backed up this database: another tool may'))
  t.true(said.includes('skip no standby is connected to the database'))
})

test('warns of a backup that is a week old', t => {
  const at = new Date('2026-11-29T03:00:00Z')
  t.deepEqual(
    [6, 7].map(days => judgeBackup(at, days)).map(({ state, what }) => `${state} ${what}`),
    ['ok the last backup is of 2026-11-29T03:00:00.000Z', 'warn the last backup is of 2026-11-29T03:00:00.000Z'],
  )
})

test.serial('a database that refuses writes is a failure', async t => {
  const url = new URL(kernel.databaseUrl)
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  const [finding, ...more] = await database(readSettings({ DATABASE_URL: url.href, LARDER_SECRET: 'x'.repeat(44) }), {})
  t.deepEqual(more, [])
  t.is(finding?.state, 'fail')
  t.regex(finding?.what ?? '', /is read-only: it is a standby, or/)
})

const facts = { canCreateRoles: false, appRoleExists: true, appBypassesRls: false, isOpen: false }

test('judges the role that serves requests', t => {
  const judged = (more: Partial<typeof facts>, databaseAppUrl?: string) =>
    judgeRoles('app', { ...facts, ...more }, { databaseAppUrl }).map(({ state, what }) => `${state} ${what}`)
  t.deepEqual(judged({}), ['ok the role app exists and is subject to row level security'])
  t.deepEqual(judged({ appBypassesRls: true }), ['fail the role app bypasses row level security'])
  const missing = { appRoleExists: false }
  t.deepEqual(judged({ ...missing, canCreateRoles: true }), ['ok larder migrate creates the role app'])
  t.deepEqual(judged(missing), ['fail the user of DATABASE_URL is not allowed to create the role app'])
  t.deepEqual(judged(missing, 'postgres://app@db'), ['ok DATABASE_APP_URL names the role that requests use'])
})

test('warns of roles that other databases have, too, and of a database that every login may open', t => {
  const judged = (app: string, more: Partial<typeof facts>, ...others: string[]) =>
    judgeSharing({ app, system: app.replace('app', 'system') }, { ...facts, ...more }, others).map(
      ({ state, what, fix }) => `${state} ${what}: ${fix}`,
    )
  t.deepEqual(judged('larder_app_7', {}), [])
  t.regex(
    judged('larder_app', {}, 'shop').join(),
    /^warn the role larder_app also belongs to .* shop: Run larder migrate/,
  )
  t.regex(judged('larder_app_7', {}, 'shop').join(), /^warn the role larder_app_7 .* with another LARDER_SECRET/)
  t.regex(judged('larder_app_7', { isOpen: true }).join(), /^warn every login of the server may connect/)
  t.deepEqual(judged('larder_app_7', { isOpen: true, appRoleExists: false }), [])
})

test('a public URL without TLS is a warning, but for this machine', async t => {
  const said = async (url: string) => {
    const settings = readSettings({ PUBLIC_URL: url, LARDER_DATA: '/tmp/no/such/folder' })
    return (await publicUrl(settings, Promise.resolve(undefined))).map(({ state, what }) => `${state} ${what}`)
  }
  t.deepEqual(await said('http://app.example.com'), [
    'warn http://app.example.com is not encrypted: passwords and cookies can be read on their way',
    'skip without LARDER_SECRET, the product is not asked what proxies tell it',
  ])
  t.deepEqual(await said('http://localhost:8080'), [
    'skip http://localhost:8080 is reached from this machine only: no certificate, no proxy',
  ])
})

test('a clock of the database that is apart is a failure', async t => {
  const [finding] = await databaseClock(async () => ({ rows: [{ now: Date.now() / 1000 + 60 }] }))
  t.is(finding?.state, 'fail')
  t.regex(finding?.what ?? '', /^the clock of this machine is 60 s behind that of the database$/)
})

test('a connection of its own is no pooler', async t => {
  t.regex((await pooler(settings()))[0]?.what ?? '', /^DATABASE_URL leads to a connection of its own/)
  t.is((await pooler(readSettings({})))[0]?.state, 'skip')
})

test('a pooler in transaction mode needs a direct URL past it', t => {
  t.deepEqual(
    [
      judgePooler('own', undefined),
      judgePooler('transaction', 'own'),
      judgePooler('transaction', undefined),
      judgePooler('transaction', 'transaction'),
      judgePooler('statement', 'own'),
    ].map(({ state }) => state),
    ['ok', 'ok', 'fail', 'fail', 'fail'],
  )
})

test('the process at the public URL says what it sees of a request of a stranger', async t => {
  const url = new URL(kernel.url)
  const answer = await askProduct(url, kernel.kernel.ports.secrets)
  t.is(answer.seen?.version, packageVersion)
  t.true(Math.abs(answer.offsetMs ?? Number.NaN) < 5000)
  t.like(answer.seen?.headers, { 'x-forwarded-for': '192.0.2.77', host: url.host })
  t.is((await askProduct(url, createSecrets(['another secret of 32 characters or more']))).status, 401)
  const strangers = judgeAnswer(url, { status: 401, offsetMs: 0, seen: undefined })
  t.regex(strangers[0]?.what ?? '', /has another LARDER_SECRET, or a clock/)
})

test('names the versions of the processes', t => {
  const states = (...names: string[]) => judgeProcesses(names.map(name => ({ name, connections: 1 })))[0]?.state
  t.is(states(), 'skip')
  t.is(states(`larder web ${packageVersion}`, `larder worker ${packageVersion}`), 'ok')
  t.is(states('larder web 0.0.1'), 'warn')
  const [several] = judgeProcesses(
    [`larder web ${packageVersion}`, 'larder worker 99.0.0'].map(name => ({ name, connections: 1 })),
  )
  t.is(several?.state, 'warn')
  t.regex(several?.fix ?? '', /^Several releases run side by side/)
})

test('knows the supported versions of PostgreSQL', t => {
  t.deepEqual(
    ['14.9', '15.10 (Debian 15.10-0+deb12u1)', '18.1', '19beta1'].map(version => serverVersion(version).state),
    ['fail', 'ok', 'ok', 'warn'],
  )
})

test('judges the lag of standbys, and commits that wait for one', t => {
  const standby = { name: 'db2', state: 'streaming', syncState: 'async', lagBytes: 1024, lagSeconds: 0 }
  const states = (names: string, ...standbys: (typeof standby | { lagBytes: null; state: null })[]) =>
    judgeReplication(
      standbys.map(each => ({ ...standby, ...each })),
      names,
    ).map(({ state }) => state)
  t.deepEqual(states('', standby), ['ok'])
  t.deepEqual(states('', { ...standby, lagSeconds: 600 }), ['warn'])
  t.deepEqual(states('', { ...standby, lagBytes: 1e9 }), ['warn'])
  t.deepEqual(states('', { ...standby, state: 'catchup' }), ['warn'])
  t.deepEqual(states('', { lagBytes: null, state: null }), ['skip'])
  t.deepEqual(states('db2', standby), ['fail'])
  t.deepEqual(states('db2', { ...standby, syncState: 'sync' }), ['ok'])
})
