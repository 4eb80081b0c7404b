import test from 'ava'
import { CAUSE_HEADER, causeHeaders, createSecrets, depthOfCause } from '../../../kernel/base/index.ts'

const secrets = createSecrets(['a secret of this product, long enough'])
const others = createSecrets(['a secret of another product, long enough'])

test('a request says how many runs led to it', t => {
  t.is(depthOfCause(secrets, causeHeaders(secrets, 3)[CAUSE_HEADER]), 3)
  t.deepEqual(causeHeaders(secrets, 0), {})
})

test('what this product has not written says nothing', t => {
  const [, signature] = String(causeHeaders(secrets, 8)[CAUSE_HEADER]).split('.')
  const forged = [undefined, '', '8', '8.', `1.${signature}`, `0.${signature}`, `08.${signature}`, ['8', signature]]
  for (const header of [...forged, causeHeaders(others, 8)[CAUSE_HEADER]]) t.is(depthOfCause(secrets, header), 0)
})
