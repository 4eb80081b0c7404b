import test from 'ava'
import { createSecrets } from '../../../../kernel/base/secrets.ts'
import { entryErrors, entryFingerprint, MAX_VALUES } from '../../../../modules/forms/domain/entry.ts'
import { readToken, signToken } from '../../../../modules/forms/domain/form-token.ts'
import { checkSpam } from '../../../../modules/forms/domain/spam-check.ts'

const RULES = { minFillMs: 1000, requireToken: false }
const token = { version: 1, shownAt: 10_000 }

for (const [name, input, rules, expected] of [
  ['not after a second', { token, honeypot: '', now: 11_000 }, RULES, null],
  ['after less than a second', { token, honeypot: '', now: 10_999 }, RULES, 'too_fast'],
  ['a filled honeypot, whatever the time', { token, honeypot: 'x', now: 99_000 }, RULES, 'honeypot'],
  ['a number in the honeypot', { token, honeypot: 0, now: 99_000 }, RULES, 'honeypot'],
  ['a forged token', { token: 'forged', honeypot: undefined, now: 0 }, RULES, 'forged_token'],
  ['not without a token', { token: undefined, honeypot: undefined, now: 0 }, RULES, null],
  ['not with an expired token', { token: 'expired', honeypot: null, now: 0 }, RULES, null],
  [
    'without a token if one is required',
    { token: undefined, honeypot: undefined, now: 0 },
    { ...RULES, requireToken: true },
    'no_token',
  ],
  [
    'with an expired token if one is required',
    { token: 'expired', honeypot: undefined, now: 0 },
    { ...RULES, requireToken: true },
    'no_token',
  ],
] as const)
  test(`spam: ${name}`, t => {
    t.is(checkSpam(input, rules), expected)
  })

test('a token states the shown version of one form for a day, to servers with the same secret', t => {
  const [secrets, others] = [createSecrets(['one secret']), createSecrets(['another secret'])]
  const shownAt = Date.UTC(2026, 0, 1)
  const token = signToken(secrets, 'frm_a', { version: 3, shownAt })
  t.deepEqual(readToken(secrets, 'frm_a', token, shownAt + 1), { version: 3, shownAt })
  t.is(readToken(secrets, 'frm_b', token, shownAt), 'forged')
  t.is(readToken(others, 'frm_a', token, shownAt), 'forged')
  t.is(readToken(secrets, 'frm_a', token.replace(/^3/, '4'), shownAt), 'forged')
  t.is(readToken(secrets, 'frm_a', '', shownAt), 'forged')
  t.deepEqual(readToken(secrets, 'frm_a', token, shownAt + 86_400_000), { version: 3, shownAt })
  t.is(readToken(secrets, 'frm_a', token, shownAt + 86_400_001), 'expired')
})

test('counts the values of an entry at every level', t => {
  t.deepEqual(entryErrors({ list: Array(MAX_VALUES - 1).fill(0) }), [])
  t.is(entryErrors({ list: Array(MAX_VALUES).fill(0) })[0]?.code, 'too_many')
  t.is(entryErrors({ a: { b: Array(MAX_VALUES).fill({ c: 1 }) } }).length, 1)
})

test('a fingerprint depends on form, entry and address', t => {
  const one = entryFingerprint('frm_a', '{"a":1}', '198.51.100.1')
  t.deepEqual(entryFingerprint('frm_a', '{"a":1}', '198.51.100.1'), one)
  for (const other of [
    entryFingerprint('frm_b', '{"a":1}', '198.51.100.1'),
    entryFingerprint('frm_a', '{"a":2}', '198.51.100.1'),
    entryFingerprint('frm_a', '{"a":1}', '198.51.100.2'),
  ])
    t.notDeepEqual(other, one)
})
