import test from 'ava'
import { withDistinctTitles } from '../../../modules/console/app/data/distinct-titles.ts'

const list = (module: string, name: string, title: string, more = {}) => ({
  module,
  name,
  title,
  singular: title.replace(/s$/, ''),
  within: null,
  offered: true,
  ...more,
})
const areaOf = (module: string) => ({ media: 'Media', forms: 'Forms', billing: 'Billing' })[module] ?? module
const titlesOf = (lists: readonly ReturnType<typeof list>[]) =>
  withDistinctTitles(lists, areaOf).map(({ title, singular }) => `${title}, ${singular}`)

test('collections with one title have their names beside it, and others stay', t => {
  const lists = [
    list('collections', 'crm_notes', 'Notes'),
    list('collections', 'team_notes', 'notes'),
    list('collections', 'tickets', 'Tickets'),
  ]
  t.deepEqual(titlesOf(lists), [
    'Notes (crm_notes), Note (crm_notes)',
    'notes (team_notes), note (team_notes)',
    'Tickets, Ticket',
  ])
})

test('a list of a module has its area beside its title, and none repeats the title', t => {
  const lists = [
    list('collections', 'files', 'Files'),
    list('media', 'items', 'Files'),
    list('collections', 'surveys', 'Forms'),
    list('forms', 'forms', 'Forms'),
    list('billing', 'given', 'Credits'),
    list('billing', 'taken', 'Credits'),
  ]
  t.deepEqual(titlesOf(lists), [
    'Files, File',
    'Files (Media), File (Media)',
    'Forms (surveys), Form (surveys)',
    'Forms, Form',
    'Credits (given), Credit (given)',
    'Credits (taken), Credit (taken)',
  ])
})

test('lists that the navigation does not have change no title', t => {
  const lists = [
    list('collections', 'notes', 'Notes'),
    list('messaging', 'notes', 'Notes', { within: 'messaging.conversations' }),
    list('content', 'notes', 'Notes', { offered: false }),
  ]
  t.deepEqual(titlesOf(lists), ['Notes, Note', 'Notes, Note', 'Notes, Note'])
})
