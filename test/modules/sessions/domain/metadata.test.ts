import test from 'ava'
import { metadataFlaw } from '../../../../modules/sessions/domain/metadata.ts'

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]))
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })

test('metadata is right up to each of its bounds', t => {
  t.is(metadataFlaw({}), undefined)
  t.is(metadataFlaw(keys(50)), undefined)
  t.is(metadataFlaw({ ['k'.repeat(64)]: 1 }), undefined)
  t.is(metadataFlaw(nested(5)), undefined)
  t.is(metadataFlaw({ a: 'x'.repeat(16 * 1024 - 8) }), undefined)
})

test('metadata one past a bound is refused, and the flaw says which', t => {
  t.is(metadataFlaw(keys(51))?.code, 'too_many')
  t.is(metadataFlaw({ ['k'.repeat(65)]: 1 })?.code, 'too_long')
  t.is(metadataFlaw(nested(6))?.code, 'too_deep')
  t.is(metadataFlaw({ a: 'x'.repeat(16 * 1024 - 7) })?.code, 'too_large')
})

test('bounds hold inside lists and objects alike, and bytes are counted rather than characters', t => {
  t.is(metadataFlaw({ a: [keys(51)] })?.code, 'too_many')
  t.is(metadataFlaw({ a: [[[[[1]]]]] })?.code, 'too_deep')
  t.is(metadataFlaw({ a: 'é'.repeat(8 * 1024) })?.code, 'too_large')
})
