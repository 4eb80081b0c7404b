import test from 'ava'
import { startTestKernel } from '../../testing/index.ts'
import { notesOf, startDesk } from '../modules/automations/fixtures.ts'

test('settle waits for runs, but not for those that wait for a time or an answer', async t => {
  const kernel = await startDesk({
    chain: {
      on: 'collections.tickets.created',
      steps: [{ 'desk.note': { text: 'one' }, as: 'made' }, { 'desk.note': { text: 'two {{steps.made.id}}' } }],
    },
    later: { on: 'collections.tickets.created', steps: [{ wait: '2d' }, { 'desk.note': { text: 'late' } }] },
    question: {
      on: 'collections.tickets.created',
      steps: [{ ask: { role: 'tenant.owner', text: 'Well?', choices: ['yes_', 'no_'] } }],
    },
  })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  await ada.post('/v1/data/tickets', { title: 'Printer' })
  await kernel.automations.settle()
  const all = await kernel.automations.runs({ tenantId: ada.tenantId })
  t.deepEqual(Object.fromEntries(all.map(({ automation, state }) => [automation, state])), {
    chain: 'done',
    later: 'waiting',
    question: 'waiting',
  })
  const [chain] = await kernel.automations.runs({ automation: 'chain' })
  const { id } = (chain?.steps[0]?.output ?? {}) as { id?: string }
  t.deepEqual(
    chain?.steps.map(({ position, name, action, state, input }) => ({ position, name, action, state, input })),
    [
      { position: 0, name: 'made', action: 'desk.note', state: 'done', input: { text: 'one' } },
      { position: 1, name: null, action: 'desk.note', state: 'done', input: { text: `two ${id}` } },
    ],
  )
  t.deepEqual(await kernel.automations.runs({ tenantId: 'another' }), [])
})

test('endWaits continues runs that wait for a time, and no others', async t => {
  const kernel = await startDesk({
    later: { on: 'collections.tickets.created', steps: [{ wait: '2d' }, { 'desk.note': { text: 'late' } }] },
    other: { on: 'collections.tickets.created', steps: [{ wait: '2d' }, { 'desk.note': { text: 'never' } }] },
    question: {
      on: 'collections.tickets.created',
      steps: [{ ask: { role: 'tenant.owner', text: 'Well?', choices: ['yes_', 'no_'] } }],
    },
  })
  t.teardown(() => kernel.stop())
  const [ada, bob] = [await kernel.register('ada@example.test'), await kernel.register('bob@example.test')]
  for (const person of [ada, bob]) await person.post('/v1/data/tickets', { title: 'Printer' })
  t.is(await kernel.automations.endWaits({ automation: 'later', tenantId: ada.tenantId }), 1)
  t.is(await kernel.automations.endWaits({ automation: 'question' }), 0)
  t.deepEqual(await notesOf(ada), ['late'])
  t.deepEqual(await notesOf(bob), [])
})

test('a product without the module says which line to add', async t => {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {} } } })
  t.teardown(() => kernel.stop())
  await t.throwsAsync(kernel.automations.settle(), { message: /add the line automations: \{\} under modules/ })
  await t.throwsAsync(kernel.automations.runs(), { message: /add the line automations: \{\} under modules/ })
})
