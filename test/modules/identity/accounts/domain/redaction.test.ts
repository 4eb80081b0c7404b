import test from 'ava'
import { createRedactor } from '../../../../../modules/identity/accounts/domain/redaction.ts'

const redact = createRedactor({ emails: ['ada@b.example', 'a+b@b.example'], name: 'Ada' })

test('replaces an address in every text of a JSON value, in any case', t => {
  t.deepEqual(redact({ to: ['Ada@B.example'], error: '550 <ada@b.example>: unknown user', count: 1, none: null }), {
    to: ['[erased]'],
    error: '550 <[erased]>: unknown user',
    count: 1,
    none: null,
  })
  t.is(redact('a+b@b.example.'), '[erased].')
})

test('leaves longer addresses alone', t => {
  for (const address of ['bada@b.example', 'x.ada@b.example', 'ada@b.example.org', 'ada@b.examples'])
    t.is(redact(address), address)
})

test('replaces the name only where it is the whole text', t => {
  t.deepEqual(redact({ name: 'Ada', title: 'Ada and the engine' }), { name: '[erased]', title: 'Ada and the engine' })
})
