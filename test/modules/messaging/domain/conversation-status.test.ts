import test from 'ava'
import { Problem } from '../../../../kernel/index.ts'
import { applyPatch, type ConversationState } from '../../../../modules/messaging/domain/conversation-status.ts'

const NOW = Date.UTC(2026, 0, 1)
const LATER = '2026-01-02T09:00:00Z'
const open: ConversationState = { subject: 'Plans', status: 'open', snoozedUntil: null, assigneeId: null }
const resolved: ConversationState = { ...open, status: 'resolved' }
const snoozed: ConversationState = { ...open, status: 'snoozed', snoozedUntil: new Date(LATER) }

test('allows every status transition; only snoozed has a time', t => {
  for (const before of [open, resolved, snoozed]) {
    t.deepEqual(applyPatch(before, { status: 'open' }, NOW), open)
    t.deepEqual(applyPatch(before, { status: 'resolved' }, NOW), resolved)
    t.deepEqual(applyPatch(before, { status: 'snoozed', snoozedUntil: LATER }, NOW), snoozed)
  }
})

test('returns the same object for a patch without effect', t => {
  for (const before of [open, resolved, snoozed]) {
    t.is(applyPatch(before, {}, NOW), before)
    t.is(applyPatch(before, { status: before.status, subject: before.subject }, NOW), before)
  }
  t.is(applyPatch(snoozed, { snoozedUntil: LATER }, NOW), snoozed)
  t.is(applyPatch(open, { snoozedUntil: null }, NOW), open)
})

test('extends the snooze time without a status', t => {
  const until = '2026-02-01T00:00:00Z'
  t.deepEqual(applyPatch(snoozed, { snoozedUntil: until }, NOW), { ...snoozed, snoozedUntil: new Date(until) })
})

test('sets, clears and keeps the subject', t => {
  t.is(applyPatch(open, { subject: 'Other' }, NOW).subject, 'Other')
  t.is(applyPatch(open, { subject: null }, NOW).subject, null)
  t.is(applyPatch(open, { status: 'resolved' }, NOW).subject, 'Plans')
})

test('rejects a time that is missing, past, too far or without status snoozed', t => {
  const refused = (before: ConversationState, patch: Parameters<typeof applyPatch>[1]) => {
    const error = t.throws(() => applyPatch(before, patch, NOW))
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
