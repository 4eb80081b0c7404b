/** The recipes of docs/cookbook.md, as a reader copies them: each runs as a product of its own. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { type People, peopleOf } from '../fixtures/people.ts'
import { stepsOf } from '../system/tutorial-page.ts'
import { change, create, created, mailTo, memberOf, type Row, rowsOf } from './products/fixtures.ts'

interface Running {
  readonly kernel: TestKernel
  readonly people: People
}

/** Runs the recipe of a chapter. */
async function cook(t: ExecutionContext, title: string, work: (running: Running) => Promise<void>): Promise<void> {
  const page = await readFile(fileURLToPath(new URL('docs/cookbook.md', packageRoot)), 'utf8')
  const chapter = page.split('\n## ').find(part => part.startsWith(`${title}\n`))
  if (chapter === undefined) throw new Error(`the page has no chapter ${title}`)
  const folder = await mkdtemp(join(tmpdir(), 'larder-cookbook-'))
  try {
    for (const step of stepsOf(chapter)) {
      if (step.kind !== 'write' && step.kind !== 'merge') continue
      const file = join(folder, step.kind === 'write' ? step.file : 'recipe.yaml')
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, step.content)
    }
    const kernel = await startTestKernel({ recipe: join(folder, 'recipe.yaml') })
    t.teardown(() => kernel.stop())
    await work({ kernel, people: peopleOf(kernel) })
  } finally {
    await rm(folder, { recursive: true })
  }
}
const runDue = async ({ kernel }: Running): Promise<void> => {
  await kernel.kernel.ports.jobs.enqueue('automations.due', {})
  await kernel.settled()
}
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

test.serial('Mail: the customer is told that the order arrived, and that it is sent', t =>
  cook(t, 'Mail', async shop => {
    const owner = await shop.people.person()
    const order = await created(owner, 'orders', { email: 'ada@customer.test', item: 'Teapot' })
    t.is(order.number, 'O-00001')
    t.is((await change(owner, 'orders', order.id, { status: 'sent' })).status, 200)
    t.deepEqual(await mailTo(shop, 'ada@customer.test'), ['Your order O-00001', 'Your order O-00001 is on its way'])
  }),
)

test.serial('Schedule: those who have not paid are reminded', t =>
  cook(t, 'Schedule', async club => {
    const owner = await club.people.person()
    const fee = { year: 2026, amount: 2500 }
    await created(owner, 'fees', { ...fee, email: 'late@member.test' })
    await created(owner, 'fees', { ...fee, email: 'paid@member.test', paid: true })
    await club.kernel.kernel.ports.systemDatabase
      .acrossTenants('a test moves a schedule to now')
      .query("update automations_schedules set next_at = now() - interval '1 minute'")
    await runDue(club)
    t.deepEqual(await mailTo(club, 'late@member.test'), ['Your fee for 2026'])
    t.deepEqual(await mailTo(club, 'paid@member.test'), [])
  }),
)

test.serial('Booking: one of two customers gets the slot, and is reminded the day before', t =>
  cook(t, 'Booking', async studio => {
    const operator = await studio.people.operator()
    const [ada, bob] = await Promise.all([studio.people.person(), studio.people.person()])
    const startsAt = inHours(25)
    const slot = await created(operator, 'slots', { room: 'A', startsAt, endsAt: inHours(26) })
    t.is((await create(operator, 'slots', { room: 'A', startsAt: inHours(25.5), endsAt: inHours(27) })).status, 409)
    t.is((await rowsOf(studio.kernel, 'slots')).length, 1)
    const answers = await Promise.all([ada, bob].map(one => create(one, 'bookings', { slot: slot.id, startsAt })))
    t.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
    const winner = answers[0]?.status === 201 ? ada : bob
    await studio.kernel.settled()
    await studio.kernel.kernel.ports.systemDatabase
      .acrossTenants('a test moves moments to now')
      .query("update automations_dates set due_at = now() - interval '1 minute'")
    await runDue(studio)
    t.true((await mailTo(studio, winner.email)).includes('See you tomorrow'))
  }),
)

test.serial('Public form: a visitor asks, and only the team reads it', t =>
  cook(t, 'Public form', async offers => {
    const sales = await offers.people.colleague(await offers.people.operator(), ['tenant.sales'])
    const request = { name: 'Vera', email: 'vera@visitor.test', text: 'How much is it?' }
    t.is((await create(offers.kernel, 'requests', request)).status, 201)
    t.not((await offers.kernel.get('/v1/data/requests' as never)).status, 200)
    t.deepEqual(
      (await rowsOf(sales, 'requests')).map(({ name }) => name),
      ['Vera'],
    )
    t.deepEqual(await mailTo(offers, 'vera@visitor.test'), ['We have received your request'])
  }),
)

test.serial('Paid page: who pays sees all lessons, and the others the free one', t =>
  cook(t, 'Paid page', async course => {
    const operator = await course.people.operator()
    await created(operator, 'lessons', { position: 1, title: 'Begin here', text: 'For everybody', free: true })
    await created(operator, 'lessons', { position: 2, title: 'Go on', text: 'For those who pay' })
    const reader = await course.people.person()
    const shown = async (headers: Readonly<Record<string, string>> = {}) =>
      (await fetch(`${course.kernel.url}/lessons`, { headers: { accept: 'text/html', ...headers } })).text()
    t.regex(await shown(), /Begin here/)
    t.notRegex(await shown({ cookie: reader.cookie }), /Go on/)
    t.is((await reader.post('/v1/billing/checkout', { planKey: 'full' })).status, 201)
    t.regex(await shown({ cookie: reader.cookie }), /Begin here[\s\S]*Go on/)
    t.notRegex(await shown(), /Go on/)
  }),
)

test.serial('Approval: the manager decides, and the employee is told', t =>
  cook(t, 'Approval', async expenses => {
    const owner = await expenses.people.person()
    const [employee, manager] = await Promise.all([
      expenses.people.colleague(owner, ['tenant.employee']),
      expenses.people.colleague(owner, ['tenant.manager']),
    ])
    const purposes = ['Train', 'Yacht'] as const
    for (const purpose of purposes) await created(employee, 'expenses', { purpose, amount: 4900 })
    await expenses.kernel.settled()
    const { body } = await manager.get<{ data: { id: string; text: string }[] }>('/v1/automations/asks' as never)
    t.is(body.data.length, 2)
    for (const { id, text } of body.data) {
      const choice = text.startsWith('Train') ? 'approve' : 'refuse'
      t.is((await manager.post(`/v1/automations/asks/${id}/answer` as never, { choice } as never)).status, 200)
    }
    await expenses.kernel.settled()
    const rows: readonly Row[] = await rowsOf(employee, 'expenses', '?sort=purpose')
    t.deepEqual(
      rows.map(({ purpose, status }) => [purpose, status]),
      [
        ['Train', 'approved'],
        ['Yacht', 'refused'],
      ],
    )
    t.is(rows[0]?.employee, await memberOf(employee))
  }),
)
