/** Debian's PostgreSQL with passwords on a free port: with the programs that the embedded one lacks, and an older release. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type OsUser, resolveEmbeddedPaths } from '../../services/postgres/embedded/paths.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { log } from '../services/postgres/fixtures.ts'

const run = promisify(execFile)

export interface DebianPostgres {
  /** The address for this login, or for the superuser. */
  url(database: string, user?: string): string
  /** As the superuser. */
  query(sql: string, database?: string): Promise<Record<string, unknown>[]>
  /** Runs a program of PostgreSQL, such as `pg_dump`. */
  run(program: string, args: readonly string[]): Promise<string>
  /** The folder of everything that belongs to the server. */
  readonly folder: string
  /** Its data folder, `data` in `folder`. */
  readonly data: string
  readonly port: number
  /** The user of the operating system that runs the server and owns its files. */
  readonly user: OsUser
  stop(): Promise<void>
  /** After `stop`. Resolves when it accepts connections. */
  start(): Promise<void>
}

export interface DebianPostgresOptions {
  /** Text that is added to `postgresql.conf`. */
  readonly config?: string
  /** Variables of the server, and of the programs that it runs. */
  readonly env?: Readonly<Record<string, string>>
}

/** Every login has this password. */
export const DEBIAN_PASSWORD = 'pw'

export async function startDebianPostgres(
  t: { teardown(end: () => Promise<void>): void },
  configure: (folder: string) => DebianPostgresOptions = () => ({}),
): Promise<DebianPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-debian-postgres-'))
  const { user } = await resolveEmbeddedPaths(join(folder, 'unused'), log)
  const versions = (await readdir('/usr/lib/postgresql')).map(Number).sort((a, b) => b - a)
  const bin = `/usr/lib/postgresql/${versions[0]}/bin`
  const data = join(folder, 'data')
  const password = join(folder, 'password')
  await mkdir(data, { mode: 0o700 })
  await writeFile(password, DEBIAN_PASSWORD)
  if (user.uid !== undefined)
    for (const path of [folder, data, password]) await chown(path, user.uid, user.gid as number)
  const { config = '', env } = configure(folder)
  const options = { ...user, cwd: '/', env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', ...env } }
  const initialize = ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${password}`, '--encoding=UTF8']
  await run(join(bin, 'initdb'), [...initialize, '--no-sync', '--no-locale'], options)
  await appendFile(join(data, 'postgresql.conf'), config)
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`, 'fsync=off']
  let server: ChildProcess | undefined
  const stop = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGINT')
    await ended
  }
  t.teardown(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })
  const url = (database: string, login = 'postgres') =>
    `postgresql://${login}:${DEBIAN_PASSWORD}@127.0.0.1:${port}/${database}`
  const query: DebianPostgres['query'] = async (sql, database = 'postgres') => {
    const client = new pg.Client(url(database))
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(sql)).rows ?? []
    } finally {
      await client.end()
    }
  }
  const start = async () => {
    server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap(setting => ['-c', setting])], {
      ...options,
      stdio: 'ignore',
    })
    await waitFor(() =>
      query('select 1').then(
        () => true,
        () => false,
      ),
    )
  }
  await start()
  const program: DebianPostgres['run'] = async (name, args) => (await run(join(bin, name), args)).stdout
  return { url, query, run: program, folder, data, port, user, stop, start }
}
