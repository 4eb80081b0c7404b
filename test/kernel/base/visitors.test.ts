import test from 'ava'
import { createSecrets } from '../../../kernel/base/secrets.ts'
import { createShownTokens, spamReason } from '../../../kernel/base/visitors.ts'

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
    t.is(spamReason(input, rules), expected)
  })

test('a token states the shown version of one form for a day, to servers with the same secret', t => {
  const [own, others] = ['one secret', 'another secret'].map(secret => createShownTokens(createSecrets([secret]), 'a'))
  if (!own || !others) throw new Error('unreachable')
  const shownAt = Date.UTC(2026, 0, 1)
  const token = own.sign('frm_a', { version: 3, shownAt })
  t.deepEqual(own.read('frm_a', token, shownAt + 1), { version: 3, shownAt })
  t.is(own.read('frm_b', token, shownAt), 'forged')
  t.is(others.read('frm_a', token, shownAt), 'forged')
  t.is(own.read('frm_a', token.replace(/^3/, '4'), shownAt), 'forged')
  t.is(own.read('frm_a', '', shownAt), 'forged')
  t.deepEqual(own.read('frm_a', token, shownAt + 86_400_000), { version: 3, shownAt })
  t.is(own.read('frm_a', token, shownAt + 86_400_001), 'expired')
})
