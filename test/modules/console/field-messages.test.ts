import test from 'ava'
import { messageAt, sortMessages, tabOfMessages } from '../../../modules/console/app/data/field-messages.ts'

const errors = new Map([
  ['/name', 'must not be empty'],
  ['/extra/color', 'must be a text'],
  ['/named', 'is not a known field'],
])

test('a field shows its message, or that of a part of its value with the name of the part', t => {
  t.is(messageAt(errors, '/name'), 'must not be empty')
  t.is(messageAt(errors, '/extra'), 'color must be a text')
  t.is(messageAt(errors, '/title'), undefined)
})

test('messages of fields that the form does not have are kept apart', t => {
  const { own, others } = sortMessages(errors, ['/name', '/extra'])
  t.deepEqual([...own.keys()], ['/name', '/extra/color'])
  t.deepEqual(others, [['/named', 'is not a known field']])
})

test('opens the tab of the first message, unless the selected tab has one', t => {
  const fields = { write: ['/title', '/body'], settings: ['/slug', '/name'] }
  t.is(tabOfMessages(fields, errors, 'write'), 'settings')
  t.is(tabOfMessages(fields, new Map([['/body', 'is too long']]), 'write'), 'write')
  t.is(tabOfMessages(fields, new Map([...errors, ['/title', 'is required']]), 'settings'), 'settings')
  t.is(tabOfMessages(fields, new Map([['/other', 'is required']]), 'versions'), 'versions')
})
