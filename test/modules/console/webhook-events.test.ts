import test from 'ava'
import { choicesOf, coveredBy, findChoices, toggle } from '../../../modules/console/app/screens/webhooks/events.ts'

const CHOICES = choicesOf(
  [
    { type: 'sessions.session.ended', description: 'A session ended.', schema: {} },
    { type: 'content.page.published', description: 'A page was published.', schema: {} },
    { type: 'sessions.session.created', description: 'A session was created.', schema: {} },
  ],
  'All of them',
)
const patterns = (choices: typeof CHOICES) => choices.map(({ pattern }) => pattern)

test('offers each wildcard once, before its events', t => {
  t.deepEqual(patterns(CHOICES), [
    '*',
    'content.*',
    'content.page.*',
    'content.page.published',
    'sessions.*',
    'sessions.session.*',
    'sessions.session.created',
    'sessions.session.ended',
  ])
})

test('finds events by words of their names and descriptions', t => {
  t.deepEqual(patterns(findChoices(CHOICES, 'session.*')), ['sessions.session.*'])
  t.deepEqual(patterns(findChoices(CHOICES, 'created SESSION')), ['sessions.session.created'])
  t.is(findChoices(CHOICES, '').length, CHOICES.length)
})

test('a wildcard replaces what it contains', t => {
  t.deepEqual(toggle('sessions.*', ['sessions.session.ended', 'content.page.published']), [
    'content.page.published',
    'sessions.*',
  ])
  t.deepEqual(toggle('sessions.*', ['sessions.*']), [])
  t.is(coveredBy('sessions.session.ended', ['content.*', 'sessions.*']), 'sessions.*')
  t.is(coveredBy('sessions.*', ['sessions.*']), undefined)
})
