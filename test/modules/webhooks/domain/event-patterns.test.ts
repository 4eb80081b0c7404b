import test from 'ava'
import { matchesAny, PATTERN, patternsOf, unknownPatterns } from '../../../../modules/webhooks/domain/event-patterns.ts'

test('a type has a wildcard for each of its prefixes', t => {
  t.deepEqual(patternsOf('identity.member.joined'), ['*', 'identity.*', 'identity.member.*', 'identity.member.joined'])
})

test('a wildcard matches whole parts of a type only', t => {
  t.true(matchesAny(['identity.*'], 'identity.member.joined'))
  t.true(matchesAny(['forms.*', '*'], 'identity.member.joined'))
  t.false(matchesAny(['identity.mem.*', 'ident.*', 'identity.member'], 'identity.member.joined'))
})

test('finds patterns that match no type', t => {
  const types = ['identity.member.joined', 'forms.form.created']
  t.deepEqual(unknownPatterns(['*', 'identity.*', 'forms.form', 'content.*', 'forms.form.created'], types), [2, 3])
})

test('accepts a wildcard only at the end of a pattern', t => {
  const pattern = new RegExp(PATTERN)
  for (const text of ['*', 'identity.*', 'identity.member.*', 'identity.member.joined']) t.regex(text, pattern)
  for (const text of ['', '.*', 'identity*', '*.joined', 'identity.*.joined', 'Identity.*', '**', 'a..b'])
    t.notRegex(text, pattern)
})
