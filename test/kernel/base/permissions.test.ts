import test from 'ava'
import { covers, PERMISSION_PATTERN } from '../../../kernel/base/permissions.ts'

test('a pattern covers permissions below it and no others', t => {
  for (const [pattern, permission, expected] of [
    ['*', 'a.b.c', true],
    ['a.*', 'a.b.c', true],
    ['a.b.*', 'a.b.c', true],
    ['a.b.c', 'a.b.c', true],
    ['a.*', 'ab.b.c', false],
    ['a.b.*', 'a.bc.d', false],
    ['a.b.c', 'a.b.*', false],
    ['a.*', 'a.b.*', true],
    ['a.b.*', 'a.*', false],
    ['a.*', '*', false],
  ] as const)
    t.is(covers(pattern, permission), expected, `${pattern} over ${permission}`)
})

test('accepts permissions of three parts, and * in place of the remaining parts', t => {
  const is = (text: string) => new RegExp(PERMISSION_PATTERN).test(text)
  for (const good of ['*', 'a.*', 'a.b.*', 'a.b.c', 'identity.api_key.read']) t.true(is(good), good)
  for (const bad of ['a', 'a.b', '*.b', 'a.*.c', 'A.b.c', 'a.b.c.d', 'a..c', '']) t.false(is(bad), bad)
})
