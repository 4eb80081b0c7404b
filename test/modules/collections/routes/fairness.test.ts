/** Reads of many rows run a few at a time, so that they leave other requests the cores of the database. */
import test from 'ava'
import pg from 'pg'
import { waitFor } from '../../../fixtures/wait.ts'
import { withPeople } from '../../../fixtures/with-people.ts'

const SCANS = 2

let database: pg.Client

const { kernel, owner, stranger } = withPeople(
  test,
  {
    recipe: {
      modules: { identity: {}, collections: {} },
      collections: {
        notes: { fields: { title: { type: 'text', required: true } }, search: ['title'] },
        tasks: { fields: { title: { type: 'text', required: true } } },
      },
    },
    env: { DATABASE_TENANT_SCANS: String(SCANS) },
  },
  { owner: 'owner', stranger: 'owner' },
  async () => {
    database = new pg.Client(kernel.databaseUrl)
    database.on('error', () => {})
    await database.connect()
  },
)

/** Reads that wait for the locked table. */
const runningReads = async (): Promise<number> => {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from pg_locks where relation = 'data_notes'::regclass and not granted`,
  )
  return rows[0]?.count ?? 0
}

/** Units of work that wait in the process. */
const waitingUnits = async (): Promise<number> => {
  const { body } = await kernel.get<string>('/metrics')
  return Number(/^larder_database_connections\{state="waiting"\} (\d+)$/m.exec(body)?.[1])
}

for (const [kind, query] of [
  ['searches', '?q=common'],
  ['totals', '?include=total'],
  ['aggregates', '/aggregate'],
] as const)
  test.serial(`${kind} of a workspace run ${SCANS} at a time and hold up no other request`, async t => {
    const { body: task } = await owner.post<{ id: string }>('/v1/data/tasks', { title: 'first' })
    await database.query('begin')
    await database.query('lock table data_notes in access exclusive mode')
    const reads = Array.from({ length: 16 }, () => owner.get(`/v1/data/notes${query}`))
    await waitFor(waitingUnits, count => count === reads.length - SCANS)
    t.is(await runningReads(), SCANS)
    t.is((await owner.get(`/v1/data/tasks/${task.id}`)).status, 200)
    t.is((await stranger.get('/v1/data/tasks?include=total')).status, 200)
    await database.query('commit')
    // The server may have ended the first ones, which waited for the lock.
    await Promise.all(reads)
    t.is(await waitingUnits(), 0)
  })
test.after.always(() => database?.end())
