import test from 'ava'
import { NAMELESS, sentenceOf } from '../../../../../../modules/identity/audit/domain/audit-sentences.ts'
import type { AuditRecord } from '../../../../../../modules/identity/ports.ts'

const action = { title: 'Member removed', sentence: '{0} removed {1}' }
const said = (details: AuditRecord['details'], subject: string | null) => {
  const actor = { kind: 'login', id: 'lgn_1', userId: 'usr_1', impersonatedBy: null } as const
  const entry = { id: 'aud_1', action: 'member.removed', subject, details, createdAt: '2026-01-01T00:00:00Z' }
  const record = { tenantId: 'ten_1', ...entry, actor } as AuditRecord
  return sentenceOf(record, action, new Map(), NAMELESS.deleted, text => text).summary
}

test('people without a name are called by words, whichever ID the entry has', t => {
  const words = 'A deleted person removed A deleted person'
  t.is(said({ userId: 'usr_2' }, 'mem_2'), words)
  t.is(said({}, 'usr_2'), words)
  t.is(said({}, 'mem_2'), words)
})

test('what is no person keeps its ID', t => {
  t.is(said({}, 'team.support'), 'A deleted person removed team.support')
})
