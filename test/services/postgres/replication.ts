/** A primary and a hot standby that replicates it, on free ports, from the binaries of the embedded PostgreSQL. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type EmbeddedPaths, resolveEmbeddedPaths } from '../../../services/postgres/embedded/paths.ts'
import { initializeCluster, OWNER } from '../../../services/postgres/embedded/server.ts'
import { freePort } from '../../fixtures/free-port.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { log } from './fixtures.ts'

const run = promisify(execFile)
const DATABASE = 'larder'

export interface Replication {
  /** The addresses connect as the owner of a database that both servers have. */
  readonly primary: URL
  readonly standby: URL
}

interface Server {
  readonly paths: EmbeddedPaths
  readonly password: string
  /** As `name=value`. */
  readonly settings: readonly string[]
}

export async function startReplication(t: { teardown(end: () => Promise<void>): void }): Promise<Replication> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-replication-'))
  const stops: (() => Promise<void>)[] = []
  t.teardown(async () => {
    for (const stop of stops.reverse()) await stop()
    await rm(folder, { recursive: true, force: true })
  })
  // As root, the servers run as another user.
  await chmod(folder, 0o755)
  const paths = await resolveEmbeddedPaths(join(folder, 'primary'), log)
  await initializeCluster(paths, { durable: false, maxConnections: 100 })
  const password = await readFile(join(paths.home, 'password'), 'utf8')
  const start = async (server: Omit<Server, 'password'>) => {
    const { url, stop } = await startServer({ ...server, password })
    stops.push(stop)
    return { url, stop }
  }
  const first = await start({ paths, settings: [] })
  await query(first.url, `create database ${DATABASE}`)
  await first.stop()
  const standbyPaths = { ...paths, home: join(folder, 'standby') }
  await run('cp', ['-a', paths.home, standbyPaths.home])
  const primary = await start({ paths, settings: [] })
  await signalStandby(standbyPaths)
  const { hostname, port } = primary.url
  const source = `primary_conninfo=host=${hostname} port=${port} user=${OWNER} password=${password}`
  const standby = await start({ paths: standbyPaths, settings: [source] })
  return { primary: atDatabase(primary.url), standby: atDatabase(standby.url) }
}

const atDatabase = (url: URL): URL => Object.assign(new URL(url), { pathname: `/${DATABASE}` })

async function signalStandby({ home, user }: EmbeddedPaths): Promise<void> {
  const file = join(home, 'data', 'standby.signal')
  await writeFile(file, '')
  if (user.uid !== undefined) await chown(file, user.uid, user.gid as number)
}

async function startServer({ paths, password, settings }: Server): Promise<{ url: URL; stop(): Promise<void> }> {
  const port = await freePort()
  const all = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'wal_level=replica',
    'fsync=off',
    ...settings,
  ]
  const server = spawn(join(paths.bin, 'postgres'), ['-D', join(paths.home, 'data'), ...all.flatMap(s => ['-c', s])], {
    ...paths.user,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
    stdio: 'ignore',
  })
  const url = new URL(`postgresql://${OWNER}:${password}@127.0.0.1:${port}/postgres`)
  await waitFor(() =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    ),
  )
  return { url, stop: () => stopServer(server) }
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = once(server, 'exit')
  // Immediate shutdown.
  server.kill('SIGQUIT')
  await exit
}

export async function query<Row extends pg.QueryResultRow>(server: URL, sql: string): Promise<Row[]> {
  const client = new pg.Client(server.href)
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}
