/** Three PostgreSQL nodes under Patroni, with the file of `deploy`, on free ports of 127.0.0.1. */
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { pino } from 'pino'
import { type OsUser, resolveEmbeddedPaths } from '../../services/postgres/embedded/paths.ts'
import { deployFile } from '../fixtures/deploy-file.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { createProxy } from '../services/postgres/proxy.ts'
import { createEtcd, type Etcd } from './etcd.ts'
import { type Cleanup, type Program, startProgram } from './programs.ts'

const run = promisify(execFile)

export const PASSWORD = 'only tests know it'
/** Patroni's `ttl` in deploy/patroni: a primary that is gone is replaced after this many seconds. */
export const TTL_SECONDS = 20
const NAMES = ['db1', 'db2', 'db3'] as const
/** As root, each node has a disk of this size. */
const DISK_MIB = 2048
/** The time that a cluster may take to start or to repair itself on a busy machine. */
const HEALTH_SECONDS = 240

export const isRoot = process.getuid?.() === 0

export interface NodePorts {
  readonly postgres: number
  readonly api: number
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly lag?: number
}

export interface Node {
  readonly name: string
  readonly ports: NodePorts
  start(): void
  stop(): Promise<void>
  /** Kills Patroni and PostgreSQL with SIGKILL. */
  kill(): Promise<void>
  /** Suspends Patroni and every process of PostgreSQL, and resumes them, as if the host hung. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Cuts Patroni off from etcd; `alone` also cuts the other nodes' Patroni off from everybody. */
  partition(alone?: boolean): void
  reconnect(): void
  /** Fills the disk, and empties it again. As root only. */
  fillDisk(): Promise<void>
  emptyDisk(): Promise<void>
  /** As a superuser, without a proxy. */
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>
}

export interface Cluster {
  readonly etcd: Etcd
  readonly ports: readonly NodePorts[]
  primary(): Promise<Node>
  /** The standby that has confirmed every commit, and the other one. */
  standbys(): Promise<{ readonly synchronous: Node; readonly other: Node }>
  /** Makes the synchronous standby the primary. */
  switchover(): Promise<void>
  /** Resolves when another node than this one is the primary. */
  replaced(node: Node): Promise<void>
  /** Resolves when there is a primary with two standbys that have everything, one of them synchronous. */
  healthy(): Promise<void>
}

export async function startCluster(t: Cleanup, folder: string): Promise<Cluster> {
  // As root, another user runs Patroni and PostgreSQL.
  const { user } = await resolveEmbeddedPaths(join(folder, 'user'), pino({ level: 'silent' }))
  const etcd = await createEtcd(t, join(folder, 'etcd'))
  await etcd.start()
  const nodes: Node[] = []
  for (const name of NAMES) nodes.push(await createNode(t, { name, folder, user, etcd, others: () => nodes }))
  const named = (name: string | undefined) => nodes.find(node => node.name === name)

  async function members(): Promise<readonly Member[]> {
    for (const { ports } of nodes)
      try {
        const response = await fetch(`http://127.0.0.1:${ports.api}/cluster`, { signal: AbortSignal.timeout(2000) })
        return ((await response.json()) as { members: Member[] }).members
      } catch {
        // Patroni of this node is down.
      }
    return []
  }
  const withRole = async (role: string) => named((await members()).find(member => member.role === role)?.name)
  const find = (role: string) => waitFor(() => withRole(role), Boolean, HEALTH_SECONDS) as Promise<Node>
  const isHealthy = (all: readonly Member[]) =>
    all.filter(({ role, state }) => role === 'leader' && state === 'running').length === 1 &&
    all.filter(({ role, state, lag }) => role !== 'leader' && /^(running|streaming)$/.test(state) && lag === 0)
      .length === 2 &&
    all.some(({ role }) => role === 'sync_standby')
  const replaced = async (before: Node) =>
    void (await waitFor(
      () => withRole('leader'),
      node => node !== undefined && node !== before,
      HEALTH_SECONDS,
    ))

  const [first, ...rest] = nodes
  first?.start()
  await waitFor(
    () => withRole('leader'),
    node => node === first,
    HEALTH_SECONDS,
  )
  for (const { start } of rest) start()
  const cluster: Cluster = {
    etcd,
    ports: nodes.map(({ ports }) => ports),
    primary: () => find('leader'),
    replaced,
    async standbys() {
      const [primary, synchronous] = [await find('leader'), await find('sync_standby')]
      return { synchronous, other: nodes.find(node => node !== primary && node !== synchronous) as Node }
    },
    async switchover() {
      const primary = await find('leader')
      const config = join(folder, `${primary.name}.yml`)
      const env = { PATH: `${process.env.PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8' }
      await run('patronictl', ['-c', config, 'switchover', 'larder', '--master', primary.name, '--force'], { env })
      await replaced(primary)
    },
    healthy: async () => void (await waitFor(members, isHealthy, HEALTH_SECONDS)),
  }
  await cluster.healthy()
  return cluster
}

interface NodeOptions {
  readonly name: string
  readonly folder: string
  readonly user: OsUser
  readonly etcd: Etcd
  /** All nodes, once they exist. */
  others(): readonly Node[]
}

type ApiProxy = Awaited<ReturnType<typeof createProxy>>
const apis = new WeakMap<Node, ApiProxy>()

async function createNode(t: Cleanup, { name, folder, user, etcd, others }: NodeOptions): Promise<Node> {
  const home = join(folder, name)
  const config = join(folder, `${name}.yml`)
  const data = join(home, 'data')
  const ports = { postgres: await freePort(), api: await freePort() }
  await mkdir(home)
  if (isRoot) {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'larder-cluster', home])
    t.teardown(() => run('umount', ['--lazy', home]))
  }
  if (user.uid !== undefined) await chown(home, user.uid, user.gid as number)
  await chmod(home, 0o755)
  const toEtcd = await createProxy(etcd.url)
  const api = await createProxy(new URL(`http://127.0.0.1:${ports.api}`))
  t.teardown(() => {
    toEtcd.close()
    api.close()
  })
  await writeFile(
    config,
    await deployFile('patroni/patroni.yml', {
      'name: db1': `name: ${name}`,
      'listen: 10.0.0.1:8008': `listen: 127.0.0.1:${ports.api}`,
      'connect_address: 10.0.0.1:8008': `connect_address: 127.0.0.1:${api.port}`,
      // Without a discovery of etcd's own address, which would bypass the proxy.
      'hosts: 10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379': `hosts: 127.0.0.1:${toEtcd.port}\n  use_proxies: true`,
      '10.0.0.1:5432': `127.0.0.1:${ports.postgres}`,
      '10.0.0.0/24': '127.0.0.0/8',
      '/var/lib/postgresql/15/larder': data,
      '/usr/lib/postgresql/15/bin': await binaries(),
      '/var/lib/postgresql/.pgpass': join(home, 'pgpass'),
      '/var/run/postgresql': home,
      '<password>': PASSWORD,
    }),
  )
  let program: Program | undefined
  const stop = async () => {
    await node.thaw()
    // Patroni stops its PostgreSQL, too.
    await program?.end('SIGTERM')
  }
  t.teardown(stop)
  const ballast = join(home, 'ballast')
  const postmaster = async () => Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
  let frozen: number[] = []
  const signalAll = (pids: readonly number[], signal: NodeJS.Signals) => {
    for (const pid of pids)
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended since.
      }
  }

  const node: Node = {
    name,
    ports,
    start() {
      program = startProgram('patroni', [config], { ...user, cwd: '/' })
    },
    stop,
    async kill() {
      const pid = await postmaster()
      await program?.end('SIGKILL')
      process.kill(pid, 'SIGKILL')
    },
    async freeze() {
      const pid = await postmaster()
      frozen = [program?.child.pid as number, pid, ...(await childrenOf(pid))]
      signalAll(frozen, 'SIGSTOP')
    },
    async thaw() {
      signalAll(frozen, 'SIGCONT')
      frozen = []
    },
    partition(alone = false) {
      toEtcd.hang()
      if (alone) for (const other of others()) if (other !== node) apis.get(other)?.hang()
    },
    reconnect() {
      toEtcd.resume()
      for (const other of others()) apis.get(other)?.resume()
    },
    async fillDisk() {
      // It ends with an error when nothing is left.
      const args = ['if=/dev/zero', `of=${ballast}`, 'bs=64K']
      await run('dd', args).catch(() => undefined)
    },
    emptyDisk: () => rm(ballast, { force: true }),
    async query<Row extends pg.QueryResultRow>(sql: string) {
      const connectionString = `postgresql://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${ports.postgres}/larder`
      const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 })
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query<Row>(sql)).rows
      } finally {
        await client.end()
      }
    },
  }
  apis.set(node, api)
  return node
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** The newest PostgreSQL of Debian. */
async function binaries(): Promise<string> {
  const versions = (await readdir('/usr/lib/postgresql')).map(Number).sort((a, b) => b - a)
  return `/usr/lib/postgresql/${versions[0]}/bin`
}
