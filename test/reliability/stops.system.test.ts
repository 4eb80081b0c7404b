import test from 'ava'
import { startDatabaseServer } from '../soak/database.ts'
import { createInstallation, kill } from './processes.ts'
import { requestWhileSuspended, stopUnderLoad } from './stops.ts'

test('a process that receives SIGTERM under load completes accepted requests and exits with 0', async t => {
  const { answered, failed, exits, mismatched } = await stopUnderLoad(t, { stops: 2 })
  t.log(`${answered} answered`)
  t.true(answered > 120)
  t.deepEqual(failed, [])
  t.deepEqual(exits, [0, 0])
  t.is(mismatched, 0)
})

test('a process answers the requests that were sent before SIGTERM', async t => {
  const larder = await createInstallation(t)
  const process = await larder.startProcess('web')
  const outcomes = await requestWhileSuspended(process, 24, () => process.child.kill('SIGTERM'))
  t.deepEqual(new Set(outcomes), new Set(['200']))
  t.is((await process.ended).code, 0, process.err())
})

test('a process that receives SIGTERM during a database outage exits with 0', async t => {
  const server = await startDatabaseServer(t)
  const larder = await createInstallation(t, { databaseUrl: server.url })
  const process = await larder.startProcess('start')
  await server.stop()
  await process.waitForOutput(/the database is unavailable/)
  const code = await kill(process, 'SIGTERM')
  t.is(code, 0, process.err())
})
