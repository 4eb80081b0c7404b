import test from 'ava'
import { randomBytes } from '../../../../modules/sessions/domain/random.ts'

test('never returns the same bytes twice, across sizes and refills of the pool', t => {
  const seen = new Set<string>()
  for (let n = 0; n < 2000; n++) seen.add(randomBytes(n % 2 ? 32 : 18).toString('hex'))
  t.is(seen.size, 2000)
})

test('returns the requested number of bytes, unaffected by later calls', t => {
  const first = randomBytes(32)
  const before = first.toString('hex')
  for (let n = 0; n < 300; n++) randomBytes(32)
  t.is(first.length, 32)
  t.is(first.toString('hex'), before)
  t.is(randomBytes(4096).length, 4096)
})

test('distributes byte values evenly', t => {
  const counts = new Uint32Array(256)
  for (let n = 0; n < 8000; n++) for (const byte of randomBytes(32)) counts[byte] = (counts[byte] ?? 0) + 1
  // 1000 on average, with a standard deviation of about 32.
  t.true(counts.every(count => count > 750 && count < 1250))
})
