/** The faults, in the order in which they are caused. Each resolves when writes are confirmed again. */
import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import { SECOND } from '../../kernel/base/units.ts'
import { waitFor } from '../fixtures/wait.ts'
import { isRoot, TTL_SECONDS } from './patroni.ts'
import type { World } from './world.ts'

export interface Fault {
  readonly name: string
  /** Seconds that writes may be unavailable, through HAProxy and through PgBouncer. */
  readonly maxOutageSeconds: number
  /** Requests may get no response, since their process is killed. Clients repeat them. */
  readonly interrupts?: boolean
  readonly needsRoot?: boolean
  cause(world: World, t: ExecutionContext): Promise<void>
}

/** A failover: Patroni notices a lost primary after `ttl`. */
const FAILOVER_SECONDS = TTL_SECONDS + 10
const SWITCHOVER_SECONDS = 5
/** A program in between that is back after a second, or that isn't needed for a while. */
const BRIEF_SECONDS = 10
/** Longer than Patroni waits for anything. */
const LONG_MS = (TTL_SECONDS + 10) * SECOND
/** Until an operator frees space. */
const FULL_DISK_MS = 20 * SECOND
const CLOCK_OFFSET = '+5m'

const ALL: readonly Fault[] = [
  {
    name: 'the primary is killed',
    maxOutageSeconds: FAILOVER_SECONDS,
    async cause({ cluster, load }) {
      const node = await cluster.primary()
      await node.kill()
      await cluster.replaced(node)
      await load.recovered()
      node.start()
      await cluster.healthy()
    },
  },
  {
    name: 'switchover',
    maxOutageSeconds: SWITCHOVER_SECONDS,
    async cause({ cluster, load }) {
      await cluster.switchover()
      await load.recovered()
      await cluster.healthy()
    },
  },
  {
    name: 'switchover while HAProxy keeps the sessions of the former primary',
    maxOutageSeconds: FAILOVER_SECONDS,
    async cause({ cluster, haproxy, load }) {
      await haproxy.keepSessions(true)
      await haproxy.kill()
      await haproxy.start()
      await load.recovered()
      await cluster.switchover()
      await load.recovered()
      await cluster.healthy()
      await haproxy.keepSessions(false)
      await haproxy.kill()
      await haproxy.start()
      await load.recovered()
    },
  },
  {
    name: 'HAProxy is killed for a second',
    maxOutageSeconds: BRIEF_SECONDS,
    async cause({ haproxy, load }) {
      await haproxy.kill()
      await pause(SECOND)
      await haproxy.start()
      await load.recovered()
    },
  },
  {
    name: 'PgBouncer is killed for a second',
    maxOutageSeconds: BRIEF_SECONDS,
    async cause({ pooler, load }) {
      await pooler.kill()
      await pause(SECOND)
      await pooler.start()
      await load.recovered()
    },
  },
  {
    name: 'the primary is cut off from etcd',
    maxOutageSeconds: BRIEF_SECONDS,
    async cause({ cluster, load }, t) {
      const node = await cluster.primary()
      node.partition()
      await pause(LONG_MS)
      await load.recovered()
      // It still reaches the standbys (`failsafe_mode`).
      t.false(await isInRecovery(node))
      node.reconnect()
      await cluster.healthy()
    },
  },
  {
    name: 'the primary is cut off from etcd and the other hosts',
    maxOutageSeconds: FAILOVER_SECONDS,
    async cause({ cluster, load }) {
      const node = await cluster.primary()
      node.partition(true)
      await waitFor(() => isInRecovery(node).catch(() => false), Boolean, 2 * FAILOVER_SECONDS)
      await load.recovered()
      node.reconnect()
      await cluster.healthy()
      await load.recovered()
    },
  },
  {
    name: 'etcd is down for half a minute',
    maxOutageSeconds: BRIEF_SECONDS,
    async cause({ cluster, load }) {
      await cluster.etcd.kill()
      await pause(LONG_MS)
      await load.recovered()
      await cluster.etcd.start()
      await cluster.healthy()
    },
  },
  {
    name: 'the synchronous standby hangs',
    maxOutageSeconds: FAILOVER_SECONDS,
    async cause({ cluster, load }) {
      const { synchronous } = await cluster.standbys()
      await synchronous.freeze()
      await pause(LONG_MS)
      await load.recovered()
      await synchronous.thaw()
      await cluster.healthy()
    },
  },
  {
    name: 'the primary is killed while its standby lags',
    maxOutageSeconds: FAILOVER_SECONDS,
    async cause({ cluster, load }) {
      const node = await cluster.primary()
      const { synchronous } = await cluster.standbys()
      // It receives changes, and doesn't apply them.
      await synchronous.query('select pg_wal_replay_pause()')
      await pause(10 * SECOND)
      await node.kill()
      await cluster.replaced(node)
      await load.recovered()
      node.start()
      await cluster.healthy()
    },
  },
  {
    name: 'the disk of the primary is full',
    maxOutageSeconds: 2 * FAILOVER_SECONDS,
    needsRoot: true,
    async cause({ cluster, load, ledger }, t) {
      const node = await cluster.primary()
      await node.fillDisk()
      const before = ledger.count('any')
      // The primary refuses writes, or ends and is replaced.
      await pause(FULL_DISK_MS)
      const written = ledger.count('any') - before
      const isPrimary = (await cluster.primary()) === node
      await node.emptyDisk()
      await load.recovered()
      t.log(`${written} writes while the disk was full; Patroni ${isPrimary ? 'kept' : 'replaced'} the primary`)
      t.true(ledger.current().refused > 0 || !isPrimary)
      await cluster.healthy()
    },
  },
  {
    name: 'Redis is killed, and restored with other data',
    maxOutageSeconds: BRIEF_SECONDS,
    async cause({ redis, load, product }, t) {
      await redis.client.set('larder:agenda:restored', 'before the restart')
      await redis.stop()
      await pause(3 * SECOND)
      await load.recovered()
      await redis.start()
      // Of another program, and of another installation's schedule, also with other types.
      await redis.client.mset('sessions:1', 'x', 'larder:agenda:job:other', 'not a hash', 'larder:agenda:jobs', 'x')
      await redis.client.set('larder:bus:other', 'x')
      const { owner } = product.installation
      const lastRun = () =>
        owner.value(
          `select extract(epoch from max(finished_at)) from larder_jobs where name = 'webhooks.send' and state = 'done'`,
        )
      const before = await lastRun()
      await waitFor(lastRun, last => last > before + 10, 60)
      t.pass()
      await load.recovered()
    },
  },
  {
    name: 'every process is replaced',
    maxOutageSeconds: BRIEF_SECONDS,
    async cause({ product, load }) {
      await load.pauseProbes()
      for (const { replace } of [...product.webs, ...product.workers]) await replace()
      load.resumeProbes()
      await load.recovered()
    },
  },
  {
    name: 'a web process is killed',
    maxOutageSeconds: BRIEF_SECONDS,
    interrupts: true,
    async cause({ product, load }) {
      const last = product.webs.at(-1) as World['product']['webs'][number]
      await last.kill()
      await load.recovered()
      await last.start()
      await load.recovered()
    },
  },
  {
    name: 'a worker is killed in a step',
    maxOutageSeconds: BRIEF_SECONDS,
    async cause(world, t) {
      const { slowStep, product, load } = world
      slowStep.hold()
      await createOrder(world, 'interrupted')
      await waitFor(() => slowStep.held() === 1)
      for (const worker of product.workers) {
        await worker.kill()
        // The operating system closes the connection of the one that runs the step.
        await pause(SECOND)
        await worker.start()
        if (slowStep.held() === 0) break
      }
      t.is(slowStep.held(), 0)
      slowStep.release()
      await load.recovered()
    },
  },
  {
    name: 'the clocks of a web process and a worker are five minutes ahead',
    maxOutageSeconds: BRIEF_SECONDS,
    async cause(world) {
      const { product, load } = world
      const [web, worker] = [product.webs.at(-1), product.workers.at(-1)]
      const env = await clockEnvironment()
      await web?.replace(env)
      await worker?.replace(env)
      await pause(20 * SECOND)
      await load.recovered()
      await createOrder(world, 'early')
      await web?.replace()
      await worker?.replace()
      await load.recovered()
    },
  },
]
/** Only root can mount a disk that gets full. */
export const FAULTS = ALL.filter(({ needsRoot = false }) => isRoot || !needsRoot)

async function isInRecovery(node: {
  query: Awaited<ReturnType<World['cluster']['primary']>>['query']
}): Promise<boolean> {
  const [row] = await node.query<{ value: boolean }>('select pg_is_in_recovery() as value')
  return row?.value === true
}

async function createOrder({ client, token }: World, key: string): Promise<void> {
  const answer = await client('nginx').send('POST', '/v1/data/orders', {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  })
  if (answer.status !== 201) throw new Error(`creating an order returned ${answer.status}: ${answer.text}`)
}

/** The variables that `faketime` sets, without its effect on timers. */
async function clockEnvironment(): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)('faketime', ['-f', CLOCK_OFFSET, 'env'])
  const found = Object.fromEntries(stdout.split('\n').map(line => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
  const { LD_PRELOAD = '' } = found
  return { LD_PRELOAD, FAKETIME: CLOCK_OFFSET, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
