/** Debian's PostgreSQL with passwords on a free port: with the programs that the embedded one lacks, and an older release. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { resolveEmbeddedPaths } from '../../services/postgres/embedded/paths.ts'
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
}

/** Every login has this password. */
const PASSWORD = 'pw'

export async function startDebianPostgres(t: { teardown(end: () => Promise<void>): void }): Promise<DebianPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-debian-postgres-'))
  const { user } = await resolveEmbeddedPaths(join(folder, 'unused'), log)
  const versions = (await readdir('/usr/lib/postgresql')).map(Number).sort((a, b) => b - a)
  const bin = `/usr/lib/postgresql/${versions[0]}/bin`
  const data = join(folder, 'data')
  const password = join(folder, 'password')
  await mkdir(data, { mode: 0o700 })
  await writeFile(password, PASSWORD)
  if (user.uid !== undefined)
    for (const path of [folder, data, password]) await chown(path, user.uid, user.gid as number)
  const options = { ...user, cwd: '/', env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' } }
  const initialize = ['-D', data, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${password}`, '--encoding=UTF8']
  await run(join(bin, 'initdb'), [...initialize, '--no-sync', '--no-locale'], options)
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap(setting => ['-c', setting])], {
    ...options,
    stdio: 'ignore',
  })
  t.teardown(async () => {
    const ended = once(server, 'exit')
    server.kill('SIGINT')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
  const url = (database: string, login = 'postgres') =>
    `postgresql://${login}:${PASSWORD}@127.0.0.1:${port}/${database}`
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
  await waitFor(() =>
    query('select 1').then(
      () => true,
      () => false,
    ),
  )
  return { url, query, run: async (program, args) => (await run(join(bin, program), args)).stdout }
}
