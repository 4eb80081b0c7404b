import test from 'ava'
import { RE2JS } from 're2js'
import {
  portablePattern,
  withPortablePatterns,
} from '../../../../../services/http/documents/openapi/portable-patterns.ts'

const CASES: readonly (readonly [pattern: string, portable: string | undefined, matches?: readonly string[]])[] = [
  ['^[a-z]+$', '^[a-z]+$'],
  ['^(?=.*\\S)[^\\x00-\\x1f\\u2028\\u2029]*$', '^[^\\x00-\\x1f\u2028\u2029]*$', ['a b']],
  ['^(?!\\.{1,2}$)[^/\\\\\\p{Cc}\\p{Cs}\\u202a-\\u202e]+$', '^[^/\\\\\u202a-\u202e]+$', ['a.txt']],
  ['^(?!0+[a-z])(?:\\d+d)$', '^(?:\\d+d)$', ['12d']],
  ['^(?:(?!a(b|c)[)(])x)+$', '^(?:x)+$', ['xx']],
  ['(?<=a)b(?<!c)', 'b'],
  ['^[^\\p{Cc}]+$', '^[\\s\\S]+$', ['a']],
  ['^\\p{L}+$', undefined],
  ['^[\\p{L}\\d]+$', undefined],
  ['^(?<year>\\d{4})-(?<month>\\d\\d)$', '^(?:\\d{4})-(?:\\d\\d)$', ['2026-11']],
  ['^(a)\\1$', undefined],
  ['^[^]]$', undefined],
  ['^\\u{1f600}$', '^\u{1f600}$', ['\u{1f600}']],
  ['^\\u002d[\\u005d]$', '^\\x2d[\\x5d]$', ['-]']],
  ['^[^\\ud800-\\udfff]*$', undefined],
  ['^.{0,5000}$', undefined],
  ['^.{0,1000}$', '^.{0,1000}$'],
  ['^[({]\\d{2}[)}]$', '^[({]\\d{2}[)}]$', ['(12)']],
]

for (const [pattern, portable, matches = []] of CASES)
  test(`writes ${pattern} as ${portable}`, t => {
    t.is(portablePattern(pattern), portable)
    if (portable === undefined) return
    t.notThrows(() => RE2JS.compile(portable))
    for (const text of matches) t.regex(text, new RegExp(portable, 'u'))
  })

test('keeps properties and examples that are named pattern', t => {
  const document = {
    properties: { pattern: { type: 'string', pattern: '(?=a)a' } },
    example: { pattern: '\\p{L}' },
  }
  t.deepEqual(withPortablePatterns(document), {
    properties: { pattern: { type: 'string', pattern: 'a' } },
    example: { pattern: '\\p{L}' },
  })
})
