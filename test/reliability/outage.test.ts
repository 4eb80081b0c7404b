import test from 'ava'
import { packageVersion } from '../../kernel/base/index.ts'
import { waitFor } from '../fixtures/wait.ts'
import { newEmail, startIdentity } from '../modules/identity/fixtures.ts'
import { connectAsOwner } from './fixtures.ts'
import { loseDatabase, terminateConnections } from './outage.ts'

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

test('recovers from the loss of each of its connections', async t => {
  const here = await startIdentity()
  t.teardown(() => here.stop())
  const there = await startIdentity({}, { role: 'web', database: here.databaseUrl })
  t.teardown(() => there.stop())
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

const yes = () => true
const no = () => false
