import test from 'ava'
import { pino } from 'pino'
import { packageVersion } from '../../kernel/base/index.ts'
import { logHooks } from '../../kernel/base/outage.ts'
import type { TestKernel } from '../../testing/index.ts'
import { waitFor } from '../fixtures/wait.ts'
import { newEmail, startIdentity } from '../modules/identity/fixtures.ts'
import { createProxy } from '../services/postgres/proxy.ts'
import { connectAsOwner } from './fixtures.ts'
import { loseDatabase, terminateConnections } from './outage.ts'

const WARN = 40
const REQUESTS = 20

let here: TestKernel
/** Another process of the same installation, whose connections go through the proxy. */
let there: TestKernel
let proxyOfThere: Awaited<ReturnType<typeof createProxy>>
const at = (url: string, port: number): string => Object.assign(new URL(url), { port }).href

test.before(async () => {
  here = await startIdentity()
  proxyOfThere = await createProxy(new URL(here.databaseUrl))
  there = await startIdentity({}, { role: 'web', database: at(here.databaseUrl, proxyOfThere.port) })
})
test.after.always(async () => {
  await there?.stop()
  proxyOfThere?.close()
  await here?.stop()
})

test('responds with 503 at worst while connections are terminated under load, and recovers', async t => {
  const { statuses, recoveryMs, ...faults } = await loseDatabase({ times: 4, interrupt: terminateConnections })
  t.log(`${JSON.stringify(statuses)}, back after ${recoveryMs.map(Math.round).join(', ')} ms`)
  t.deepEqual(
    Object.keys(statuses).filter(status => !['200', '201', '503'].includes(status)),
    [],
  )
  t.true((statuses[503] ?? 0) > 0, 'the terminations interrupted requests')
  t.deepEqual(faults, { withoutRetryAfter: 0, inconsistentKeys: 0, withoutWelcome: 0 })
})

test.serial('recovers from the loss of each of its connections', async t => {
  const owner = connectAsOwner(here.databaseUrl)
  t.teardown(() => owner.end())
  const received = new Set<unknown>()
  here.kernel.ports.bus.subscribe('test.news', message => received.add(message))
  await here.register(newEmail())
  const held = async () =>
    owner.query<{ pid: number; name: string }>(
      `select pid, application_name as name from pg_stat_activity
       where datname = current_database() and application_name like 'larder%' order by 2`,
    )
  // The start keeps the connection of the owner for a second.
  await waitFor(async () => (await held()).every(({ name }) => name !== 'larder owner'))
  const kinds = new Set((await held()).map(({ name }) => name))
  t.deepEqual(
    [...kinds],
    [`larder all ${packageVersion}`, 'larder listen', 'larder scheduler', `larder web ${packageVersion}`],
  )

  for (const { pid, name } of await held()) {
    await owner.query('select pg_terminate_backend($1)', [pid])
    await waitFor(async () => (await held()).every(other => other.pid !== pid))
    const email = newEmail('after')
    // The first response may be 503.
    await waitFor(() => here.register(email).then(yes, no))
    await here.settled()
    const mails = `/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}`
    t.is((await here.get<{ data: unknown[] }>(mails)).body.data.length, 1, name)
    await waitFor(async () => {
      there.kernel.ports.bus.publish('test.news', pid)
      return received.has(pid)
    })
    await waitFor(async () => new Set((await held()).map(now => now.name)).size === kinds.size)
  }
})

interface Line {
  readonly level: number
  readonly msg: string
  readonly [field: string]: unknown
}

test.serial('an outage is one line, and one at its end; a defect meanwhile has its stack', async t => {
  const server = new URL(here.databaseUrl)
  let proxy = await createProxy(server)
  t.teardown(() => proxy.close())
  const { port } = proxy
  let lines: Line[] = []
  const log = pino({ level: 'debug', hooks: logHooks }, { write: line => void lines.push(JSON.parse(line)) })
  const there = await startIdentity({}, { database: at(here.databaseUrl, port), log })
  t.teardown(() => there.stop())
  const ada = await there.register(newEmail('ada'))
  there.kernel.ports.bus.subscribe('test.defect', () => {
    throw new TypeError('a defect')
  })
  await there.settled()
  lines = []
  const said = (message: RegExp) => lines.filter(({ msg }) => message.test(msg)).length

  proxy.close()
  for (let request = 0; request < REQUESTS; request++) t.is((await ada.get('/v1/identity/members')).status, 503)
  t.is((await there.get('/v1/health/readiness')).status, 503)
  t.is((await there.get('/metrics')).status, 200)
  await waitFor(() => said(/^work is delayed/) > 1 && said(/^recurring jobs are delayed/) > 0)
  there.kernel.ports.bus.publish('test.defect', {})
  proxy = await createProxy(server, port)
  await waitFor(() => said(/available again/) > 0)
  t.is((await ada.get('/v1/identity/members')).status, 200)

  const announced = lines.filter(({ level, msg }) => level >= WARN || /available again/.test(msg))
  t.deepEqual(
    announced.map(({ msg }) => msg),
    [
      'the database is unavailable; requests that need it are rejected until it is available',
      'a bus subscriber failed',
      'the database is available again',
    ],
  )
  const [begin, defect, end] = announced
  t.regex(String(begin?.reason), /ECONNREFUSED/)
  t.regex(String((defect?.err as { stack: string } | undefined)?.stack), /TypeError: a defect\n +at /)
  const { seconds, since, failures } = end as Line & { failures: Record<string, number> }
  t.is(since, begin?.since)
  t.true(Number(seconds) > 0)
  t.is(failures['requests are rejected'], REQUESTS)
  t.true((failures['work is delayed'] ?? 0) > 0 && (failures['not ready'] ?? 0) > 0, JSON.stringify(failures))
})

test.serial('a commit whose confirmation is lost is a gap for the subscribers of other processes', async t => {
  let gaps = 0
  here.kernel.ports.bus.subscribe(
    'test.gaps',
    () => {},
    () => gaps++,
  )
  const { database } = there.kernel.ports
  await t.throwsAsync(
    database.tenant('ten_a').transaction(async unit => {
      // Not a select, so it may have written.
      await unit.query('with nothing as (select 1) table nothing')
      proxyOfThere.hang()
      setImmediate(() => {
        proxyOfThere.cut()
        proxyOfThere.resume()
      })
    }),
  )
  await waitFor(() => gaps > 0)
  t.pass()
})

const yes = () => true
const no = () => false
