import test from 'ava'
import type { Caller } from '../../../kernel/index.ts'
import { mayReadMailbox } from '../../../modules/comms/services/mailbox.ts'
import { PRODUCT } from '../../services/templates/kit.ts'

const HERE = { ip: '127.0.0.1', headers: { host: 'localhost:8080' } }
const caller = (permission: string) => ({ can: (asked: string) => asked === permission }) as Caller
const codeOf = (work: () => void): string => {
  try {
    work()
    return 'may'
  } catch (error) {
    return String((error as { code?: string }).code)
  }
}
const asked = (who: Caller | undefined, request: Parameters<typeof mayReadMailbox>[1], production = false) =>
  codeOf(() => mayReadMailbox(who, request, { ...PRODUCT, publicUrl: 'http://dev.test:8080', production }))

test('a caller on this machine may read outside production', t => {
  for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
    for (const host of ['localhost:8080', '127.0.0.1:1', '[::1]:8080', 'dev.test:8080'])
      t.is(asked(undefined, { ip, headers: { host } }), 'may', `${ip} ${host}`)
})

test('in production nobody may without the permission', t => {
  t.is(asked(undefined, HERE, true), 'unauthenticated')
  t.is(asked(caller('tenant.all'), HERE, true), 'forbidden')
  t.is(asked(caller('communications.mailbox.read'), { ip: '203.0.113.7', headers: {} }, true), 'may')
})

for (const [what, request] of [
  ['another machine', { ...HERE, ip: '203.0.113.7' }],
  ['an address that only looks like ours', { ...HERE, ip: '127.0.0.1.evil' }],
  ['a proxy on this machine', { ...HERE, headers: { ...HERE.headers, 'x-forwarded-for': '203.0.113.7' } }],
  [
    'a foreign page that makes the browser here ask',
    { ...HERE, headers: { ...HERE.headers, 'sec-fetch-site': 'cross-site' } },
  ],
  [
    'a page of another port of this machine',
    { ...HERE, headers: { ...HERE.headers, origin: 'http://localhost:3000' } },
  ],
  ['a page without an origin', { ...HERE, headers: { ...HERE.headers, origin: 'null' } }],
  ['a foreign name that points to this machine', { ...HERE, headers: { host: 'evil.test:8080' } }],
  ['no host at all', { ...HERE, headers: {} }],
] as const)
  test(`${what} may not read the mailbox`, t => {
    t.is(asked(undefined, request), 'unauthenticated')
  })
