import { Socket } from 'node:net'
import test from 'ava'
import { type Address, AddressRefusedError, type Connect, createDialer } from '../../../services/outbound/dialer.ts'
import { parseAllowedHosts } from '../../../services/outbound/targets.ts'

const address = (text: string): Address => ({ address: text, family: text.includes(':') ? 6 : 4 })

/** A dialer without real connections. `dialled` records its targets. */
function createFixture(names: Readonly<Record<string, readonly string[][]>>, allow = '') {
  const resolved: { name: string; local: boolean }[] = []
  const dialled: Parameters<Connect>[0][] = []
  const answers = new Map(Object.entries(names).map(([name, turns]) => [name, [...turns]]))
  const dial = createDialer(
    parseAllowedHosts(allow),
    async (name, local) => {
      resolved.push({ name, local })
      const turns = answers.get(name) ?? []
      return ((turns.length > 1 ? turns.shift() : turns[0]) ?? []).map(address)
    },
    to => {
      dialled.push(to)
      return new Socket()
    },
  )
  const call = (hostname: string, port = 443) => dial({ hostname, port, secure: true, host: `${hostname}:${port}` })
  return { call, resolved, dialled }
}

test('connects to the verified addresses of a name', async t => {
  const { call, dialled } = createFixture({ 'a.test': [['93.184.216.34', '2606:4700::1111']] })
  await call('a.test')
  t.deepEqual(dialled, [
    { hostname: 'a.test', port: 443, secure: true, addresses: ['93.184.216.34', '2606:4700::1111'].map(address) },
  ])
})

test('rejects a name with one address that is not public', async t => {
  for (const bad of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '::1',
    '::ffff:8.8.8.8',
    'fd00:ec2::254',
  ]) {
    const { call, dialled } = createFixture({ 'a.test': [['93.184.216.34', bad]] })
    await t.throwsAsync(call('a.test'), {
      instanceOf: AddressRefusedError,
      message: /a\.test resolves to an address that is not public/,
    })
    t.deepEqual(dialled, [], bad)
  }
})

test('connects to the verified address after DNS rebinding', async t => {
  const { call, resolved, dialled } = createFixture({ 'rebind.test': [['93.184.216.34'], ['127.0.0.1']] })
  await call('rebind.test')
  t.is(resolved.length, 1)
  t.deepEqual(dialled[0]?.addresses, [address('93.184.216.34')])
  await t.throwsAsync(call('rebind.test'), { instanceOf: AddressRefusedError })
  t.is(dialled.length, 1)
})

test('checks a literal address without a DNS lookup', async t => {
  const { call, resolved, dialled } = createFixture({})
  await call('93.184.216.34')
  await t.throwsAsync(call('::1'), { instanceOf: AddressRefusedError })
  await t.throwsAsync(call('127.0.0.1'), { instanceOf: AddressRefusedError })
  t.deepEqual(resolved, [])
  t.is(dialled.length, 1)
})

test('reports a name without an address as a connection error', async t => {
  const error = await t.throwsAsync(createFixture({ 'a.test': [[]] }).call('a.test'), {
    message: 'a.test has no address',
  })
  t.false(error instanceof AddressRefusedError)
})

test('an allowed host may have a private address and come from the hosts file', async t => {
  const { call, resolved, dialled } = createFixture({ 'hooks.internal': [['10.0.0.7']] }, 'hooks.internal:8080')
  await call('hooks.internal', 8080)
  t.deepEqual(resolved, [{ name: 'hooks.internal', local: true }])
  t.deepEqual(dialled[0]?.addresses, [address('10.0.0.7')])
  await t.throwsAsync(call('hooks.internal', 8081), { instanceOf: AddressRefusedError })
})
