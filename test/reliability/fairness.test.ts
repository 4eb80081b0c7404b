import test from 'ava'
import pg from 'pg'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { waitFor } from '../fixtures/wait.ts'

const PATH = '/v1/data/notes'

let kernel: TestKernel
let ada: Person
let eve: Person
let database: pg.Client

test.before(async () => {
  kernel = await startTestKernel({
    recipe: {
      modules: { identity: {}, collections: {}, forms: {}, messaging: { support: 'workspace' } },
      collections: { notes: { fields: { title: { type: 'text' } } } },
    },
    role: 'web',
    env: { DATABASE_TENANT_SCANS: '1' },
  })
  ada = await kernel.register('ada@example.test')
  eve = await kernel.register('eve@example.test')
  database = new pg.Client(kernel.databaseUrl)
  database.on('error', () => {})
  await database.connect()
})
test.after.always(async () => {
  await database?.end()
  await kernel?.stop()
})

test.serial('40 requests of a workspace that wait for a row do not delay those of another workspace', async t => {
  const { body: row } = await eve.post<{ id: string }>(PATH, { title: 'contested' })
  await database.query('begin')
  await database.query('select from data_notes where id = $1 for update', [row.id])
  let answered = 0
  const waiting = Array.from({ length: 40 }, async (_, number) => {
    const { status } = await eve.patch(`${PATH}/${row.id}`, { title: `title ${number}` })
    answered++
    return status
  })
  const locked = `select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`
  await waitFor(async () => (await database.query(locked)).rowCount)
  for (let times = 0; times < 10; times++) {
    const created = await ada.post<{ id: string }>(PATH, { title: 'quiet' })
    t.is(created.status, 201)
    t.is((await ada.get(`${PATH}/${created.body.id}`)).status, 200)
    t.is((await ada.get('/v1/me')).status, 200)
  }
  t.is((await kernel.get('/v1/health/readiness')).status, 200)
  t.is(answered, 0)
  await database.query('rollback')
  t.true((await Promise.all(waiting)).every(status => status === 200))
})

/** Units of work that wait in the process for their turn. */
const waitingUnits = async (): Promise<number> => {
  const { body } = await kernel.get<string>('/metrics')
  return Number(/^larder_database_connections\{state="waiting"\} (\d+)$/m.exec(body)?.[1])
}

const reads: Readonly<Record<string, { table: string; path: () => Promise<string> }>> = {
  'searches of the inbox': { table: 'messaging_messages', path: async () => '/v1/messaging/inbox?q=common' },
  'summaries of submissions': {
    table: 'forms_submissions',
    path: async () => {
      const schema = { type: 'object', properties: { email: { type: 'string' } } }
      const { body } = await eve.post('/v1/forms', { name: 'Survey', schema })
      return `/v1/forms/${body.id}/summary`
    },
  },
}

for (const [kind, { table, path }] of Object.entries(reads))
  test.serial(`${kind} run a few at a time`, async t => {
    const address = await path()
    t.is((await eve.get(address)).status, 200)
    await database.query('begin')
    await database.query(`lock table ${table} in access exclusive mode`)
    const answers = Array.from({ length: 4 }, () => eve.get(address))
    await waitFor(waitingUnits, count => count === answers.length - 1)
    t.is((await eve.get(PATH)).status, 200)
    await database.query('rollback')
    t.true((await Promise.all(answers)).every(({ status }) => status === 200))
  })
