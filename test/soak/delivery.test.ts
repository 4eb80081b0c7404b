import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { SECOND } from '../../kernel/base/units.ts'
import { killAtRandom } from '../reliability/kills.ts'
import { cut, loseDatabase, type Outage } from '../reliability/outage.ts'
import { stopUnderLoad } from '../reliability/stops.ts'
import { killWorkers } from '../reliability/workers.ts'
import { drainUnderFire } from '../services/outbox/kill-scenario.ts'
import { ownServer } from './database.ts'

test.serial('two relays are killed 50 times over 10,000 events: none lost, no effect twice', async t => {
  const events = 10_000
  const { left, ...damage } = await drainUnderFire({ events, kills: 50, workers: 2 })
  t.log(`undispatched events at each kill: ${left.join(', ')}`)
  t.deepEqual(damage, { effects: 2 * events, lost: 0, twice: 0 })
})

test.serial('two workers are killed 20 times over 5,000 mails: every mail goes, and goes once', async t => {
  const { lost, twice, left, healed } = await killWorkers(t, { mails: 5000, kills: 20, workers: 2 })
  t.log(`to go at each kill: ${left.join(', ')}; all had gone ${Math.round(healed)} ms after the last one`)
  t.deepEqual({ lost, twice }, { lost: 0, twice: 0 })
})

for (const part of ['web', 'start'] as const)
  test.serial(
    `larder ${part} is killed 50 times while people register, invite, join and buy: all or nothing`,
    async t => {
      const { unanswered, answered, halves, lost, twice } = await killAtRandom(t, { kills: 50, part })
      t.log(`${answered} answered, ${unanswered} under way at a kill`)
      t.deepEqual(
        Object.entries(halves).filter(([, count]) => count !== 0),
        [],
      )
      t.deepEqual({ lost, twice }, { lost: [], twice: 0 })
    },
  )

test.serial('a process is stopped 20 times under load: no request fails, and it exits within 10 s', async t => {
  const { answered, failed, exits, wrong, took } = await stopUnderLoad(t, { stops: 20 })
  t.log(`${answered} answered; stops took up to ${Math.round(Math.max(...took))} ms`)
  t.deepEqual({ failed, wrong }, { failed: [], wrong: 0 })
  t.true(exits.every(code => code === 0) && took.every(ms => ms < 10 * SECOND))
})

const survived = (
  t: { log(text: string): void; deepEqual(a: unknown, b: unknown): void; true(a: boolean): void },
  outage: Outage,
) => {
  const { statuses, rude, back, wrong, unwelcome } = outage
  t.log(`${JSON.stringify(statuses)}; back after ${back.map(Math.round).join(', ')} ms`)
  t.deepEqual(
    Object.keys(statuses).filter(status => !['200', '201', '503'].includes(status)),
    [],
  )
  t.deepEqual({ rude, wrong, unwelcome }, { rude: 0, wrong: 0, unwelcome: 0 })
  t.true(back.every(ms => ms < 5 * SECOND))
}

test.serial('connections are ended 100 times under load', async t => {
  survived(t, await loseDatabase({ times: 100, away: cut }))
})

test.serial('the database is restarted 20 times under load', async t => {
  const server = await ownServer(t)
  const away = async () => {
    await server.stop()
    await server.start()
  }
  survived(t, await loseDatabase({ database: server.url, times: 20, away }))
})

test.serial('the database is away for 10 s under load', async t => {
  const server = await ownServer(t)
  const away = async () => {
    await server.stop()
    await pause(10 * SECOND)
    await server.start()
  }
  survived(t, await loseDatabase({ database: server.url, times: 1, away }))
})
