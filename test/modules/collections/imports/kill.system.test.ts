import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import type { OwnerClient } from '../../../reliability/fixtures.ts'
import { createInstallation, kill } from '../../../reliability/processes.ts'
import { type Import, send } from './fixtures.ts'

const ROWS = 6000
const RECIPE = `recipe: 1
product: { key: imports, name: Imports, publicUrl: "http://localhost:8080" }
modules: { identity: {}, collections: {} }
collections:
  parts:
    fields:
      code: { type: text, required: true, unique: true }
      price: { type: integer, min: 0 }
    history: 2
`

for (const by of ['', '?by=code'])
  test(`a worker killed during an import${by} is continued by the next one without double rows`, async t => {
    const installation = await createInstallation(t, { recipe: RECIPE })
    const { url } = await installation.startProcess('web')
    const registered = await fetch(new URL('/v1/auth/register', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.test', password: 'correct horse battery staple' }),
    })
    const { token } = (await registered.json()) as { token: string }
    const rows = by === '' ? ROWS : ROWS / 4
    const file = `code,price\n${Array.from({ length: rows }, (_, n) => `part ${n},${n}`).join('\n')}\n`
    const sent = await send({ url, token }, `parts/imports${by}`, file)
    t.is(sent.status, 202, JSON.stringify(sent.body))
    const progress = async (): Promise<Import> => {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(new URL(`/v1/data/parts/imports/${sent.body.id}`, url), { headers })).json() as never
    }
    const killAfter = async (wanted: number, next: string): Promise<string> => {
      const release = await holdBefore(installation.owner, next)
      const worker = await installation.startProcess('worker')
      for (let done = 0; done < wanted; await pause(10)) {
        const counts = (await progress()).rows
        done = counts.checked + counts.processed
      }
      await kill(worker)
      await release()
      return (await progress()).state
    }
    t.is(await killAfter((rows * 2) / 3, 'writing'), 'checking')
    t.is(await killAfter((rows * 4) / 3, 'succeeded'), 'writing')
    await installation.startProcess('worker')
    for (let state = ''; state !== 'succeeded'; await pause(50)) {
      state = (await progress()).state
      if (state === 'failed') t.fail(JSON.stringify(await progress()))
    }
    const { rows: counts } = await progress()
    t.like(counts, { total: rows, processed: rows, created: rows, failed: 0 })
    const [found] = await installation.owner.query<object>(
      `select count(*)::int as rows, count(distinct code)::int as codes, sum(price)::int as sum,
         (select count(*)::int from larder_events where type = 'collections.parts.created') as events,
         (select count(*)::int from collections_import_batches) as batches from data_parts`,
    )
    t.deepEqual(found, { rows, codes: rows, sum: (rows * (rows - 1)) / 2, events: rows, batches: 0 })
  })

/** Keeps imports from entering this state, so that no worker is faster than the test. The result ends this, and what waits. */
async function holdBefore(owner: OwnerClient, state: string): Promise<() => Promise<void>> {
  await owner.query(`
    create function hold() returns trigger language plpgsql as 'begin perform pg_sleep(600); return new; end';
    create trigger hold before update on collections_imports for each row
      when (new.state = '${state}' and old.state <> new.state) execute function hold()`)
  return async () => {
    await owner.query(
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity
       where datname = current_database() and wait_event = 'PgSleep'`,
    )
    await owner.query('drop trigger hold on collections_imports; drop function hold')
  }
}
