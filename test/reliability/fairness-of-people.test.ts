/** In a product of people, limits and turns that workspaces have elsewhere are those of each customer. */
import test from 'ava'
import pg from 'pg'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { type Operator, peopleOf } from '../fixtures/people.ts'
import { join } from '../fixtures/topics.ts'
import { waitFor } from '../fixtures/wait.ts'

const PATH = '/v1/data/notes'
const own = () => ({ 'tenant.customer': { createdBy: '$user' } })

interface Answer {
  readonly id: string
  readonly state: string
  readonly code: string
}

let kernel: TestKernel
let operator: Operator
let noisy: Person
let quiet: Person
let database: pg.Client
/** Inside a transaction, PostgreSQL would show the same activity again. */
let watching: pg.Client

test.before(async () => {
  kernel = await startTestKernel({
    recipe: {
      product: { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080', audience: 'people' },
      // No scanner answers, so that jobs repeat the checks of files.
      modules: { identity: {}, collections: {}, automations: {}, media: { scanner: { url: 'tcp://127.0.0.1:1' } } },
      roles: { 'tenant.customer': { name: 'Customer', permissions: ['media.item.create'] } },
      collections: {
        notes: {
          fields: { code: { type: 'text', unique: true }, title: { type: 'text' } },
          access: { create: { 'tenant.customer': true }, read: own(), update: own() },
        },
        stamps: { fields: { title: { type: 'text' } } },
      },
      automations: {
        stamp: {
          on: 'collections.notes.created',
          steps: [{ 'collections.create': { collection: 'stamps', values: { title: 'x' } } }],
        },
      },
    },
    env: {
      DATABASE_TENANT_SCANS: '1',
      DATABASE_TENANT_CONNECTIONS: '3',
      REALTIME_SOCKETS_PER_WORKSPACE: '2',
      REALTIME_SUBSCRIPTIONS_PER_WORKSPACE: '2',
    },
  })
  const people = peopleOf(kernel)
  operator = await people.operator()
  noisy = await people.person()
  quiet = await people.person()
  database = await connected()
  watching = await connected()
})
test.after.always(async () => {
  await database?.end()
  await watching?.end()
  await kernel?.stop()
})

async function connected(): Promise<pg.Client> {
  const client = new pg.Client(kernel.databaseUrl)
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Statements that wait for a lock. */
const waitingForLocks = async (): Promise<number> =>
  (await watching.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))
    .rowCount ?? 0

/** Holds a row of the noisy customer until the returned function runs. */
async function locked(code: string): Promise<{ id: string; release: () => Promise<unknown> }> {
  const { body, status } = await noisy.post<{ id: string }>(PATH, { code, title: 'contested' })
  if (status !== 201) throw new Error(JSON.stringify(body))
  await database.query('begin')
  await database.query('select from data_notes where id = $1 for update', [body.id])
  return { id: body.id, release: () => database.query('rollback') }
}

test.serial('40 requests of a customer that wait for a row delay neither another customer nor the staff', async t => {
  const { id, release } = await locked('requests')
  let answered = 0
  const waiting = Array.from({ length: 40 }, async (_, number) => {
    const { status } = await noisy.patch(`${PATH}/${id}`, { title: `title ${number}` })
    answered++
    return status
  })
  await waitFor(waitingForLocks, count => count === 3)
  for (let times = 0; times < 5; times++) {
    const created = await quiet.post<{ id: string }>(PATH, { code: `quiet ${times}` })
    t.is(created.status, 201)
    t.is((await quiet.get(`${PATH}/${created.body.id}`)).status, 200)
    t.is((await operator.get('/v1/data/stamps')).status, 200)
  }
  t.is(answered, 0)
  await release()
  t.true((await Promise.all(waiting)).every(status => status === 200))
})

test.serial('a customer whose reads of many rows wait leaves those of another customer their turn', async t => {
  const scan = (person: Person) => person.get(`${PATH}?include=total`)
  const first = await Promise.all([scan(noisy), scan(quiet)])
  t.deepEqual(
    first.map(({ status }) => status),
    [200, 200],
  )
  // Totals of both wait for the table. Each customer has one that runs, and all others wait in the process.
  await database.query('begin')
  await database.query('lock table data_notes in access exclusive mode')
  const reads = [...Array.from({ length: 4 }, () => scan(noisy)), scan(quiet)]
  await waitFor(waitingForLocks, count => count === 2)
  await database.query('rollback')
  t.true((await Promise.all(reads)).every(({ status }) => status === 200))
})

test.serial('the sockets and subscriptions of a customer leave those of others', async t => {
  const open = async (person: Person | Operator) => {
    const socket = await join(kernel.url, person)
    t.is((await socket.subscribe('collections.rows', { collection: 'notes' })).type, 'subscribed')
    return socket
  }
  const sockets = [await open(noisy), await open(noisy)]
  await t.throwsAsync(open(noisy), { message: /too_many_sockets/ })
  sockets.push(await open(quiet), await open(quiet), await open(operator))
  for (const socket of sockets) socket.cut()
  await Promise.all(sockets.map(({ closed }) => closed))
})

const imported = (person: Client, rows: object[], query = '') =>
  person.post<Answer>(`${PATH}/imports${query}` as never, rows.map(row => JSON.stringify(row)).join('\n') as never, {
    headers: { 'content-type': 'application/x-ndjson' },
  })
const stateOf = async (person: Client, id: string): Promise<string> =>
  (await person.get<Answer>(`${PATH}/imports/${id}` as never)).body.state

test.serial('ten imports of a customer that hang make no other customer wait or be refused', async t => {
  const { release } = await locked('import')
  const hanging = await Promise.all(
    Array.from({ length: 10 }, (_, n) => imported(noisy, [{ code: 'import', title: `${n}` }], '?by=code')),
  )
  t.true(hanging.every(({ status }) => status === 202))
  await waitFor(waitingForLocks)
  t.is((await imported(noisy, [{ code: 'more' }])).body.code, 'too_many_imports')
  const other = await imported(quiet, [{ code: 'imported' }])
  t.is(other.status, 202)
  await waitFor(async () => (await stateOf(quiet, other.body.id)) === 'succeeded')
  const staff = await imported(operator, [{ code: 'of staff' }])
  await waitFor(async () => (await stateOf(operator, staff.body.id)) === 'succeeded')
  const states = await Promise.all(hanging.map(({ body }) => stateOf(noisy, body.id)))
  t.deepEqual(
    states.filter(state => state === 'succeeded'),
    [],
  )
  await release()
  await kernel.settled()
})

test.serial('ten exports of a customer refuse neither those of another customer nor those of the staff', async t => {
  const exported = (person: Client) => person.post<Answer>(`${PATH}/exports` as never, {} as never)
  const own = await Promise.all(Array.from({ length: 10 }, () => exported(noisy)))
  t.true(own.every(({ status }) => status === 202))
  t.is((await exported(noisy)).body.code, 'too_many_exports')
  t.is((await exported(quiet)).status, 202)
  t.is((await exported(operator)).status, 202)
})

test.serial('runs of automations take turns by the customer whose change started them', async t => {
  const { rows: members } = await database.query('select id, user_id from identity_members')
  const memberOf = ({ userId }: Person) => members.find(({ user_id: user }) => user === userId)?.id
  await database.query(`delete from larder_jobs where name = 'automations.run'`)
  await Promise.all([
    noisy.post(PATH, { code: 'first' }),
    quiet.post(PATH, { code: 'second' }),
    operator.post(PATH, { code: 'third' }),
  ])
  await kernel.settled()
  const { rows } = await database.query<{ share: string }>(
    `select share from larder_jobs where name = 'automations.run'`,
  )
  t.deepEqual(rows.map(({ share }) => share).sort(), [memberOf(noisy), memberOf(quiet), operator.tenantId].sort())
})

/** Returns the status of the upload. */
async function upload(token: string): Promise<number> {
  const body = new FormData()
  body.set('file', new File(['%PDF-1.4\n%%EOF\n'], 'a.pdf', { type: 'application/pdf' }))
  return (
    await fetch(`${kernel.url}/v1/media`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body })
  ).status
}

test.serial('checks of files take turns by the customer who uploads them', async t => {
  const { rows: members } = await database.query('select id, user_id from identity_members')
  const memberOf = ({ userId }: Person) => members.find(({ user_id: user }) => user === userId)?.id
  const uploaded = await Promise.all([noisy, noisy, quiet, operator].map(({ token }) => upload(token)))
  t.true(uploaded.every(status => status === 202))
  const { rows } = await database.query<{ share: string }>(`select share from larder_jobs where name = 'media.process'`)
  t.deepEqual(
    rows.map(({ share }) => share).sort(),
    [memberOf(noisy), memberOf(noisy), memberOf(quiet), operator.tenantId].sort(),
  )
})
