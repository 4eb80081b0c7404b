import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../../../services/postgres/embedded/embedded.ts'
import { resolveEmbeddedPaths } from '../../../services/postgres/embedded/paths.ts'
import { isAlive } from '../../../services/postgres/embedded/processes.ts'
import { type Postmaster, readPostmaster } from '../../../services/postgres/embedded/server.ts'
import { openDatabase } from '../../../services/postgres/open.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { log, secret, sets } from './fixtures.ts'

let dataDir: string
let durableDir: string
async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'larder-embedded-'))
  // The server of a root user runs as another user; its data would be in another folder.
  await chmod(path, 0o755)
  return path
}
test.before(async () => {
  ;[dataDir, durableDir] = await Promise.all([folder(), folder()])
})
test.after.always(async () => {
  for (const dir of [dataDir, durableDir]) await rm(dir, { recursive: true, force: true })
})
/** Stops the servers that a failed test left running. */
test.afterEach.always(async () => {
  for (const dir of [dataDir, durableDir]) {
    const running = await readPostmaster(await resolveEmbeddedPaths(dir, log))
    if (!running || !(await isAlive(running.pid))) continue
    process.kill(running.pid, 'SIGQUIT')
    while (await isAlive(running.pid)) await new Promise(resolve => setTimeout(resolve, 20))
  }
})

const start = () => startEmbedded({ dataDir, log, durable: false })
const paths = () => resolveEmbeddedPaths(dataDir, log)
const pidOf = async () => (await readPostmaster(await paths()))?.pid
async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return Object.values((await client.query(sql)).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

test.serial('starts in an empty folder, keeps its data, and stops after the last lease is released', async t => {
  const first = await start()
  await ask(first.url, 'create table kept (id int)')
  const second = await start()
  t.is(second.url, first.url)
  const pid = (await pidOf()) as number
  await first.stop()
  t.is(await ask(second.url, 'select count(*)::int from kept'), 0)
  await second.stop()
  t.false(await isAlive(pid))
  const again = await start()
  t.is(again.url, first.url, 'the port stays')
  t.is(await ask(again.url, 'select count(*)::int from kept'), 0)
  t.is(await ask(again.url, "select lower('ÄÖ')"), 'äö')
  await again.stop()
  await again.stop()
})

test.serial('requires the password, which only the owner of the folder can read', async t => {
  const { url, stop } = await start()
  const { mode } = await stat(join((await paths()).home, 'password'))
  t.is(mode & 0o777, 0o600)
  const wrong = Object.assign(new URL(url), { password: 'wrong' }).href
  await t.throwsAsync(ask(wrong, 'select 1'), { code: '28P01' })
  await stop()
})

test.serial('processes that start concurrently share one server', async t => {
  for (let round = 0; round < 3; round++) {
    const servers = await Promise.all([start(), start(), start(), start()])
    t.is(new Set(servers.map(({ url }) => url)).size, 1)
    await Promise.all(servers.map(({ stop }) => stop()))
    t.is(await pidOf(), undefined)
  }
})

test.serial('a start chooses another port if a program takes the port before the server does', async t => {
  const first = await start()
  const { home } = await paths()
  await first.stop()
  const { port } = new URL(first.url)
  const starting = start()
  // The log is created between the choice of the port and the start of the server.
  await waitFor(async () => (await readdir(home)).some(name => name.startsWith('server.log.')))
  const program = createServer(socket => socket.destroy()).listen(Number(port), '127.0.0.1')
  t.teardown(() => program.close())
  const server = await starting
  t.not(new URL(server.url).port, port)
  t.is(await ask(server.url, 'select 1'), 1)
  await server.stop()
})

test.serial('a start during the last stop results in a running server', async t => {
  let server = await start()
  for (let i = 0; i < 5; i++) {
    const [, next] = await Promise.all([server.stop(), start()])
    t.is(await ask(next.url, 'select 1'), 1)
    server = next
  }
  await server.stop()
})

test.serial('the next process finds and stops the server of a killed process', async t => {
  const embedded = new URL('../../../services/postgres/embedded/embedded.js', import.meta.url).href
  const code = `
    import { startEmbedded } from '${embedded}'
    import { pino } from '${import.meta.resolve('pino')}'
    await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, durable: false, log: pino({ level: 'silent' }) })
    console.log('up')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const pid = (await pidOf()) as number
  child.kill('SIGKILL')
  await once(child, 'exit')
  t.true(await isAlive(pid))
  const server = await start()
  t.is(await pidOf(), pid)
  const leases = "select count(*)::int from pg_stat_activity where application_name = 'larder lease'"
  while ((await ask(server.url, leases)) !== 1);
  await server.stop()
  t.false(await isAlive(pid))
})

test.serial('restarts a killed server at the same address', async t => {
  const server = await start()
  const pid = (await pidOf()) as number
  process.kill(pid, 'SIGKILL')
  while ((await pidOf()) === pid) await new Promise(resolve => setTimeout(resolve, 20))
  const back = await start()
  t.is(back.url, server.url)
  t.is(await ask(server.url, 'select 1'), 1)
  await back.stop()
  await server.stop()
})

test.serial('takes a lease again after a lost connection, and still stops the server with the last one', async t => {
  const server = await start()
  const pid = (await pidOf()) as number
  const leases = (what: string) =>
    ask(server.url, `select ${what} from pg_stat_activity where application_name = 'larder lease'`)
  const first = await leases('pid')
  t.true(await leases('pg_terminate_backend(pid)'))
  while ([first, undefined].includes((await leases('pid')) as number | undefined));
  await server.stop()
  t.false(await isAlive(pid))
})

test.serial('stops the server while a lost lease is being taken again', async t => {
  let reportLost = () => {}
  const lost = new Promise<void>(resolve => {
    reportLost = resolve
  })
  const server = await startEmbedded({
    dataDir,
    log: pino({ level: 'warn' }, { write: () => reportLost() }),
    durable: false,
  })
  const pid = (await pidOf()) as number
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'larder lease'`
  t.true(await ask(server.url, terminate))
  await lost
  await server.stop()
  t.false(await isAlive(pid))
})

test.serial('ignores a pid file that names another program', async t => {
  await (await start()).stop()
  const file = join((await paths()).home, 'data', 'postmaster.pid')
  const other = execFile('sleep', ['60'])
  await writeFile(file, `${other.pid}\n/nowhere\n0\n54321\n\n127.0.0.1\n`)
  const server = await start()
  t.is(await ask(server.url, 'select 1'), 1)
  await server.stop()
  other.kill()
})

test.serial('ignores a pid file that names the PostgreSQL of another folder', async t => {
  await (await start()).stop()
  const other = await startEmbedded({ dataDir: durableDir, log })
  const { pid, port } = (await readPostmaster(await resolveEmbeddedPaths(durableDir, log))) as Postmaster
  const file = join((await paths()).home, 'data', 'postmaster.pid')
  await writeFile(file, `${pid}\n/nowhere\n0\n${port}\n\n127.0.0.1\n`)
  const server = await start()
  t.not(server.url, other.url)
  t.is(await ask(server.url, 'select 1'), 1)
  await server.stop()
  await other.stop()
})

test.serial(
  'never uses the data beside a process of a killed server, even if the pid file names another one',
  async t => {
    const server = await start()
    const pid = (await pidOf()) as number
    const client = new pg.Client(server.url)
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    process.kill(rows[0].pid, 'SIGSTOP')
    const other = execFile('sleep', ['60'])
    const file = join((await paths()).home, 'data', 'postmaster.pid')
    process.kill(pid, 'SIGKILL')
    await writeFile(file, `${other.pid}\n/nowhere\n0\n54321\n\n127.0.0.1\n`)
    const back = await start()
    t.is(await ask(back.url, 'select 1'), 1)
    t.false(await isAlive(rows[0].pid))
    other.kill()
    await client.end().catch(() => {})
    await back.stop()
    await server.stop()
  },
)

test.serial('starts after a crash that left an empty pid file', async t => {
  await (await start()).stop()
  await writeFile(join((await paths()).home, 'data', 'postmaster.pid'), '')
  const server = await start()
  t.is(await ask(server.url, 'select 1'), 1)
  await server.stop()
})

test.serial('starts while a process of a killed server still holds its shared memory', async t => {
  const server = await start()
  const pid = (await pidOf()) as number
  const client = new pg.Client(server.url)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  process.kill(rows[0].pid, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  while ((await pidOf()) === pid) await new Promise(resolve => setTimeout(resolve, 20))
  const back = await start()
  t.is(await ask(back.url, 'select 1'), 1)
  t.false(await isAlive(rows[0].pid))
  await client.end().catch(() => {})
  await back.stop()
  await server.stop()
})

test.serial('restarts a killed server that remains a zombie process', async t => {
  const embedded = new URL('../../../services/postgres/embedded/embedded.js', import.meta.url).href
  const code = `
    import { startEmbedded } from '${embedded}'
    import { pino } from '${import.meta.resolve('pino')}'
    await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, durable: false, log: pino({ level: 'silent' }) })
    console.log('up')
    // It no longer reaps its children.
    for (;;);`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  process.kill((await pidOf()) as number, 'SIGKILL')
  const server = await start()
  t.is(await ask(server.url, 'select 1'), 1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await server.stop()
})

test.serial('a failed start reports the log of the server', async t => {
  await (await start()).stop()
  const version = join((await paths()).home, 'data', 'PG_VERSION')
  await writeFile(version, '9.1\n')
  await t.throwsAsync(start(), { message: /does not start.*9\.1/s })
  await writeFile(version, '18\n')
})

test.serial('reports the SQL for missing roles, and serves after an administrator has run it', async t => {
  const server = await startEmbedded({ dataDir: durableDir, log })
  for (const sql of ["create role humble login password 'pw'", 'create database humble owner humble'])
    await ask(server.url, sql)
  const as = (username: string, password: string) =>
    Object.assign(new URL(server.url), { username, password, pathname: '/humble' }).href
  const refused = await openDatabase({ ownerUrl: as('humble', 'pw'), secrets: [secret], log })
  const error = (await t.throwsAsync(refused.migrate(sets), { message: /may not create the roles/ })) as Error
  await refused.close()
  const [, sql = ''] = /login larder_app_\d+:\n\n(.+)$/s.exec(error.message) ?? []
  for (const statement of sql.replace('…', 'pw').split(';')) await ask(server.url, statement)
  const [login = ''] = /larder_app_\d+/.exec(sql) ?? []
  const options = { ownerUrl: as('humble', 'pw'), appUrl: as(login, 'pw'), secrets: [secret], log }
  const db = await openDatabase(options)
  await db.migrate(sets)
  t.regex(await db.operatorTenantId(), /^ten_/)
  // The owner is not a superuser, so forced row level security applies to it. Its migrations still read every row.
  await db.database.tenant('ten_a').query("insert into test_things values ('ten_a', 'a', 'a')")
  t.is(await ask(options.ownerUrl, 'select count(*)::int from test_things'), 1)
  await db.close()
  await server.stop()
})

/** The secret of `durableDir` after the next test. */
const rotatedSecret = 'another secret of 32 characters!'

test.serial('the app role logs in with the password of any accepted secret and of no other', async t => {
  const server = await startEmbedded({ dataDir: durableDir, log })
  const open = (...secrets: string[]) => openDatabase({ ownerUrl: server.url, secrets, log })
  const [older, newer] = [secret, rotatedSecret]
  const first = await open(older)
  await first.migrate(sets)
  await first.ready()

  // While both secrets are accepted, processes with only the older one still work.
  const both = await open(newer, older)
  await both.migrate(sets)
  await both.ready()
  const late = await open(older)
  await late.ready()

  const last = await open(newer)
  await t.throwsAsync(last.ready())
  await last.migrate(sets)
  await last.ready()
  // A process with both secrets finds the right one on its next connection.
  const turning = await open(older, newer)
  await turning.ready()
  const stale = await open(older)
  await t.throwsAsync(stale.ready())
  for (const db of [first, both, late, last, turning, stale]) await db.close()
  await server.stop()
})

test.serial('rejects a role that could bypass row level security', async t => {
  const server = await startEmbedded({ dataDir: durableDir, log })
  const open = (appUrl: string) => openDatabase({ ownerUrl: server.url, appUrl, secrets: [rotatedSecret], log })
  const superuser = await open(server.url)
  await t.throwsAsync(superuser.migrate(sets), { message: /'larder' can't serve requests.*superuser/ })
  await superuser.close()

  const login = (name: string, rest = '') => {
    const url = Object.assign(new URL(server.url), { username: name, password: 'pw' }).href
    return ask(server.url, `create role ${name} login password 'pw' ${rest}`).then(() => url)
  }
  const known = await openDatabase({ ownerUrl: server.url, secrets: [rotatedSecret], log })
  const { app, system } = known.roles.roles
  await known.close()
  const bypassing = await open(await login('passes', `bypassrls in role ${app}`))
  await t.throwsAsync(bypassing.migrate(sets), { message: /may bypass row level security/ })
  await bypassing.close()
  const both = await open(await login('inherits', `in role ${app}, ${system}`))
  await t.throwsAsync(both.migrate(sets), { message: /inherits the rights of larder_system_\d+ / })
  await both.close()
  const outsiderUrl = await login('outsider')
  const outsider = await open(outsiderUrl)
  await t.throwsAsync(outsider.migrate(sets), { message: /'outsider' can't serve requests: it may not connect/ })
  await ask(server.url, 'grant connect on database larder to outsider')
  await t.throwsAsync(outsider.migrate(sets), {
    message: /is not a member of larder_app_\d+ that .*is not a member of larder_system_\d+ /,
  })
  await outsider.close()
  const separate = await open(await login('separate', `noinherit in role ${app}, ${system}`))
  await ask(server.url, 'grant connect on database larder to separate')
  await t.throwsAsync(separate.migrate(sets), { message: /is not a member of larder_app_\d+ that inherits its rights/ })
  await separate.close()
  const givenUrl = await login('given', `in role ${app}`)
  await ask(server.url, `grant ${system} to given with inherit false`)
  const given = await open(givenUrl)
  await given.migrate(sets)
  t.is((await given.database.tenant('ten_a').query('select 1')).rowCount, 1)
  await given.close()
  await server.stop()
})

test.serial('the server log contains no statements and no values', async t => {
  const server = await start()
  await t.throwsAsync(ask(server.url, "select 'a secret word'::int"))
  await server.stop()
  t.false((await readFile(join((await paths()).home, 'server.log'), 'utf8')).includes('secret word'))
})
