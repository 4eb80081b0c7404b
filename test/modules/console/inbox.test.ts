import test from 'ava'
import type { Message } from '../../../modules/console/app/data/api-types.ts'
import {
  fillReply,
  findReplies,
  initialsOf,
  insertReply,
  queryOf,
  shortcutAt,
  snoozeTimes,
  toShown,
} from '../../../modules/console/app/screens/messaging/inbox.ts'

const reply = (title: string, shortcut: string | null = null) => ({
  id: title,
  title,
  body: `About ${title}`,
  shortcut,
  version: 1,
  createdBy: 'usr_1',
  createdAt: '2026-03-02T12:00:00Z',
  updatedAt: '2026-03-02T12:00:00Z',
})
const message = (seq: number, senderId: string, createdAt: string): Message => ({
  id: `msg_${seq}`,
  seq,
  senderId,
  body: 'x',
  attachments: [],
  createdAt,
  conversationId: 'con_1',
  version: seq,
  clientMessageId: null,
  editedAt: null,
  deletedAt: null,
})

test('fills the placeholders of a reply once', t => {
  t.is(fillReply('Hi {name}, {other} {agent}', { name: '{agent} $&', agent: 'Sam' }), 'Hi {agent} $&, {other} Sam')
})

test('finds the shortcut before the cursor', t => {
  t.is(shortcutAt('/', 1), '')
  t.is(shortcutAt('Hello /ref', 10), 'ref')
  t.is(shortcutAt('Hello /ref there', 8), 'r')
  for (const text of ['Hello', 'a/b', 'https://x', '/ref ']) t.is(shortcutAt(text, text.length), null, text)
})

test('inserts a reply at the cursor and in place of the shortcut', t => {
  t.deepEqual(insertReply('Hello /ref there', 10, 'Refund'), { text: 'Hello Refund there', cursor: 12 })
  t.deepEqual(insertReply('Hello there', 6, 'dear '), { text: 'Hello dear there', cursor: 11 })
})

test('suggests replies with the exact shortcut first', t => {
  const replies = [reply('Refund policy'), reply('Other', 'refund'), reply('Exact', 'ref'), reply('Unrelated', 'x')]
  t.deepEqual(
    findReplies(replies, 'REF').map(({ title }) => title),
    ['Exact', 'Other', 'Refund policy'],
  )
})

test('suggests replies without the accents of their titles', t => {
  const replies = [reply('Rückgabe'), reply('Straße')]
  for (const [words, title] of [
    ['ruck', 'Rückgabe'],
    ['strasse', 'Straße'],
  ] as const)
    t.is(findReplies(replies, words)[0]?.title, title)
})

test('groups messages by day and sender', t => {
  const shown = toShown(
    [
      message(1, 'mia', '2026-03-02T12:00:00Z'),
      message(2, 'mia', '2026-03-02T12:01:00Z'),
      message(3, 'sam', '2026-03-02T12:02:00Z'),
      message(4, 'sam', '2026-03-02T12:30:00Z'),
      message(5, 'sam', '2026-03-04T12:31:00Z'),
    ],
    ['mia'],
  )
  t.deepEqual(
    shown.map(({ isFirstOfDay, isContinued, isFromSupport }) => [isFirstOfDay, isContinued, isFromSupport]),
    [
      [true, false, false],
      [false, true, false],
      [false, false, true],
      [false, false, true],
      [true, false, true],
    ],
  )
})

test('snoozes until a later morning, on a Monday until the next one', t => {
  const monday = new Date(2026, 2, 2, 15)
  const { hour, tomorrow, monday: next } = snoozeTimes(monday)
  t.is(hour.getTime() - monday.getTime(), 3_600_000)
  t.deepEqual(tomorrow, new Date(2026, 2, 3, 9))
  t.deepEqual(next, new Date(2026, 2, 9, 9))
  t.deepEqual(snoozeTimes(new Date(2026, 2, 1, 1)).monday, new Date(2026, 2, 2, 9))
})

test('translates views to filters, and names to initials', t => {
  t.deepEqual(queryOf('mine', ' x '), { 'filter[status]': 'open', 'filter[assignee]': 'me', q: 'x' })
  t.deepEqual(queryOf('resolved', ''), { 'filter[status]': 'resolved', 'filter[assignee]': '', q: '' })
  t.deepEqual(['Ada King Lovelace', 'ada@example.test', '', 'Élise'].map(initialsOf), ['AL', 'A', '?', 'É'])
})
