import test from 'ava'
import { createSecrets } from '../../../../kernel/base/secrets.ts'
import { entryFaults, fingerprint, MAX_FIELDS } from '../../../../modules/forms/domain/entry.ts'
import { suspicion } from '../../../../modules/forms/domain/spam-check.ts'
import { readToken, signToken } from '../../../../modules/forms/domain/form-token.ts'

const RULES = { minFill: 1000, requireToken: false }
const shown = { version: 1, at: 10_000 }

for (const [name, suspect, rules, expected] of [
  ['nobody who took a second', { shown, hidden: '', now: 11_000 }, RULES, null],
  ['whoever took less', { shown, hidden: '', now: 10_999 }, RULES, 'too_fast'],
  ['whoever fills the hidden field, however long that took', { shown, hidden: 'x', now: 99_000 }, RULES, 'honeypot'],
  ['a number in the hidden field too', { shown, hidden: 0, now: 99_000 }, RULES, 'honeypot'],
  ['whoever makes a token up', { shown: 'forged', hidden: undefined, now: 0 }, RULES, 'forged_token'],
  ['nobody without a token', { shown: undefined, hidden: undefined, now: 0 }, RULES, null],
  ['nobody who comes late', { shown: 'late', hidden: null, now: 0 }, RULES, null],
  [
    'those without a token where one is asked for',
    { shown: undefined, hidden: undefined, now: 0 },
    { ...RULES, requireToken: true },
    'no_token',
  ],
  [
    'those who come late where one is asked for',
    { shown: 'late', hidden: undefined, now: 0 },
    { ...RULES, requireToken: true },
    'no_token',
  ],
] as const)
  test(`suspected: ${name}`, t => {
    t.is(suspicion(suspect, rules), expected)
  })

test('a token says which version of which form was shown, for a day, to servers with the same secret', t => {
  const [secrets, others] = [createSecrets(['one secret']), createSecrets(['another secret'])]
  const at = Date.UTC(2026, 0, 1)
  const token = signToken(secrets, 'frm_a', { version: 3, at })
  t.deepEqual(readToken(secrets, 'frm_a', token, at + 1), { version: 3, at })
  t.is(readToken(secrets, 'frm_b', token, at), 'forged')
  t.is(readToken(others, 'frm_a', token, at), 'forged')
  t.is(readToken(secrets, 'frm_a', token.replace(/^3/, '4'), at), 'forged')
  t.is(readToken(secrets, 'frm_a', '', at), 'forged')
  t.deepEqual(readToken(secrets, 'frm_a', token, at + 86_400_000), { version: 3, at })
  t.is(readToken(secrets, 'frm_a', token, at + 86_400_001), 'late')
})

test('values of an entry are counted at every level', t => {
  t.deepEqual(entryFaults({ list: Array(MAX_FIELDS - 1).fill(0) }), [])
  t.is(entryFaults({ list: Array(MAX_FIELDS).fill(0) })[0]?.code, 'too_many')
  t.is(entryFaults({ a: { b: Array(MAX_FIELDS).fill({ c: 1 }) } }).length, 1)
})

test('a fingerprint is the same for the same, and another for anything else', t => {
  const one = fingerprint('frm_a', '{"a":1}', '198.51.100.1')
  t.deepEqual(fingerprint('frm_a', '{"a":1}', '198.51.100.1'), one)
  for (const other of [
    fingerprint('frm_b', '{"a":1}', '198.51.100.1'),
    fingerprint('frm_a', '{"a":2}', '198.51.100.1'),
    fingerprint('frm_a', '{"a":1}', '198.51.100.2'),
  ])
    t.notDeepEqual(other, one)
})
