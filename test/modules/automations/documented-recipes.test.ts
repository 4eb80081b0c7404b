/** The recipes of docs/automations.md, as a reader copies them: each passes the check, and all of them run in one product. */
import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import pg from 'pg'
import { parse, stringify } from 'yaml'
import { checkFile } from '../../../bin/composition.ts'
import { packageRoot } from '../../../kernel/base/package-root.ts'
import { isRecord } from '../../../kernel/index.ts'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../../testing/index.ts'
import { type People, peopleOf } from '../../fixtures/people.ts'
import { stepsOf } from '../../system/tutorial-page.ts'

type Json = Readonly<Record<string, unknown>>
interface Row {
  readonly id: string
  readonly [field: string]: unknown
}

const root = fileURLToPath(packageRoot)
const SECRETS = { GITHUB_WEBHOOK_SECRET: 'the secret of GitHub', STRIPE_PAYMENTS_SECRET: 'whsec_the_secret_of_stripe' }
const HEAD = { recipe: 1, product: { key: 'test', name: 'Test', publicUrl: 'https://app.acme.test' } }

/** The recipes of the page by their titles, with the files beside them. */
async function recipes() {
  const page = await readFile(join(root, 'docs/automations.md'), 'utf8')
  const [, chapter = ''] = page.split('\n## Recipes\n')
  return chapter
    .split('\n### ')
    .slice(1)
    .map(part => {
      const files = new Map<string, string>()
      let recipe = ''
      for (const step of stepsOf(part))
        if (step.kind === 'write') files.set(step.file, step.content)
        else if (step.kind === 'merge') recipe = step.content
      return { title: part.split('\n')[0] ?? '', recipe, files }
    })
}

function merged(one: Json, other: Json): Json {
  const both = Object.entries(other).map(([key, value]) => {
    const present = one[key]
    return [key, isRecord(present) && isRecord(value) ? merged(present, value) : value] as const
  })
  return { ...one, ...Object.fromEntries(both) }
}

const posts: Json[] = []
let chat: Server
let folder: string
let kernel: TestKernel
let people: People
let database: pg.Pool
test.before(async () => {
  chat = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    posts.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Json)
    response.end('ok')
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => chat.once('listening', resolve))
  // Inside the package, so that a module finds it by its name.
  folder = await mkdtemp(join(root, 'dist/automations-'))
  const all = await recipes()
  for (const [file, content] of all.flatMap(({ files }) => [...files])) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), content)
  }
  const one = all.reduce<Json>((sum, { recipe }) => merged(sum, parse(recipe) as Json), HEAD)
  const file = join(folder, 'recipe.yaml')
  await writeFile(file, stringify(merged(one, { modules: { webhooks: { allowHosts: '127.0.0.1' } } })))
  const { port } = chat.address() as AddressInfo
  kernel = await startTestKernel({ recipe: file, env: { ...SECRETS, CHAT_WEBHOOK_URL: `http://127.0.0.1:${port}/` } })
  people = peopleOf(kernel)
  database = new pg.Pool({ connectionString: kernel.databaseUrl })
  database.on('error', () => {})
})
test.after.always(async () => {
  await database?.end()
  await kernel?.stop()
  chat?.close()
  if (folder) await rm(folder, { recursive: true })
})

async function runDue(): Promise<void> {
  await kernel.kernel.ports.jobs.enqueue('automations.due', {})
  await kernel.settled()
}
const create = async (client: Client, collection: string, values: Json): Promise<Row> => {
  const { status, body } = await client.post<Row>(`/v1/data/${collection}`, values)
  if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}
const rowsOf = async (client: Client, collection: string) =>
  (await client.get<{ data: Row[] }>(`/v1/data/${collection}`)).body.data
const memberOf = async (person: Person): Promise<string> =>
  (await person.get<{ memberships: { id: string }[] }>('/v1/auth/me')).body.memberships[0]?.id ?? ''
const subjectsTo = async (address: string): Promise<string[]> =>
  (await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(address)}`)).body.data.map(
    ({ subject }: { subject: string }) => subject,
  )
/** The texts in the messages of a member. */
async function messagesOf(client: Client): Promise<string[]> {
  const { body } = await client.get<{ data: { id: string }[] }>('/v1/messaging/conversations')
  const lists = await Promise.all(
    body.data.map(({ id }) => client.get<{ data: { body: string }[] }>(`/v1/messaging/conversations/${id}/messages`)),
  )
  return lists.flatMap(list => list.body.data.map(message => message.body))
}
const receive = (hook: string, body: string, headers: Readonly<Record<string, string>>) =>
  fetch(`${kernel.url}/v1/hooks/${hook}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })

test('each of the eight recipes passes the check without a warning when copied', async t => {
  const all = await recipes()
  t.is(all.length, 8)
  for (const { title, recipe, files } of all) {
    const own = await mkdtemp(join(root, 'dist/automations-'))
    t.teardown(() => rm(own, { recursive: true }))
    for (const [file, content] of files) {
      await mkdir(dirname(join(own, file)), { recursive: true })
      await writeFile(join(own, file), content)
    }
    const file = join(own, 'recipe.yaml')
    await writeFile(file, `${stringify(HEAD)}${recipe}`)
    const checked = await checkFile(file, { ...SECRETS, CHAT_WEBHOOK_URL: 'https://chat.acme.test/hook' })
    t.deepEqual(checked.warnings, [], title)
  }
})

test('a new ticket is mailed to the customer and to the team', async t => {
  const ada = await people.person()
  await create(ada, 'tickets', { subject: 'The lid is loose', requester: await memberOf(ada) })
  await kernel.settled()
  t.true((await subjectsTo(ada.email)).includes('We have received: The lid is loose'))
  t.true((await subjectsTo('support@acme.test')).some(subject => subject.endsWith(': The lid is loose')))
})

test('a ticket that is not solved after two days is escalated, and its agents are told', async t => {
  const ada = await people.person()
  const agent = await people.colleague(ada, ['tenant.agent'])
  const requester = await memberOf(ada)
  const [open, solved] = [
    await create(ada, 'tickets', { subject: 'Open', requester }),
    await create(ada, 'tickets', { subject: 'Solved', requester }),
  ]
  await ada.patch(`/v1/data/tickets/${solved.id}`, { status: 'solved' })
  await kernel.automations.endWaits({ automation: 'escalate' })
  const rows = await rowsOf(ada, 'tickets')
  t.deepEqual(
    rows.filter(({ escalated }) => escalated).map(({ id }) => id),
    [open.id],
  )
  t.deepEqual(await messagesOf(agent), ['Still open after two days: Open'])
})

test('an appointment reminds the customer a day before, unless it is called off', async t => {
  const ada = await people.person()
  const customer = await memberOf(ada)
  const values = { startsAt: '2099-05-01T10:00:00Z', customer }
  const kept = await create(ada, 'appointments', { ...values, title: 'Kept' })
  const dropped = await create(ada, 'appointments', { ...values, title: 'Dropped' })
  await kernel.settled()
  await ada.patch(`/v1/data/appointments/${dropped.id}`, { state: 'called_off' })
  await kernel.settled()
  const { rowCount } = await database.query(
    `update automations_dates set due_at = now() where automation = 'remind' and row_id = any ($1)`,
    [[kept.id, dropped.id]],
  )
  t.is(rowCount, 1)
  await runDue()
  const subjects = await subjectsTo(ada.email)
  t.deepEqual(
    subjects.filter(subject => subject.startsWith('Tomorrow')),
    ['Tomorrow: Kept'],
  )
})

test('each active project sends a report with its hours to its lead', async t => {
  const ada = await people.person()
  const lead = await memberOf(ada)
  const roof = await create(ada, 'projects', { name: 'Roof', lead })
  await create(ada, 'projects', { name: 'Cellar', lead, active: false })
  for (const hours of [5, 7]) await create(ada, 'entries', { project: roof.id, hours })
  await database.query(`update automations_schedules set next_at = now() where automation = 'monthly-report'`)
  await runDue()
  const { body } = await kernel.get(`/v1/communications/mailbox?filter[to]=${encodeURIComponent(ada.email)}`)
  const reports = (body.data as { id: string; subject: string }[]).filter(({ subject }) => /report/.test(subject))
  t.deepEqual(
    reports.map(({ subject }) => subject),
    ['Your report: Roof'],
  )
  t.regex((await kernel.get(`/v1/communications/mailbox/${reports[0]?.id}`)).body.text, /Roof: 12 hours/)
})

test('support presses Refund, and only the answer of a manager refunds the order', async t => {
  const ada = await people.person()
  const support = await people.colleague(ada, ['tenant.support'])
  const manager = await people.colleague(ada, ['tenant.manager'])
  const order = await create(ada, 'orders', { number: 'A-1', total: 9900 })
  const press = { row: order.id, input: { amount: 4900 } }
  t.is((await manager.post('/v1/automations/refund/run', press)).status, 403)
  t.is((await support.post('/v1/automations/refund/run', press)).status, 202)
  await kernel.settled()
  const { body } = await manager.get<{ data: { id: string; text: string }[] }>('/v1/automations/asks')
  t.deepEqual(
    body.data.map(({ text }) => text),
    ['Refund 4900 cents of 9900 for order A-1?'],
  )
  const answer = `/v1/automations/asks/${body.data[0]?.id}/answer`
  t.is((await support.post(answer, { choice: 'approve' })).status, 403)
  t.is((await manager.post(answer, { choice: 'approve' })).status, 200)
  await kernel.settled()
  t.is((await rowsOf(ada, 'orders'))[0]?.refunded, 4900)
  t.deepEqual(await messagesOf(support), ['Order A-1: approve'])
})

test('GitHub and Stripe create one row for each delivery that they sign', async t => {
  const issue = JSON.stringify({ action: 'opened', issue: { number: 7, title: 'A bug' } })
  const github = (body: string, secret: string, id: string) =>
    receive('github-issue', body, {
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      'x-github-delivery': id,
    })
  t.is((await github(issue, 'another secret', '1')).status, 400)
  t.is((await github(issue, SECRETS.GITHUB_WEBHOOK_SECRET, '1')).status, 202)
  t.deepEqual(await (await github(issue, SECRETS.GITHUB_WEBHOOK_SECRET, '1')).json(), {
    received: true,
    started: false,
  })
  await github(JSON.stringify({ zen: 'Keep it simple.' }), SECRETS.GITHUB_WEBHOOK_SECRET, '2')
  const paid = JSON.stringify({
    type: 'checkout.session.completed',
    data: { object: { id: 'cs_1', amount_total: 1900 } },
  })
  const at = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', SECRETS.STRIPE_PAYMENTS_SECRET).update(`${at}.${paid}`).digest('hex')
  t.is((await receive('stripe-payment', paid, { 'stripe-signature': `t=${at},v1=${signature}` })).status, 202)
  await kernel.settled()
  const stored = await database.query<{ number: number; title: string; checkout: string; amount: string }>(
    `select i.number::int, i.title, p.checkout, p.amount::text from data_issues i, data_payments p`,
  )
  t.deepEqual(stored.rows, [{ number: 7, title: 'A bug', checkout: 'cs_1', amount: '1900' }])
})

test('a changed status is posted to the chat, and other changes are not', async t => {
  const ada = await people.person()
  const { id } = await create(ada, 'tickets', { subject: 'Chat', requester: await memberOf(ada) })
  await ada.patch(`/v1/data/tickets/${id}`, { subject: 'Chat about it' })
  await ada.patch(`/v1/data/tickets/${id}`, { status: 'solved' })
  await kernel.settled()
  t.deepEqual(
    posts.filter(({ text }) => String(text).startsWith('Chat')),
    [{ text: 'Chat about it: open → solved' }],
  )
})

test('who signs up is welcomed at once and after three days, and hears of the end of a trial', async t => {
  const ada = await people.person()
  await kernel.settled()
  const isWelcome = (subject: string) => / is ready$|^Three things/.test(subject)
  t.is((await subjectsTo(ada.email)).filter(isWelcome).length, 1)
  t.is((await ada.post('/v1/billing/checkout', { planKey: 'team' })).status, 201)
  await kernel.automations.endWaits({ automation: 'welcome' })
  t.is((await subjectsTo(ada.email)).filter(isWelcome).length, 2)
  await kernel.automations.endWaits({ automation: 'trial-ends' })
  t.deepEqual(await messagesOf(ada), ['Your trial of team ends in three days.'])
})
