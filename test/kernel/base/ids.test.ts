import test from 'ava'
import fc from 'fast-check'
import { firstId, idPattern, newId } from '../../../kernel/base/ids.ts'

test('creates ids of a prefix and 26 characters of lowercase Crockford base32', t => {
  const id = newId('ses')
  t.regex(id, new RegExp(idPattern('ses')))
  t.is(id.length, 30)
})

test('creates ids that sort by their millisecond of creation', t => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), step => {
      const now = Date.now()
      const first = newId('x', now)
      const second = newId('x', now + step)
      return first < second
    }),
  )
  t.pass()
})

test('the first id of a millisecond sorts after all earlier ids and before all later ones', t => {
  const now = Date.now()
  t.true(newId('x', now - 1) < firstId('x', now))
  for (let n = 0; n < 100; n++) t.true(newId('x', now) > firstId('x', now))
})

test('creates ids of one prefix that sort in the order of creation within a millisecond', t => {
  for (let now = 1000; now < 1100; now++) {
    const ids = Array.from({ length: 2048 }, () => {
      newId('y', now)
      return newId('x', now)
    })
    t.deepEqual([...ids].sort(), ids)
  }
})

test('encodes the version and variant of a UUIDv7', t => {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  const bits = [...newId('x').slice(2)]
    .map(c => alphabet.indexOf(c).toString(2).padStart(5, '0'))
    .join('')
    .slice(2)
  t.is(bits.length, 128)
  t.is(bits.slice(48, 52), '0111')
  t.is(bits.slice(64, 66), '10')
})

test('creates 100,000 distinct ids', t => {
  t.is(new Set(Array.from({ length: 100_000 }, () => newId('x'))).size, 100_000)
})
