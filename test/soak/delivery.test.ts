import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { SECOND } from '../../kernel/base/units.ts'
import { killAtRandom } from '../reliability/kills.ts'
import { loseDatabase, type Outage, terminateConnections } from '../reliability/outage.ts'
import { stopUnderLoad } from '../reliability/stops.ts'
import { killWorkers } from '../reliability/workers.ts'
import { drainWithKilledWorkers } from '../services/outbox/kill-scenario.ts'
import { startDatabaseServer } from './database.ts'

test.serial('50 kills of two relays over 10,000 events neither lose events nor repeat effects', async t => {
  const events = 10_000
  const { pendingAtKills, ...damage } = await drainWithKilledWorkers({ events, kills: 50, workers: 2 })
  t.log(`undispatched events at each kill: ${pendingAtKills.join(', ')}`)
  t.deepEqual(damage, { effects: 2 * events, lost: 0, duplicates: 0 })
})

test.serial('20 kills of two workers over 5,000 mails neither lose nor duplicate mails', async t => {
  const { lost, duplicates, pendingAtKills, recoveryMs } = await killWorkers(t, { mails: 5000, kills: 20, workers: 2 })
  t.log(`unsent mails at each kill: ${pendingAtKills.join(', ')}; recovered in ${Math.round(recoveryMs)} ms`)
  t.deepEqual({ lost, duplicates }, { lost: 0, duplicates: 0 })
})

for (const part of ['web', 'start'] as const)
  test.serial(`50 kills of larder ${part} leave no partial writes and lose no confirmed ones`, async t => {
    const { interrupted, answered, partial, lost, failedRepeats } = await killAtRandom(t, { kills: 50, part })
    t.log(`${answered} answered, ${interrupted} interrupted by a kill`)
    t.deepEqual(
      Object.entries(partial).filter(([, count]) => count !== 0),
      [],
    )
    t.deepEqual({ lost, failedRepeats }, { lost: [], failedRepeats: 0 })
  })

test.serial('20 stops under load fail no request and take at most 10 s', async t => {
  const { answered, failed, exits, mismatched, durationsMs } = await stopUnderLoad(t, { stops: 20 })
  t.log(`${answered} answered; stops took up to ${Math.round(Math.max(...durationsMs))} ms`)
  t.deepEqual({ failed, mismatched }, { failed: [], mismatched: 0 })
  t.true(exits.every(code => code === 0) && durationsMs.every(ms => ms < 10 * SECOND))
})

const assertRecovered = (
  t: { log(text: string): void; deepEqual(a: unknown, b: unknown): void; true(a: boolean): void },
  outage: Outage,
) => {
  const { statuses, recoveryMs, ...faults } = outage
  t.log(`${JSON.stringify(statuses)}; recovered after ${recoveryMs.map(Math.round).join(', ')} ms`)
  t.deepEqual(
    Object.keys(statuses).filter(status => !['200', '201', '503'].includes(status)),
    [],
  )
  t.deepEqual(faults, { withoutRetryAfter: 0, inconsistentKeys: 0, withoutWelcome: 0 })
  t.true(recoveryMs.every(ms => ms < 5 * SECOND))
}

test.serial('recovers from 100 terminations of all connections under load', async t => {
  assertRecovered(t, await loseDatabase({ times: 100, interrupt: terminateConnections }))
})

test.serial('recovers from 20 database restarts under load', async t => {
  const server = await startDatabaseServer(t)
  const interrupt = async () => {
    await server.stop()
    await server.start()
  }
  assertRecovered(t, await loseDatabase({ database: server.url, times: 20, interrupt }))
})

test.serial('recovers from a database outage of 10 s under load', async t => {
  const server = await startDatabaseServer(t)
  const interrupt = async () => {
    await server.stop()
    await pause(10 * SECOND)
    await server.start()
  }
  assertRecovered(t, await loseDatabase({ database: server.url, times: 1, interrupt }))
})
