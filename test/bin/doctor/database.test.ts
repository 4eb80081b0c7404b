import test from 'ava'
import pg from 'pg'
import { readSettings } from '../../../bin/composition.ts'
import { judgePooler, judgeProcesses, judgeReplication, pooler, serverVersion } from '../../../bin/doctor/cluster.ts'
import { database } from '../../../bin/doctor/database.ts'
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

test.serial('compares the version of ICU with that of the indexes', async t => {
  const warnings = async () =>
    // Databases of tests share roles.
    (await examined()).filter(({ state, what }) => state === 'warn' && !what.startsWith('the role'))
  t.deepEqual(await warnings(), [])
  await owner.query(`update pg_collation set collversion = '1' where collname = 'larder_names'`)
  const [warning] = await warnings()
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
  t.is(states('larder web 0.0.1', `larder worker ${packageVersion}`), 'warn')
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
