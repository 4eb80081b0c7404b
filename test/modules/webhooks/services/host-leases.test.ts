import { mock } from 'node:test'
import test from 'ava'
import { pino } from 'pino'
import { LEASE_MS } from '../../../../modules/webhooks/services/delivery-queue.ts'
import { createHostLeases } from '../../../../modules/webhooks/services/host-leases.ts'

test.beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
test.afterEach.always(() => mock.timers.reset())

const settle = () => new Promise(resolve => setImmediate(resolve))

/** `keeps`: the hosts whose leases can be renewed. */
function createFixture(keeps: readonly string[]) {
  const used = new Set(['a', 'b'])
  const renewals: (readonly string[])[] = []
  const lost: string[] = []
  let releases = 0
  const queue = {
    async renew(hosts: readonly string[]) {
      renewals.push(hosts)
      return hosts.filter(host => keeps.includes(host))
    },
    async release() {
      releases++
    },
  }
  const leases = createHostLeases({
    queue,
    log: pino({ level: 'silent' }),
    usedHosts: () => used,
    onLost: host => void lost.push(host),
  })
  for (const host of ['a', 'b', 'c']) leases.add(host)
  return { leases, used, renewals, lost, releases: () => releases }
}

async function passInterval(): Promise<void> {
  mock.timers.tick(LEASE_MS / 3)
  await settle()
}

test.serial('renews the leases of used hosts and lets those of idle ones expire', async t => {
  const { leases, renewals, lost } = createFixture(['a', 'b'])
  t.deepEqual(leases.idle(), ['c'])
  await passInterval()
  t.deepEqual(renewals, [['a', 'b']])
  t.deepEqual(lost, [])
  await leases.close()
})

test.serial('reports a host whose lease another process has taken over, once', async t => {
  const { leases, renewals, lost } = createFixture(['a'])
  await passInterval()
  await passInterval()
  t.deepEqual(lost, ['b'])
  t.deepEqual(renewals, [['a', 'b'], ['a']])
  await leases.close()
})

test.serial('ends the renewal after the last host was released', async t => {
  const { leases, renewals, releases } = createFixture(['a', 'b'])
  leases.delete(['a', 'b', 'c'])
  await passInterval()
  await leases.close()
  t.deepEqual([renewals, releases()], [[], 0])
})

test.serial('a close releases all hosts', async t => {
  const { leases, releases } = createFixture(['a', 'b'])
  await leases.close()
  t.is(releases(), 1)
})
