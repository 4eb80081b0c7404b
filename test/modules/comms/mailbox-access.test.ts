import test from 'ava'
import type { Caller } from '../../../kernel/index.ts'
import { assertMailboxAccess } from '../../../modules/comms/services/mailbox.ts'
import { PRODUCT } from '../../services/templates/fixtures.ts'

const HERE = { ip: '127.0.0.1', headers: { host: 'localhost:8080' } }
const caller = (permission: string) => ({ can: (required: string) => required === permission }) as Caller
const codeOf = (work: () => void): string => {
  try {
    work()
    return 'admitted'
  } catch (error) {
    return String((error as { code?: string }).code)
  }
}
const accessOf = (who: Caller | undefined, request: Parameters<typeof assertMailboxAccess>[1], production = false) =>
  codeOf(() => assertMailboxAccess(who, request, { ...PRODUCT, publicUrl: 'http://dev.test:8080', production }))

test('admits requests from this machine outside production', t => {
  for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
    for (const host of ['localhost:8080', '127.0.0.1:1', '[::1]:8080', 'dev.test:8080'])
      t.is(accessOf(undefined, { ip, headers: { host } }), 'admitted', `${ip} ${host}`)
})

test('requires the permission in production', t => {
  t.is(accessOf(undefined, HERE, true), 'unauthenticated')
  t.is(accessOf(caller('tenant.all'), HERE, true), 'forbidden')
  t.is(accessOf(caller('communications.mailbox.read'), { ip: '203.0.113.7', headers: {} }, true), 'admitted')
})

for (const [what, request] of [
  ['another machine', { ...HERE, ip: '203.0.113.7' }],
  ['an address that only resembles a loopback address', { ...HERE, ip: '127.0.0.1.evil' }],
  ['a proxy on this machine', { ...HERE, headers: { ...HERE.headers, 'x-forwarded-for': '203.0.113.7' } }],
  ['a cross-site request of a browser', { ...HERE, headers: { ...HERE.headers, 'sec-fetch-site': 'cross-site' } }],
  [
    'a page on another port of this machine',
    { ...HERE, headers: { ...HERE.headers, origin: 'http://localhost:3000' } },
  ],
  ['a page with an opaque origin', { ...HERE, headers: { ...HERE.headers, origin: 'null' } }],
  ['a foreign host name that resolves to this machine', { ...HERE, headers: { host: 'evil.test:8080' } }],
  ['no host header', { ...HERE, headers: {} }],
] as const)
  test(`rejects ${what}`, t => {
    t.is(accessOf(undefined, request), 'unauthenticated')
  })
