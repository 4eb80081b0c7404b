import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import pg from 'pg'
import { connectOwner } from '../collections/fixtures.ts'
import { killed, phased, startDesk } from './fixtures.ts'

const PROGRAM = fileURLToPath(new URL('./worker.js', import.meta.url))
const TICKETS = 40
const KILLS = 4
const NOTES = TICKETS * 5

type Worker = ChildProcess & {
  /** Of its API, if it has one. */
  readonly url: string
}
async function start(database: string, recipe = 'killed'): Promise<Worker> {
  const child = fork(PROGRAM, [database, recipe], { stdio: 'ignore' })
  const [url] = await once(child, 'message')
  return Object.assign(child, { url: String(url) })
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
    const [first, second] = workers as [Worker, Worker]
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

/** A statement of each phase: the table, and the condition for its trigger, by what the process is killed at. */
const PHASES: Readonly<Record<string, readonly [table: string, event: string, when: string]>> = {
  'the start of a run': ['automations_runs', 'insert', 'true'],
  'the effect of a step': ['data_notes', 'insert', `new.text like '% 0'`],
  'the record of a step': ['automations_steps', 'insert', `new.position = 0 and new.state = 'done'`],
  'the beginning of an outside call': ['automations_steps', 'insert', `new.position = 1 and new.state = 'running'`],
  'the end of an outside call': ['automations_steps', 'insert', `new.position = 1 and new.state = 'done'`],
  'the beginning of a wait': ['automations_steps', 'insert', `new.position = 2 and new.state = 'waiting'`],
  'the end of a wait': ['automations_steps', 'insert', `new.position = 2 and new.state = 'done'`],
  'the effect of an item': ['data_notes', 'insert', `new.text like '% 1 b'`],
  'the record of an item': ['automations_steps', 'insert', 'new.position = 3 and new.item = 1'],
  'the end of the items': ['automations_steps', 'insert', `new.position = 3 and new.item = -1 and new.state = 'done'`],
  'a question': ['automations_asks', 'insert', 'true'],
  'an answer': ['automations_asks', 'update', 'new.choice is not null and old.choice is null'],
  'the end of a question': ['automations_steps', 'insert', `new.position = 4 and new.state = 'done'`],
  'the last step': ['data_notes', 'insert', `new.text like '% 2 yes'`],
  'the end of a run': ['automations_runs', 'update', `new.state = 'done'`],
}
const LOCK = 4711

test('loses no run and repeats no step in the database when it is killed at any phase', async t => {
  const kernel = await startDesk(phased, { role: 'web' })
  t.teardown(() => kernel.stop())
  const owner = await connectOwner(t, kernel.databaseUrl)
  const gate = new pg.Client({ connectionString: kernel.databaseUrl })
  gate.on('error', () => {})
  await gate.connect()
  t.teardown(() => gate.end())
  await owner.query(`create function stop_here() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(${LOCK}); return new; end'`)
  const ada = await kernel.register('ada@example.test')
  const blocked = async () =>
    (
      await owner.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`,
      )
    )[0]
  const openAsk = async () =>
    (
      await owner.query<{ id: string }>(
        `select a.id from automations_asks a join automations_runs r on r.id = a.run_id
         where a.answered_at is null and r.finished_at is null limit 1`,
      )
    )[0]
  /** Answers an open question at this API. */
  async function answer(url: string): Promise<void> {
    const ask = await openAsk()
    if (!ask) return
    const headers = {
      authorization: `Bearer ${ada.token}`,
      'x-tenant-id': ada.tenantId,
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ choice: 'yes' })
    await fetch(`${url}/v1/automations/asks/${ask.id}/answer`, { method: 'POST', headers, body }).catch(() => {})
  }
  /** As if the leases of the process that was killed had ended. */
  const endLeases = () =>
    owner.query(`with jobs as (update larder_jobs set locked_until = now() where state = 'running')
      update automations_runs set wakes_at = now() where state = 'running' and wakes_at > now()`)
  const pause = () => new Promise(resolve => setTimeout(resolve, 50))
  let worker: Worker | undefined
  t.teardown(() => worker?.kill('SIGKILL'))
  const names = Object.keys(PHASES)
  for (const [index, name] of names.entries()) {
    const [table, event, when] = PHASES[name] as readonly [string, string, string]
    await gate.query(`select pg_advisory_lock(${LOCK})`)
    await owner.query(
      `create trigger stops before ${event} on ${table} for each row when (${when}) execute function stop_here()`,
    )
    await ada.post('/v1/data/tickets', { title: `T${index}`, tags: ['a', 'b', 'c'] })
    worker = await start(kernel.databaseUrl, 'phased')
    let isAsked = false
    for (let pass = 0; pass < 1200 && !(await blocked()); pass++) {
      if (name !== 'an answer') await answer(kernel.url)
      else if (!isAsked && (await openAsk())) {
        isAsked = true
        void answer(worker.url)
      }
      await pause()
    }
    t.truthy(await blocked(), `never reached ${name}`)
    await kill(worker)
    // The server goes on with what it has received, and then notices that the process is gone.
    await gate.query(`select pg_advisory_unlock(${LOCK})`)
    for (let pass = 0; pass < 200 && (await blocked()); pass++) await pause()
    await owner.query(`drop trigger stops on ${table}`)
    await endLeases()
  }
  worker = await start(kernel.databaseUrl, 'phased')
  const open = async () =>
    (await owner.query<{ n: number }>(`select count(*)::int as n from automations_runs where state = 'done'`))[0]?.n
  for (let pass = 0; pass < 1200 && (await open()) !== names.length; pass++) {
    await answer(kernel.url)
    await pause()
  }
  await kill(worker)
  t.deepEqual(await owner.query('select state, count(*)::int as n from automations_runs group by 1'), [
    { state: 'done', n: names.length },
  ])
  const notes = await owner.query<{ text: string }>('select text from data_notes')
  const wanted = names.flatMap((_, index) => ['0', '1 a', '1 b', '1 c', '2 yes'].map(text => `T${index} ${text}`))
  t.deepEqual(notes.map(({ text }) => text).sort(), wanted.sort())
  const [asks] = await owner.query<{ n: number }>('select count(*)::int as n from automations_asks')
  t.is(asks?.n, names.length)
})
