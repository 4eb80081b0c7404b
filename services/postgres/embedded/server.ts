/**
 * Initializes, starts and finds the server process. Several processes may do so at once; PostgreSQL's own lock decides
 * which one succeeds.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { operatorErrors } from '../operator-errors.ts'
import type { EmbeddedPaths } from './paths.ts'
import { isAlive, processState, workingFolder } from './processes.ts'

const run = promisify(execFile)

export const OWNER = 'larder'

export interface ServerOptions {
  /** False in tests: a crash of the machine may lose all data. */
  readonly durable: boolean
  readonly maxConnections: number
}

/** Creates the data folder once. Returns true for the process that finished first, if several try. */
export async function initializeCluster(
  { bin, home, user }: EmbeddedPaths,
  { durable }: ServerOptions,
): Promise<boolean> {
  if (await exists(join(home, 'data'))) return false
  const temporary = `${home}.${process.pid}-${randomBytes(4).toString('hex')}`
  const password = join(temporary, 'password')
  await mkdir(temporary, { mode: 0o700, recursive: true })
  try {
    await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
    if (user.uid !== undefined)
      for (const path of [temporary, password]) await chown(path, user.uid, user.gid as number)
    await run(join(bin, 'initdb'), initArguments(temporary, password, durable), {
      ...user,
      cwd: '/',
      env: serverEnvironment(),
    })
    if (!durable) await trustAppRole(join(temporary, 'data', 'pg_hba.conf'))
    await rename(temporary, home)
    return true
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: string }
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST')
      throw operatorErrors.embedded_init_failed(
        { folder: home, reason: stderr?.trim() || String(error) },
        { cause: error },
      )
    return false
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

// Without a sync, which takes longer than the rest. `syncToDisk` runs while the server is already in use.
const initArguments = (made: string, password: string, durable: boolean): string[] => [
  '-D',
  join(made, 'data'),
  '-U',
  OWNER,
  '--auth=scram-sha-256',
  `--pwfile=${password}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-sync',
  '--no-instructions',
  // The password of a test server needs no slow hash: tests open thousands of connections.
  ...(durable ? [] : ['-c', 'scram_iterations=1']),
]

/** Flushes the files of a new server to disk. The start does not wait for it. */
export function syncToDisk({ bin, home, user }: EmbeddedPaths): Promise<unknown> {
  return run(join(bin, 'initdb'), ['-D', join(home, 'data'), '--sync-only'], {
    ...user,
    cwd: '/',
    env: serverEnvironment(),
  })
}

/** Tests share one server but have different secrets, so app roles need no password there. */
async function trustAppRole(file: string): Promise<void> {
  const rules = await readFile(file, 'utf8')
  await writeFile(file, `host all "/^larder_app" 127.0.0.1/32 trust\n${rules}`)
}

export interface Postmaster {
  readonly pid: number
  readonly port: number
}

/** The server in the pid file of this data: it may be starting, or have been killed. */
export async function readPostmaster({ home }: EmbeddedPaths): Promise<Postmaster | undefined> {
  try {
    const lines = (await readFile(pidFile(home), 'utf8')).split('\n')
    const [pid, port] = [Number(lines[0]), Number(lines[3])]
    return pid > 0 && port > 0 ? { pid, port } : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw operatorErrors.embedded_data_inaccessible({ folder: home }, { cause: error })
  }
}

/**
 * False for a server that was killed. Its pid file names no process, a zombie, or, after a restart of the machine or the
 * container, another program or server.
 */
export const isServing = async ({ home }: EmbeddedPaths, { pid }: Postmaster): Promise<boolean> =>
  !(await isForeign(home, pid)) && isAlive(pid)

async function isForeign(home: string, pid: number): Promise<boolean> {
  const state = await processState(pid)
  if (!state) return false
  if (state.state === 'Z' || !state.name.startsWith('postgres')) return true
  const folder = await workingFolder(pid)
  return folder !== undefined && folder !== (await realpath(join(home, 'data')))
}

export interface StartingServer {
  readonly process: ChildProcess
  /** The last lines of the server's log. */
  log(): Promise<string>
  /** Names the log `server.log`. Until then, it has a name of its own, because several processes may start a server. */
  keepLog(): Promise<void>
  removeLog(): Promise<void>
}

/** Starts the server in its own session: it outlives this process and receives no signals from its terminal. */
export async function startServer(paths: EmbeddedPaths, options: ServerOptions): Promise<StartingServer> {
  const { bin, home, user } = paths
  const port = await choosePort(join(home, 'port'))
  const kept = join(home, 'server.log')
  const file = `${kept}.${process.pid}-${randomBytes(4).toString('hex')}`
  const log = await open(file, 'w', 0o600)
  const child = spawn(join(bin, 'postgres'), ['-D', join(home, 'data'), ...flags(port, options)], {
    ...user,
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  child.on('error', () => {})
  child.unref()
  await log.close()
  return {
    process: child,
    log: async () => (await readFile(file, 'utf8')).trim().split('\n').slice(-8).join('\n'),
    keepLog: () => rename(file, kept),
    removeLog: () => rm(file, { force: true }),
  }
}

function flags(port: number, { durable, maxConnections }: ServerOptions): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: maxConnections,
    shared_buffers: '32MB',
    max_wal_size: '256MB',
    wal_level: 'minimal',
    max_wal_senders: 0,
    io_method: 'sync',
    huge_pages: 'off',
    jit: 'off',
    // Parallel workers share memory through /dev/shm, which containers keep small.
    max_parallel_workers_per_gather: 0,
    // Statements and values contain personal data and must not be logged.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum_naptime: '1h' }),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** The previous port if it is free: a process that is still running uses it to reconnect. */
async function choosePort(file: string): Promise<number> {
  const last = Number(await readFile(file, 'utf8').catch(() => '0'))
  const port = (last > 0 && (await freePort(last))) || ((await freePort(0)) as number)
  if (port !== last) await writeFile(file, String(port))
  return port
}

function freePort(port: number): Promise<number | undefined> {
  return new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(undefined))
    probe.listen(port, '127.0.0.1', () => {
      const { port: taken } = probe.address() as { port: number }
      probe.close(() => resolve(taken))
    })
  })
}

/** Stops the server (fast shutdown): closes connections and rolls back open transactions. Resolves once it has exited. */
export async function stopServer({ bin, home, user }: EmbeddedPaths): Promise<void> {
  const running = await readPostmaster({ bin, home, user })
  if (!running) return
  if (process.platform === 'win32') await run(join(bin, 'pg_ctl'), ['stop', '-D', join(home, 'data'), '-m', 'fast'])
  else process.kill(running.pid, 'SIGINT')
  // The pid file is removed shortly before the process exits, and another server may write its own at once.
  for (let tries = 0; tries < 1500; tries++) {
    if ((await readPostmaster({ bin, home, user }))?.pid !== running.pid && !(await isAlive(running.pid))) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw operatorErrors.embedded_stop_failed({ pid: running.pid })
}

export const pidFile = (home: string): string => join(home, 'data', 'postmaster.pid')

/** Excludes our own environment: PostgreSQL reads variables such as PGDATA. */
const serverEnvironment = (): Record<string, string> => ({ PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' })

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
