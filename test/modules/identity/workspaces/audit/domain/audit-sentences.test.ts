import { readFile } from 'node:fs/promises'
import test from 'ava'
import { parse } from 'yaml'
import { NAMELESS, sentenceOf } from '../../../../../../modules/identity/audit/domain/audit-sentences.ts'
import type { AuditRecord } from '../../../../../../modules/identity/ports.ts'

const german: Readonly<Record<string, string>> = parse(await readFile('modules/identity/locales/de.yaml', 'utf8'))

interface Given {
  readonly details?: AuditRecord['details']
  readonly subject?: string | null
  readonly names?: Readonly<Record<string, string>>
  readonly nameless?: Parameters<typeof sentenceOf>[3]
  readonly translate?: (text: string) => string
  readonly sentence?: string
  readonly ofOneself?: string
}
function said({ details = {}, subject = null, names = {}, nameless, translate, ofOneself, ...given }: Given) {
  const actor = { kind: 'login', id: 'lgn_1', userId: 'usr_1', impersonatedBy: null } as const
  const entry = { id: 'aud_1', action: 'member.removed', subject, details, createdAt: '2026-01-01T00:00:00Z' }
  const record = { tenantId: 'ten_1', ...entry, actor } as AuditRecord
  const sentence = given.sentence ?? '{0} removed {1}'
  const action = { title: 'Member removed', sentence, ...(ofOneself !== undefined && { ofOneself }) }
  const translated = translate ?? ((text: string) => text)
  return sentenceOf(record, action, new Map(Object.entries(names)), nameless ?? NAMELESS.deleted, translated).summary
}

test('people without a name are called by words, whichever ID the entry has', t => {
  const words = 'A deleted person removed another deleted person'
  t.is(said({ details: { userId: 'usr_2' }, subject: 'mem_2' }), words)
  t.is(said({ subject: 'usr_2' }), words)
  t.is(said({ subject: 'mem_2' }), words)
})

test('the words begin a sentence with a capital letter, and names keep theirs', t => {
  const details = { userId: 'usr_2' }
  const nameless = NAMELESS.former
  t.is(said({ details, nameless, names: { usr_1: 'ada@example.test' } }), 'ada@example.test removed a former member')
  t.is(said({ details, nameless, names: { usr_2: 'Grace' } }), 'A former member removed Grace')
})

test('who acts on themselves is no other person', t => {
  t.is(said({ details: { userId: 'usr_1' }, sentence: '{1} left' }), 'A deleted person left')
})

test('who acts on themselves is named once by a sentence that is made for it', t => {
  const ofOneself = '{0} left the workspace'
  const names = { usr_1: 'Ada' }
  t.is(said({ details: { userId: 'usr_1' }, subject: 'mem_1', names, ofOneself }), 'Ada left the workspace')
  t.is(said({ subject: 'usr_1', names, ofOneself }), 'Ada left the workspace')
  t.is(said({ details: { userId: 'usr_2' }, subject: 'mem_2', names, ofOneself }), 'Ada removed a deleted person')
})

test('German sentences have the words in the case that they need', t => {
  const translate = (text: string) => german[text] ?? text
  const given = { subject: 'mem_2', nameless: NAMELESS.former, translate }
  t.is(said(given), 'Ein ehemaliges Mitglied hat ein anderes ehemaliges Mitglied entfernt')
  t.is(
    said({ ...given, sentence: '{0} changed the roles of {1}' }),
    'Ein ehemaliges Mitglied hat die Rollen für ein anderes ehemaliges Mitglied geändert',
  )
})

test('what is no person keeps its ID', t => {
  t.is(said({ subject: 'team.support' }), 'A deleted person removed team.support')
})
