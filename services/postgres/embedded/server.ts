/** The server process: made, started, found again. Many processes may do so at once; PostgreSQL's own lock decides. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Ground } from './paths.ts'

const run = promisify(execFile)

export const OWNER = 'larder'

export interface ServerOptions {
  /** False for tests: a crash of the machine may lose everything. */
  readonly durable: boolean
  readonly maxConnections: number
}

/** Makes the data once; of several processes that try, the first to finish wins; true for that one. */
export async function initialise({ bin, home, ids }: Ground, { durable }: ServerOptions): Promise<boolean> {
  if (await exists(join(home, 'data'))) return false
  const made = `${home}.${process.pid}-${randomBytes(4).toString('hex')}`
  const password = join(made, 'password')
  await mkdir(made, { mode: 0o700, recursive: true })
  try {
    await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
    if (ids.uid !== undefined) for (const path of [made, password]) await chown(path, ids.uid, ids.gid as number)
    await run(join(bin, 'initdb'), initArguments(made, password), { ...ids, cwd: '/', env: environment() })
    if (!durable) await trustTheApp(join(made, 'data', 'pg_hba.conf'))
    await rename(made, home)
    return true
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: string }
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST')
      throw new Error(`the embedded PostgreSQL cannot make its data in ${home}: ${stderr?.trim() || error}`, {
        cause: error,
      })
    return false
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

// Not synced: that takes longer than all the rest. `syncToDisk` does it while the server is already in use.
const initArguments = (made: string, password: string): string[] => [
  ...['-D', join(made, 'data'), '-U', OWNER, '--auth=scram-sha-256', `--pwfile=${password}`, '--encoding=UTF8'],
  ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync', '--no-instructions'],
]

/** Files of a new server, to disk. Whoever starts it need not wait. */
export function syncToDisk({ bin, home, ids }: Ground): Promise<unknown> {
  return run(join(bin, 'initdb'), ['-D', join(home, 'data'), '--sync-only'], { ...ids, cwd: '/', env: environment() })
}

/** On the server that tests share, each with a secret of its own, the app role needs no password. */
async function trustTheApp(file: string): Promise<void> {
  const rules = await readFile(file, 'utf8')
  await writeFile(file, `host all larder_app 127.0.0.1/32 trust\n${rules}`)
}

export interface Postmaster {
  readonly pid: number
  readonly port: number
}

/** The server that says it runs on this data: it may be starting, or have been killed. */
export async function readPostmaster({ home }: Ground): Promise<Postmaster | undefined> {
  try {
    const lines = (await readFile(pidFile(home), 'utf8')).split('\n')
    const [pid, port] = [Number(lines[0]), Number(lines[3])]
    return pid > 0 && port > 0 ? { pid, port } : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`the data in ${home} belongs to another user: start Larder as that one, or as root`, {
      cause: error,
    })
  }
}

/** A process that has ended counts as gone, also while nobody has taken note of its end. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return (await processState(pid))?.state !== 'Z'
}

/**
 * False for a server that was killed. Its pid file then names nobody, or, after a restart of the machine or container,
 * some other program, or a process whose end nobody takes note of; PostgreSQL would take those for a server. The number
 * in it becomes ours: of the process that started it PostgreSQL knows that it is no server, and it still looks whether
 * anything of the old one is running on the data.
 */
export async function isServing({ home }: Ground, { pid }: Postmaster): Promise<boolean> {
  const state = await processState(pid)
  const foreign = state && (state.state === 'Z' || !state.name.startsWith('postgres'))
  if (!foreign) return isAlive(pid)
  const lines = (await readFile(pidFile(home), 'utf8').catch(() => '')).split('\n')
  if (lines[0] === String(pid) && pid !== process.pid)
    await writeFile(pidFile(home), [process.pid, ...lines.slice(1)].join('\n'))
  return false
}

/** As /proc says; undefined where there is none, or no such process. */
async function processState(pid: number): Promise<{ name: string; state: string } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [, name, state] = /^\d+ \((.*)\) (\w)/s.exec(stat) ?? []
  return name && state ? { name, state } : undefined
}

export interface Start {
  readonly port: number
  readonly process: ChildProcess
  /** The last lines of the server's log. */
  log(): Promise<string>
}

/** Starts the server, in a session of its own: it outlives this process and gets none of its terminal's signals. */
export async function startServer(ground: Ground, options: ServerOptions): Promise<Start> {
  const { bin, home, ids } = ground
  const port = await choosePort(join(home, 'port'))
  const file = join(home, 'server.log')
  const log = await open(file, 'w', 0o600)
  const child = spawn(join(bin, 'postgres'), ['-D', join(home, 'data'), ...flags(port, options)], {
    ...ids,
    cwd: '/',
    env: environment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  child.on('error', () => {})
  child.unref()
  await log.close()
  return {
    port,
    process: child,
    log: async () => (await readFile(file, 'utf8')).trim().split('\n').slice(-8).join('\n'),
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
    // Statements and their values hold people's data: the log names neither.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum_naptime: '1h' }),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** The port of last time where it is free: a process that is still running knows it. */
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

/** Ends the server: connections are cut, work under way is rolled back. Returns when it has ended. */
export async function stopServer({ bin, home, ids }: Ground): Promise<void> {
  const running = await readPostmaster({ bin, home, ids })
  if (!running) return
  if (process.platform === 'win32') await run(join(bin, 'pg_ctl'), ['stop', '-D', join(home, 'data'), '-m', 'fast'])
  else process.kill(running.pid, 'SIGINT')
  // The pid file goes a moment before the process; the next server's may follow at once.
  for (let tries = 0; tries < 1500; tries++) {
    if ((await readPostmaster({ bin, home, ids }))?.pid !== running.pid && !(await isAlive(running.pid))) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error(`the embedded PostgreSQL (process ${running.pid}) does not stop`)
}

const pidFile = (home: string): string => join(home, 'data', 'postmaster.pid')

/** None of our own: PGDATA and the like would be taken for settings. */
const environment = (): Record<string, string> => ({ PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' })

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
