import test from 'ava'
import { cut, loseDatabase } from './outage.ts'

test('connections that are ended under load are answered 503 at worst, and all is well again', async t => {
  const { statuses, rude, back, wrong, unwelcome } = await loseDatabase({ times: 4, away: cut })
  t.log(`${JSON.stringify(statuses)}, back after ${back.map(Math.round).join(', ')} ms`)
  t.deepEqual(
    Object.keys(statuses).filter(status => !['200', '201', '503'].includes(status)),
    [],
  )
  t.true((statuses[503] ?? 0) > 0, 'the cuts met work')
  t.deepEqual({ rude, wrong, unwelcome }, { rude: 0, wrong: 0, unwelcome: 0 })
})
