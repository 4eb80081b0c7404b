/**
 * Three PostgreSQL nodes under Patroni, with etcd and HAProxy, all of Debian, on free ports of 127.0.0.1. HAProxy has the
 * configuration of docs/deploy.md.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { stringify } from 'yaml'
import { type OsUser, resolveEmbeddedPaths } from '../../services/postgres/embedded/paths.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { createProxy } from '../services/postgres/proxy.ts'

const run = promisify(execFile)
const PASSWORD = 'only tests know it'
const SCOPE = 'larder'
const NODES = ['node1', 'node2', 'node3'] as const
/** Patroni's smallest values: a lost primary is replaced after at most 20 s. */
const TIMES = { ttl: 20, loop_wait: 2, retry_timeout: 3 }
/** The time that a cluster may take to start or to repair itself on a busy machine. */
const HEALTH_SECONDS = 240

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly lag?: number
}

interface Node {
  readonly name: string
  start(): void
  /** Kills Patroni and PostgreSQL with SIGKILL. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Cuts the node off from etcd, and connects it again. */
  partition(): void
  reconnect(): void
}

export interface Cluster {
  /** As a superuser, through HAProxy. */
  readonly url: string
  /** Kills the primary. Returns a function that starts the node again. */
  killPrimary(): Promise<() => void>
  /** Makes the synchronous standby the primary. */
  switchover(): Promise<void>
  /** Cuts the primary off from etcd. Returns a function that connects it again. */
  partitionPrimary(): Promise<() => void>
  /** The name of the primary. */
  primary(): Promise<string | undefined>
  /** Resolves when there is a primary with two standbys, one of them synchronous. */
  healthy(): Promise<void>
}

export async function startCluster(t: { teardown(end: () => Promise<void>): void }): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-cluster-'))
  const ends: (() => unknown)[] = []
  t.teardown(async () => {
    for (const end of ends.reverse()) await end()
    await rm(folder, { recursive: true, force: true })
  })
  await chmod(folder, 0o755)
  // As root, another user runs Patroni and PostgreSQL.
  const { user } = await resolveEmbeddedPaths(join(folder, 'user'), pino({ level: 'silent' }))
  const etcd = await startEtcd(join(folder, 'etcd'))
  ends.push(etcd.stop)
  const ports = await Promise.all(NODES.map(async () => ({ postgres: await freePort(), api: await freePort() })))
  const nodes: Node[] = []
  for (const [at, name] of NODES.entries()) {
    const proxy = await createProxy(etcd.url)
    ends.push(proxy.close)
    const node = await createNode({ name, folder, user, etcdPort: proxy.port, ...(ports[at] as Ports) })
    nodes.push({ ...node, partition: proxy.hang, reconnect: proxy.resume })
    ends.push(node.stop)
  }
  const entrance = await freePort()
  ends.push(await startHaproxy(folder, entrance, ports))

  const members = async (): Promise<readonly Member[]> => {
    for (const { api } of ports)
      try {
        const response = await fetch(`http://127.0.0.1:${api}/cluster`, { signal: AbortSignal.timeout(2000) })
        return ((await response.json()) as { members: Member[] }).members
      } catch {
        // Patroni of this node is down.
      }
    return []
  }
  const primary = async () => (await members()).find(({ role }) => role === 'leader')?.name
  const primaryNode = async () => nodes.find(({ name }) => name === primaryName) as Node
  let primaryName: string | undefined
  const healthy = async () => {
    const accept = (all: readonly Member[]) =>
      all.filter(({ role, state }) => role === 'leader' && state === 'running').length === 1 &&
      all.filter(({ role, state, lag }) => role !== 'leader' && /^(running|streaming)$/.test(state) && lag === 0)
        .length === 2 &&
      all.some(({ role }) => role === 'sync_standby')
    primaryName = (await waitFor(members, accept, HEALTH_SECONDS)).find(({ role }) => role === 'leader')?.name
  }
  const changed = async (before: string | undefined) =>
    void (await waitFor(primary, name => name !== undefined && name !== before, HEALTH_SECONDS))

  nodes[0]?.start()
  await waitFor(primary, name => name === NODES[0], HEALTH_SECONDS)
  for (const { start } of nodes.slice(1)) start()
  await healthy()
  return {
    url: `postgresql://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${entrance}/postgres`,
    primary,
    healthy,
    async killPrimary() {
      const node = await primaryNode()
      await node.kill()
      await changed(node.name)
      return node.start
    },
    async switchover() {
      const { name } = await primaryNode()
      const config = join(folder, `${name}.yaml`)
      await run('patronictl', ['-c', config, 'switchover', SCOPE, '--master', name, '--force'], { env: PYTHON })
      await changed(name)
    },
    async partitionPrimary() {
      const node = await primaryNode()
      node.partition()
      await changed(node.name)
      return node.reconnect
    },
  }
}

interface Ports {
  readonly postgres: number
  readonly api: number
}

const PYTHON = { PATH: `${process.env.PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8' }

async function createNode(
  options: Ports & { readonly name: string; readonly folder: string; readonly user: OsUser; readonly etcdPort: number },
): Promise<Omit<Node, 'partition' | 'reconnect'>> {
  const { name, folder, user, etcdPort, postgres, api } = options
  const home = join(folder, name)
  const config = join(folder, `${name}.yaml`)
  await mkdir(home)
  if (user.uid !== undefined) await chown(home, user.uid, user.gid as number)
  await writeFile(config, stringify(patroniConfig({ name, home, etcdPort, postgres, api, bin: await binaries() })))
  const data = join(home, 'data')
  let child: ChildProcess | undefined
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }
  return {
    name,
    start() {
      child = spawn('patroni', [config], { ...user, cwd: '/', env: PYTHON, stdio: 'ignore' })
    },
    async kill() {
      const postmaster = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
      await end('SIGKILL')
      process.kill(postmaster, 'SIGKILL')
    },
    // Patroni stops its PostgreSQL, too.
    stop: () => end('SIGTERM'),
  }
}

/** The newest PostgreSQL of Debian. */
async function binaries(): Promise<string> {
  const versions = (await readdir('/usr/lib/postgresql')).map(Number).sort((a, b) => b - a)
  return `/usr/lib/postgresql/${versions[0]}/bin`
}

interface NodeConfig extends Ports {
  readonly name: string
  readonly home: string
  readonly etcdPort: number
  readonly bin: string
}

const patroniConfig = ({ name, home, etcdPort, postgres, api, bin }: NodeConfig): object => ({
  scope: SCOPE,
  name,
  restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
  // Without a discovery of etcd's own address, which would bypass the proxy.
  etcd3: { hosts: [`127.0.0.1:${etcdPort}`], use_proxies: true },
  log: { dir: home, level: 'INFO' },
  bootstrap: {
    dcs: {
      ...TIMES,
      synchronous_mode: true,
      maximum_lag_on_failover: 1_048_576,
      postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_keep_size: '128MB' } },
    },
    initdb: [{ encoding: 'UTF8' }, 'data-checksums', { locale: 'C.UTF-8' }],
  },
  postgresql: {
    listen: `127.0.0.1:${postgres}`,
    connect_address: `127.0.0.1:${postgres}`,
    data_dir: join(home, 'data'),
    bin_dir: bin,
    pgpass: join(home, 'pgpass'),
    authentication: {
      superuser: { username: 'postgres', password: PASSWORD },
      replication: { username: 'replicator', password: PASSWORD },
    },
    parameters: { unix_socket_directories: home },
    pg_hba: [
      'local all all scram-sha-256',
      'host all all 127.0.0.1/32 scram-sha-256',
      'host replication replicator 127.0.0.1/32 scram-sha-256',
    ],
  },
})

async function startEtcd(folder: string): Promise<{ url: URL; stop(): Promise<void> }> {
  const client = `http://127.0.0.1:${await freePort()}`
  const peer = `http://127.0.0.1:${await freePort()}`
  const urls = {
    'data-dir': folder,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
  }
  const child = spawn(
    'etcd',
    Object.entries(urls).map(([name, value]) => `--${name}=${value}`),
    { stdio: 'ignore' },
  )
  await waitFor(() => isOk(`${client}/health`))
  return { url: new URL(client), stop: () => endProcess(child) }
}

/** Returns a function that stops it. */
async function startHaproxy(folder: string, entrance: number, ports: readonly Ports[]): Promise<() => Promise<void>> {
  const file = join(folder, 'haproxy.cfg')
  await writeFile(
    file,
    `defaults
  mode tcp
  timeout connect 4s
  timeout client 30m
  timeout server 30m
  timeout check 5s
  option redispatch 1
  retry-on conn-failure

listen primary
  bind 127.0.0.1:${entrance}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 2s fall 2 rise 1 on-marked-down shutdown-sessions
${NODES.map((name, at) => `  server ${name} 127.0.0.1:${ports[at]?.postgres} check port ${ports[at]?.api}`).join('\n')}
`,
  )
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore', env: PYTHON })
  return () => endProcess(child)
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
