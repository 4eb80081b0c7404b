import test from 'ava'
import { ownServer } from '../soak/database.ts'
import { house, kill } from './processes.ts'
import { stopUnderLoad } from './stops.ts'

test('a process that is told to stop under load answers what it took, and exits with 0', async t => {
  const { answered, failed, exits, wrong } = await stopUnderLoad(t, { stops: 2 })
  t.log(`${answered} answered`)
  t.true(answered > 120)
  t.deepEqual(failed, [])
  t.deepEqual(exits, [0, 0])
  t.is(wrong, 0)
})

test('a process that is told to stop while the database is away stops in order all the same', async t => {
  const server = await ownServer(t)
  const larder = await house(t, { databaseUrl: server.url })
  const process = await larder.up('start')
  await server.stop()
  await process.saying(/is delayed|are delayed/)
  const code = await kill(process, 'SIGTERM')
  t.is(code, 0, process.err())
})
