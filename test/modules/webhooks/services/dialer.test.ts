import { Socket } from 'node:net'
import test from 'ava'
import { createAllowed } from '../../../../modules/webhooks/domain/targets.ts'
import { type Address, type Connect, createDialer, Refused } from '../../../../modules/webhooks/services/dialer.ts'

const address = (text: string): Address => ({ address: text, family: text.includes(':') ? 6 : 4 })

/** A dialer that opens nothing: `dialled` is what it would have connected to. */
function stage(names: Readonly<Record<string, readonly string[][]>>, allow = '') {
  const asked: { name: string; local: boolean }[] = []
  const dialled: Parameters<Connect>[0][] = []
  const answers = new Map(Object.entries(names).map(([name, turns]) => [name, [...turns]]))
  const dial = createDialer(
    createAllowed(allow),
    async (name, local) => {
      asked.push({ name, local })
      const turns = answers.get(name) ?? []
      return ((turns.length > 1 ? turns.shift() : turns[0]) ?? []).map(address)
    },
    to => {
      dialled.push(to)
      return new Socket()
    },
  )
  const call = (hostname: string, port = 443) => dial({ hostname, port, secure: true, host: `${hostname}:${port}` })
  return { call, asked, dialled }
}

test('a name is connected to at the addresses that were checked', async t => {
  const { call, dialled } = stage({ 'a.test': [['93.184.216.34', '2606:4700::1111']] })
  await call('a.test')
  t.deepEqual(dialled, [
    { hostname: 'a.test', port: 443, secure: true, addresses: ['93.184.216.34', '2606:4700::1111'].map(address) },
  ])
})

test('one address that is not public refuses the name, whatever the others are', async t => {
  for (const bad of [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '::1',
    '::ffff:8.8.8.8',
    'fd00:ec2::254',
  ]) {
    const { call, dialled } = stage({ 'a.test': [['93.184.216.34', bad]] })
    await t.throwsAsync(call('a.test'), {
      instanceOf: Refused,
      message: /a\.test leads to an address that is not public/,
    })
    t.deepEqual(dialled, [], bad)
  }
})

test('a name that changes its address between check and connection is connected to where it was checked', async t => {
  const { call, asked, dialled } = stage({ 'rebind.test': [['93.184.216.34'], ['127.0.0.1']] })
  await call('rebind.test')
  t.is(asked.length, 1)
  t.deepEqual(dialled[0]?.addresses, [address('93.184.216.34')])
  await t.throwsAsync(call('rebind.test'), { instanceOf: Refused })
  t.is(dialled.length, 1)
})

test('a literal address is checked without asking anybody', async t => {
  const { call, asked, dialled } = stage({})
  await call('93.184.216.34')
  await t.throwsAsync(call('::1'), { instanceOf: Refused })
  await t.throwsAsync(call('127.0.0.1'), { instanceOf: Refused })
  t.deepEqual(asked, [])
  t.is(dialled.length, 1)
})

test('a name without an address is an error that names it, and no refusal', async t => {
  const error = await t.throwsAsync(stage({ 'a.test': [[]] }).call('a.test'), { message: 'a.test has no address' })
  t.false(error instanceof Refused)
})

test('an allowed host may have a private address, and is looked up in the hosts file too', async t => {
  const { call, asked, dialled } = stage({ 'hooks.internal': [['10.0.0.7']] }, 'hooks.internal:8080')
  await call('hooks.internal', 8080)
  t.deepEqual(asked, [{ name: 'hooks.internal', local: true }])
  t.deepEqual(dialled[0]?.addresses, [address('10.0.0.7')])
  await t.throwsAsync(call('hooks.internal', 8081), { instanceOf: Refused })
})
