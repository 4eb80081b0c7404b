import test from 'ava'
import { nearest } from '../../../kernel/base/suggest.ts'

for (const [word, known] of [
  ['jobs', 'docs'],
  ['cat', 'dog'],
  ['role', 'plan'],
] as const)
  test(`${word} is no misspelling of ${known}`, t => {
    t.is(nearest(word, [known]), undefined)
  })

for (const [word, known] of [
  ['plns', 'plans'],
  ['paln', 'plan'],
  ['rol', 'role'],
  ['thmee', 'theme'],
] as const)
  test(`${word} is a misspelling of ${known}`, t => {
    t.is(nearest(word, [known]), known)
  })
