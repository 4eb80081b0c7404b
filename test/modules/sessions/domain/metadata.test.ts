import test from 'ava'
import { validateMetadata } from '../../../../modules/sessions/domain/metadata.ts'

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]))
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })

test('accepts metadata at each limit', t => {
  t.is(validateMetadata({}), undefined)
  t.is(validateMetadata(keys(50)), undefined)
  t.is(validateMetadata({ ['k'.repeat(64)]: 1 }), undefined)
  t.is(validateMetadata(nested(5)), undefined)
  t.is(validateMetadata({ a: 'x'.repeat(16 * 1024 - 8) }), undefined)
})

test('rejects metadata above each limit with the matching code', t => {
  t.is(validateMetadata(keys(51))?.code, 'too_many')
  t.is(validateMetadata({ ['k'.repeat(65)]: 1 })?.code, 'too_long')
  t.is(validateMetadata(nested(6))?.code, 'too_deep')
  t.is(validateMetadata({ a: 'x'.repeat(16 * 1024 - 7) })?.code, 'too_large')
})

test('applies limits inside arrays and objects, and counts bytes instead of characters', t => {
  t.is(validateMetadata({ a: [keys(51)] })?.code, 'too_many')
  t.is(validateMetadata({ a: [[[[[1]]]]] })?.code, 'too_deep')
  t.is(validateMetadata({ a: 'é'.repeat(8 * 1024) })?.code, 'too_large')
})
