/** Plans, suspended and deleted workspaces, other systems that fail, and what runs show of secrets. */
import test from 'ava'
import pg from 'pg'
import { type Person, startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { type People, peopleOf } from '../../fixtures/people.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { failures } from './desk/state.ts'
import { deskRecipe, notesOf } from './fixtures.ts'

const LIMIT = 9
const created = (title: string, steps: readonly object[], more: object = {}) => ({
  on: 'collections.tickets.created',
  when: { 'row.title': title },
  steps,
  ...more,
})

let kernel: TestKernel
let people: People
let client: pg.Pool
let target: Receiver
let answering: Receiver
let looping: Receiver
const LOOP_SECRET = 'the secret of a circle'
const LOOP_HEADERS = { authorization: LOOP_SECRET }
const PASSED_ON = ['authorization', 'content-type', 'x-tenant-id', 'larder-cause']
const query = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> => (await client.query(sql, values)).rows

test.before(async () => {
  target = await startReceiver((_, response) => {
    response.writeHead(500, { 'content-type': 'text/html; charset=utf-8' }).end('token-of-a-stranger')
  })
  answering = await startReceiver((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"token-of-a-stranger"}')
  })
  // Another system that passes on what it receives.
  looping = await startReceiver(async ({ path, headers, body }, response) => {
    const passed = Object.entries(headers).filter(([name]) => PASSED_ON.includes(name)) as [string, string][]
    const answer = await fetch(`${kernel.url}${path}`, { method: 'POST', headers: passed, body })
    response.writeHead(answer.status).end()
  })
  const recipe = deskRecipe({
    plain: created('plain', [{ 'desk.note': { text: 'plain' } }]),
    retried: created('retried', [{ 'desk.note': { text: 'retried' }, retry: { times: 2, within: '200ms' } }]),
    waits: created('waits', [{ wait: '1h' }, { 'desk.note': { text: 'waited' } }]),
    asking: created('asks', [{ ask: { role: 'tenant.owner', text: 'Well?', choices: ['a'] } }]),
    dated: {
      before: { field: 'tickets.due', by: '1h' },
      when: { 'row.title': 'waits' },
      steps: [{ 'desk.note': { text: 'dated' } }],
    },
    updated: {
      on: 'collections.tickets.updated',
      when: { 'row.title': 'restored' },
      steps: [{ 'desk.note': { text: 'updated' } }],
    },
    restored: created('restored', [{ 'desk.note': { text: 'created' } }]),
    refusing: created('refusing', [
      { 'webhooks.request': { url: target.url, json: {} }, retry: { times: 2, within: '300ms' } },
    ]),
    answering: created('answering', [
      { 'webhooks.request': { url: answering.url, json: {} }, as: 'made' },
      { 'desk.echo': { text: '{{steps.made.json.token}}' }, as: 'heard' },
      { 'desk.note': { text: '{{steps.heard.heard}}' } },
    ]),
    'loop-hook': {
      hook: { verify: 'secret', secret: LOOP_SECRET },
      steps: [{ 'webhooks.request': { url: `${looping.url}/v1/hooks/loop-hook`, headers: LOOP_HEADERS, json: {} } }],
    },
    'loop-api': created('loop', [
      {
        'webhooks.request': {
          url: `${looping.url}/v1/data/tickets`,
          headers: { authorization: 'Bearer {{row.secret}}', 'x-tenant-id': '{{workspace.id}}' },
          json: { title: 'loop', secret: '$row.secret' },
        },
      },
    ]),
    many: created('many', [{ 'desk.note': { text: '{{item}}' }, each: '$row.tags' }]),
    secrets: {
      on: 'collections.tickets.created',
      when: { 'row.title': `\${DESK_TOKEN}` },
      steps: [
        { 'desk.note': { text: 'never' }, when: { 'row.secret': `\${DESK_TOKEN}` } },
        { 'desk.call': { text: '{{row.title}}' } },
      ],
    },
  })
  kernel = await startTestKernel({
    recipe: {
      ...recipe,
      modules: {
        ...recipe.modules,
        webhooks: { allowHosts: '127.0.0.1' },
        billing: { provider: 'dev', defaultPlan: 'free' },
      },
      entitlements: { 'automations.runs': { kind: 'meter', period: 'month' } },
      plans: { free: { name: 'Free', price: 0, currency: 'EUR', entitlements: { 'automations.runs': LIMIT } } },
    },
    env: { DESK_TOKEN: 'very-secret' },
  })
  people = peopleOf(kernel)
  client = new pg.Pool({ connectionString: kernel.databaseUrl })
  client.on('error', () => {})
})
test.after.always(async () => {
  await client?.end()
  await kernel?.stop()
  await target?.close()
  await answering?.close()
  await looping?.close()
})

interface Run {
  readonly id: string
  readonly state: string
  readonly error: { readonly code: string; readonly detail: string } | null
}
const runsOf = (automation: string, person: Person) =>
  query<Run>('select id, state, error from automations_runs where automation = $1 and tenant_id = $2 order by id', [
    automation,
    person.tenantId,
  ])
/** The only run of an automation in a workspace, when it has this state. */
async function runOf(automation: string, person: Person, state: string): Promise<Run> {
  for (let pass = 0; pass < 300; pass++) {
    const run = (await runsOf(automation, person)).find(each => each.state === state)
    if (run) return run
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`${automation} did not become ${state}: ${JSON.stringify(await runsOf(automation, person))}`)
}
async function ticket(person: Person, title: string, more: object = {}): Promise<string> {
  const { body } = await person.post('/v1/data/tickets', { title, ...more })
  return (body as { id: string }).id
}
const used = async ({ tenantId }: Person): Promise<number> => {
  const rows = await query<{ used: string }>(
    `select sum(used) as used from billing_meters where tenant_id = $1 and key = 'automations.runs'`,
    [tenantId],
  )
  return Number(rows[0]?.used)
}
/** Ends a wait, as if its time had come. */
async function wake(person: Person): Promise<void> {
  await query('update automations_runs set wakes_at = now() where tenant_id = $1 and finished_at is null', [
    person.tenantId,
  ])
  await query(`update larder_jobs set run_at = now() where tenant_id = $1 and state = 'waiting'`, [person.tenantId])
}

test('runs over the limit of the plan are recorded as refused', async t => {
  const ada = await people.person()
  for (let index = 0; index < LIMIT + 2; index++) await ticket(ada, 'plain')
  await kernel.settled()
  const runs = await runsOf('plain', ada)
  t.is(runs.filter(({ state }) => state === 'done').length, LIMIT)
  const refused = runs.filter(({ state }) => state === 'refused')
  t.is(refused.length, 2)
  t.is(refused[0]?.error?.code, 'entitlement_exceeded')
  t.is((await notesOf(ada)).length, LIMIT)
})

test.serial('a run counts once, also if its first attempt fails and if it is retried', async t => {
  const ada = await people.person()
  failures.set('retried', 4)
  await ticket(ada, 'retried')
  const { id } = await runOf('retried', ada, 'failed')
  t.is(await used(ada), 1)
  const operator = await people.operator()
  t.is((await operator.post(`/v1/automations/runs/${id}/retry`)).status, 202)
  await runOf('retried', ada, 'done')
  t.is(await used(ada), 1)
})

test.serial('a run waits while its workspace is suspended, and goes on afterwards', async t => {
  const ada = await people.person()
  const operator = await people.operator()
  await ticket(ada, 'waits')
  await runOf('waits', ada, 'waiting')
  const path = `/v1/identity/admin/tenants/${ada.tenantId}`
  t.true((await operator.post(`${path}/suspend`, { reason: 'Unpaid' })).status < 300)
  await wake(ada)
  // Workers have looked for work since.
  const bob = await people.person()
  await ticket(bob, 'plain')
  await runOf('plain', bob, 'done')
  t.is((await runsOf('waits', ada))[0]?.state, 'waiting')
  t.true((await operator.post(`${path}/resume`, { reason: 'Paid' })).status < 300)
  await runOf('waits', ada, 'done')
  t.deepEqual(await notesOf(ada), ['waited'])
})

test('a deleted workspace takes its runs, dates and questions along', async t => {
  const ada = await people.person()
  await ticket(ada, 'waits', { due: '2099-05-01T10:00:00Z' })
  await ticket(ada, 'asks')
  await runOf('waits', ada, 'waiting')
  await runOf('asking', ada, 'waiting')
  await kernel.settled()
  const left = async () =>
    (
      await query<{ n: number }>(
        ['runs', 'steps', 'asks', 'dates']
          .map(name => `select count(*)::int as n from automations_${name} where tenant_id = $1`)
          .join(' union all '),
        [ada.tenantId],
      )
    ).map(({ n }) => n)
  t.true(
    (await left()).every(n => n > 0),
    String(await left()),
  )
  t.true((await ada.delete(`/v1/identity/tenants/${ada.tenantId}`)).status < 300)
  for (let pass = 0; pass < 300 && (await left()).some(n => n > 0); pass++)
    await new Promise(resolve => setTimeout(resolve, 100))
  t.deepEqual(await left(), [0, 0, 0, 0])
  const jobs = `select 1 from larder_jobs where tenant_id = $1 and state in ('waiting', 'dead')`
  t.deepEqual(await query(jobs, [ada.tenantId]), [])
})

test('a restored row starts nothing', async t => {
  const ada = await people.person()
  const id = await ticket(ada, 'restored')
  await runOf('restored', ada, 'done')
  await ada.delete(`/v1/data/tickets/${id}`)
  t.true((await ada.post(`/v1/data/tickets/${id}/restore`)).status < 300)
  await kernel.settled()
  t.deepEqual(await notesOf(ada), ['created'])
})

test('a target that answers 500 is tried again with the same key, and then the run fails, which is an event', async t => {
  const ada = await people.person()
  const listening = await startReceiver()
  t.teardown(listening.close)
  await ada.post('/v1/webhooks/endpoints', { url: listening.url, events: ['automations.run.failed'] })
  await ticket(ada, 'refusing')
  const run = await runOf('refusing', ada, 'failed')
  t.true(run.error?.detail.includes('500 (text/html)'))
  t.false(run.error?.detail.includes('token-of-a-stranger'))
  t.is(target.received.length, 3)
  t.true(target.received.every(({ headers }) => headers['idempotency-key'] === `${run.id}:0`))
  const [delivery] = await listening.came(1)
  t.regex(String(delivery?.headers['larder-cause']), /^1\./)
  t.like(JSON.parse(delivery?.body ?? '{}'), {
    type: 'automations.run.failed',
    data: { runId: run.id, automation: 'refusing', position: 0 },
  })
})

const deepest = async (automation: string) => {
  for (let pass = 0; pass < 300; pass++) {
    const runs = await query<Run>('select id, state, error from automations_runs where automation = $1 order by id', [
      automation,
    ])
    if (runs.some(({ error }) => error?.code === 'too_deep')) return runs
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(
    `${automation} is endless: ${JSON.stringify(await query('select automation, state, depth, error from automations_runs where automation = $1 order by id', [automation]))}`,
  )
}

test('a circle through its own hook ends as others do', async t => {
  const response = await fetch(`${kernel.url}/v1/hooks/loop-hook`, {
    method: 'POST',
    headers: { ...LOOP_HEADERS, 'content-type': 'application/json', 'larder-cause': '8.forged' },
    body: '{}',
  })
  t.is(response.status, 202)
  const runs = await deepest('loop-hook')
  t.is(runs.length, 9)
  t.is(runs.at(-1)?.error?.code, 'too_deep')
})

test('a circle through the API of the product ends as others do', async t => {
  const ada = await people.person()
  await ticket(ada, 'loop', { secret: ada.token })
  const runs = await deepest('loop-api')
  t.is(runs.length, 9)
})

test('runs do not show the response of another system, which later steps use', async t => {
  const ada = await people.person()
  await ticket(ada, 'answering')
  const { id } = await runOf('answering', ada, 'done')
  t.deepEqual(await notesOf(ada), ['heard token-of-a-stranger'])
  const stored = await query<{ text: string }>(
    `select concat(input, output, error) as text from automations_steps where run_id = $1`,
    [id],
  )
  t.is(stored.length, 3)
  t.false(stored.some(({ text }) => text.includes('token-of-a-stranger')))
  const operator = await people.operator()
  const shown = await operator.get(`/v1/automations/runs/${id}`)
  t.false(JSON.stringify(shown.body).includes('token-of-a-stranger'))
})

test('a list of more than 1,000 items fails the step before its first item', async t => {
  const ada = await people.person()
  await ticket(ada, 'many', { tags: Array.from({ length: 1001 }, (_, index) => index) })
  const { error } = await runOf('many', ada, 'failed')
  t.is(error?.code, 'too_many_items')
  t.true(error?.detail.includes('1001'))
  t.deepEqual(await notesOf(ada), [])
})

test('a condition with a value of the environment is stored without it', async t => {
  const ada = await people.person()
  await ticket(ada, 'very-secret')
  await runOf('secrets', ada, 'done')
  const stored = await query<{ text: string }>(
    `select definition::text as text from automations_definitions where automation = 'secrets'`,
  )
  t.is(stored.length, 1)
  t.false(stored[0]?.text.includes('very-secret'))
})

test('only events that an automation names have a listener of automations, so others cost no statement', t => {
  const { listeners = [] } = kernel.kernel.ports.registry.running().find(({ key }) => key === 'automations') ?? {}
  t.deepEqual(listeners.map(({ on }) => String(on)).sort(), [
    'automations.ask.opened',
    'collections.tickets.created',
    'collections.tickets.deleted',
    'collections.tickets.updated',
  ])
})
