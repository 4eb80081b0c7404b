/** What happens over hours: systems that don't answer, and a clock that jumps. */
import test from 'ava'
import { HOUR, MINUTE, SECOND } from '../../../kernel/base/units.ts'
import type { TestKernel } from '../../../testing/index.ts'
import { startTestKernel } from '../../../testing/index.ts'
import { createTestClock } from '../../fixtures/clock.ts'
import { peopleOf } from '../../fixtures/people.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { connectOwner } from '../collections/fixtures.ts'
import { type Receiver, startReceiver } from '../webhooks/receiver.ts'
import { deskRecipe } from './fixtures.ts'

const clock = createTestClock({ at: Date.parse('2027-01-04T10:30:00Z') })
let kernel: TestKernel
let target: Receiver
let isBroken = true

test.before(async () => {
  target = await startReceiver((_, response) => void response.writeHead(isBroken ? 500 : 200).end('{}'))
  const recipe = deskRecipe({
    calling: {
      on: 'collections.tickets.created',
      when: { 'row.title': 'calls' },
      steps: [{ 'webhooks.request': { url: target.url, json: {} } }],
    },
    waiting: {
      on: 'collections.tickets.created',
      when: { 'row.title': 'waits' },
      steps: [{ wait: '1h' }, { 'desk.note': { text: 'waited' } }],
    },
    hourly: { every: '0 * * * *', steps: [{ 'desk.note': { text: 'hourly' } }] },
  })
  kernel = await startTestKernel({
    recipe: { ...recipe, modules: { ...recipe.modules, webhooks: { allowHosts: '127.0.0.1' } } },
    clock,
  })
})
test.after.always(async () => {
  await kernel?.stop()
  await target?.close()
})

const runsOf = (automation: string) => kernel.automations.runs({ automation })
const stateOf = async (automation: string) => (await runsOf(automation))[0]?.state

test.serial(
  'a target that answers 500 is asked six times within an hour, and again when an operator retries',
  async t => {
    const owner = await connectOwner(t, kernel.databaseUrl)
    // The code with which an operator claims the installation expires after an hour.
    const operator = await peopleOf(kernel).operator()
    const ada = await kernel.register('ada@example.test')
    await ada.post('/v1/data/tickets', { title: 'calls' })
    const began = clock.now()
    for (let attempt = 1; attempt <= 5; attempt++) {
      await waitFor(async () => target.received.length === attempt && (await stateOf('calling')) === 'waiting')
      const [row] = await owner.query<{ at: Date }>(
        `select wakes_at as at from automations_runs where automation = 'calling'`,
      )
      clock.forward((row?.at.getTime() ?? 0) - clock.now() + SECOND)
    }
    await waitFor(async () => (await stateOf('calling')) === 'failed')
    t.is(target.received.length, 6)
    const passed = clock.now() - began
    t.true(passed > 55 * MINUTE && passed < 65 * MINUTE, `${passed / MINUTE} minutes`)
    isBroken = false
    const [run] = await runsOf('calling')
    t.is((await operator.post(`/v1/automations/runs/${run?.id}/retry`)).status, 202)
    await waitFor(async () => (await stateOf('calling')) === 'done')
    t.is(new Set(target.received.map(({ headers }) => headers['idempotency-key'])).size, 1)
  },
)

test.serial('a schedule starts one run for a time, whichever way the clock jumps', async t => {
  const due = async () => {
    await kernel.kernel.ports.jobs.enqueue('automations.due', {})
    await kernel.settled()
    return (await runsOf('hourly')).length
  }
  // To half past the hour.
  clock.forward(HOUR - (clock.now() % HOUR) + 30 * MINUTE)
  const before = await due()
  clock.forward(5 * HOUR)
  t.is(await due(), before + 1, 'only the latest time is made up for')
  clock.forward(-3 * HOUR)
  t.is(await due(), before + 1)
  clock.forward(3 * HOUR)
  t.is(await due(), before + 1)
  clock.forward(HOUR)
  t.is(await due(), before + 2)
})

test.serial('a wait ends once, though the clock jumps back in between', async t => {
  const ada = await kernel.register('grace@example.test')
  await ada.post('/v1/data/tickets', { title: 'waits' })
  await waitFor(async () => (await stateOf('waiting')) === 'waiting')
  clock.forward(-2 * HOUR)
  await kernel.settled()
  t.is(await stateOf('waiting'), 'waiting')
  clock.forward(4 * HOUR)
  await waitFor(async () => (await stateOf('waiting')) === 'done')
  const { body } = await ada.get<{ data: { text: string }[] }>('/v1/data/notes')
  t.deepEqual(
    body.data.map(({ text }) => text),
    ['waited'],
  )
})
