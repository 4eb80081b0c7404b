/** HAProxy and PgBouncer in front of PostgreSQL, with the files of `deploy`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { deployFile } from '../fixtures/deploy-file.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import type { NodePorts } from './patroni.ts'
import { type Cleanup, type Program, startProgram } from './programs.ts'

/** A program that can be killed and started again. */
export interface Restartable {
  readonly port: number
  kill(): Promise<void>
  start(): Promise<void>
}

export interface DatabaseHaproxy extends Restartable {
  /** The file without `on-marked-down shutdown-sessions`, from the next start on, and the file itself. */
  keepSessions(isKept: boolean): Promise<void>
}

const SHUTDOWN = ' on-marked-down shutdown-sessions'

export async function createDatabaseHaproxy(
  t: Cleanup,
  folder: string,
  ports: readonly NodePorts[],
): Promise<DatabaseHaproxy> {
  const port = await freePort()
  const file = join(folder, 'haproxy-postgresql.cfg')
  const servers = ports.map(({ postgres, api }, at) => [
    `10.0.0.${at + 1}:5432 check port 8008`,
    `127.0.0.1:${postgres} check port ${api}`,
  ])
  const text = await deployFile('haproxy/postgresql.cfg', {
    '127.0.0.1:5000': `127.0.0.1:${port}`,
    ...Object.fromEntries(servers),
  })
  await writeFile(file, text)
  let program: Program | undefined
  const kill = async () => program?.end()
  t.teardown(kill)
  return {
    port,
    kill,
    async start() {
      program = startProgram('haproxy', ['-db', '-f', file])
    },
    keepSessions: isKept => writeFile(file, isKept ? text.replace(SHUTDOWN, '') : text),
  }
}

export interface PoolerOptions {
  readonly folder: string
  /** The port of HAProxy. */
  readonly server: number
  /** Of the login `pgbouncer`. */
  readonly password: string
}

export async function createPooler(
  t: Cleanup,
  { folder, server, password }: PoolerOptions,
): Promise<Restartable & { url(login: string, password: string): string }> {
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const logins = join(folder, 'userlist.txt')
  await writeFile(logins, `"pgbouncer" "${password}"\n`)
  await writeFile(
    file,
    await deployFile('pgbouncer/pgbouncer.ini', {
      'port=5000': `port=${server}`,
      '6432': String(port),
      '/etc/pgbouncer/userlist.txt': logins,
    }),
  )
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  let program: Program | undefined
  const kill = async () => program?.end()
  t.teardown(kill)
  const url = (login: string, secret: string) =>
    `postgresql://${login}:${encodeURIComponent(secret)}@127.0.0.1:${port}/larder`
  return {
    port,
    url,
    kill,
    async start() {
      program = startProgram('pgbouncer', [...user, file])
      await waitFor(() => responds(url('pgbouncer', password)))
    },
  }
}

async function responds(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}
