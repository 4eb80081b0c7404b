import test from 'ava'
import { Problem } from '../../../../kernel/index.ts'
import { patched, type Standing } from '../../../../modules/messaging/domain/conversation-status.ts'

const NOW = Date.UTC(2026, 0, 1)
const LATER = '2026-01-02T09:00:00Z'
const open: Standing = { subject: 'Plans', status: 'open', snoozedUntil: null }
const resolved: Standing = { ...open, status: 'resolved' }
const snoozed: Standing = { ...open, status: 'snoozed', snoozedUntil: new Date(LATER) }

test('every status can follow every other; a time goes with snoozed alone', t => {
  for (const before of [open, resolved, snoozed]) {
    t.deepEqual(patched(before, { status: 'open' }, NOW), open)
    t.deepEqual(patched(before, { status: 'resolved' }, NOW), resolved)
    t.deepEqual(patched(before, { status: 'snoozed', snoozedUntil: LATER }, NOW), snoozed)
  }
})

test('what changes nothing is the same object', t => {
  for (const before of [open, resolved, snoozed]) {
    t.is(patched(before, {}, NOW), before)
    t.is(patched(before, { status: before.status, subject: before.subject }, NOW), before)
  }
  t.is(patched(snoozed, { snoozedUntil: LATER }, NOW), snoozed)
  t.is(patched(open, { snoozedUntil: null }, NOW), open)
})

test('a snoozed conversation can be snoozed for longer, by its time alone', t => {
  const until = '2026-02-01T00:00:00Z'
  t.deepEqual(patched(snoozed, { snoozedUntil: until }, NOW), { ...snoozed, snoozedUntil: new Date(until) })
})

test('a subject is changed, taken away, and left alone', t => {
  t.is(patched(open, { subject: 'Other' }, NOW).subject, 'Other')
  t.is(patched(open, { subject: null }, NOW).subject, null)
  t.is(patched(open, { status: 'resolved' }, NOW).subject, 'Plans')
})

test('a time that is missing, past, far out or without snoozed is refused', t => {
  const refused = (before: Standing, patch: Parameters<typeof patched>[1]) => {
    const error = t.throws(() => patched(before, patch, NOW))
    t.true(Problem.is(error))
    t.like((error as unknown as Problem).extras, { errors: [{ pointer: '/snoozedUntil' }] })
  }
  refused(open, { status: 'snoozed' })
  refused(open, { status: 'snoozed', snoozedUntil: null })
  refused(open, { status: 'snoozed', snoozedUntil: '2025-12-31T23:59:59Z' })
  refused(open, { status: 'snoozed', snoozedUntil: '+275760-09-13T00:00:00Z' })
  refused(open, { snoozedUntil: LATER })
  refused(snoozed, { status: 'open', snoozedUntil: LATER })
  refused(snoozed, { snoozedUntil: null })
})
