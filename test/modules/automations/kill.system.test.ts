import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { connectOwner } from '../collections/fixtures.ts'
import { killed, startDesk } from './fixtures.ts'

const PROGRAM = fileURLToPath(new URL('./worker.js', import.meta.url))
const TICKETS = 40
const KILLS = 6
const NOTES = TICKETS * 5

async function start(database: string): Promise<ChildProcess> {
  const child = fork(PROGRAM, [database], { stdio: 'ignore' })
  await once(child, 'message')
  return child
}
async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test('loses no run and repeats no step in the database when workers are killed', async t => {
  const kernel = await startDesk(killed, { role: 'web' })
  t.teardown(() => kernel.stop())
  const owner = await connectOwner(t, kernel.databaseUrl)
  const notes = async () => (await owner.query<{ n: number }>('select count(*)::int as n from data_notes'))[0]?.n ?? 0
  const ada = await kernel.register('ada@example.test')
  for (let index = 0; index < TICKETS; index++)
    await ada.post('/v1/data/tickets', { title: `T${index}`, tags: ['a', 'b', 'c'] })
  let workers = await Promise.all([start(kernel.databaseUrl), start(kernel.databaseUrl)])
  const before: number[] = []
  for (let round = 0; round < KILLS; round++) {
    const wanted = Math.floor((NOTES * (round + Math.random())) / KILLS)
    for (let pass = 0; pass < 900 && (await notes()) < wanted; pass++)
      await new Promise(resolve => setTimeout(resolve, 20))
    before.push(await notes())
    const [first, second] = workers as [ChildProcess, ChildProcess]
    await kill(first)
    workers = [second, await start(kernel.databaseUrl)]
  }
  const open = async () =>
    (await owner.query<{ n: number }>('select count(*)::int as n from automations_runs where finished_at is null'))[0]
      ?.n
  for (let pass = 0; pass < 1200 && ((await notes()) < NOTES || (await open()) !== 0); pass++)
    await new Promise(resolve => setTimeout(resolve, 100))
  await Promise.all(workers.map(kill))
  t.log(`notes before each kill: ${before.join(', ')}`)
  const states = await owner.query('select state, count(*)::int as n from automations_runs group by 1')
  t.deepEqual(states, [{ state: 'done', n: TICKETS }])
  const [{ total, different } = {}] = await owner.query<{ total: number; different: number }>(
    'select count(*)::int as total, count(distinct text)::int as different from data_notes',
  )
  t.deepEqual({ total, different }, { total: NOTES, different: NOTES })
})
