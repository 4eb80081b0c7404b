import test from 'ava'
import { connectOwner } from '../collections/fixtures.ts'
import { notesOf, startDesk } from './fixtures.ts'

test('an event starts a run, whose steps see the row as it is now', async t => {
  const kernel = await startDesk({
    note: {
      on: 'collections.tickets.created',
      when: { 'row.priority': 'high' },
      steps: [
        { 'desk.note': { text: 'New: {{row.title}}' }, as: 'first' },
        { 'desk.close': { ticket: '$row' } },
        { 'desk.note': { text: '{{row.status}} {{steps.first.id}}' }, when: { 'row.status': 'solved' } },
        { 'desk.note': { text: 'never' }, when: { 'row.status': 'open' } },
      ],
    },
  })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  await ada.post('/v1/data/tickets', { title: 'Printer', priority: 'high' })
  await ada.post('/v1/data/tickets', { title: 'Paper' })
  await kernel.settled()
  const notes = await notesOf(ada)
  t.is(notes.length, 2)
  t.is(notes[0], 'New: Printer')
  t.regex(notes[1] ?? '', /^solved not_|^solved /)
  const owner = await connectOwner(t, kernel.databaseUrl)
  const runs = await owner.query('select state, position, error from automations_runs')
  t.deepEqual(runs, [{ state: 'done', position: 4, error: null }])
  const steps = await owner.query('select state, action from automations_steps order by position')
  t.deepEqual(steps, [
    { state: 'done', action: 'desk.note' },
    { state: 'done', action: 'desk.close' },
    { state: 'done', action: 'desk.note' },
    { state: 'passed', action: 'desk.note' },
  ])
})
