/** Debian's PgBouncer in transaction mode on a free port, in front of a PostgreSQL server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { currentRoles } from '../../services/postgres/role-catalog.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'

export interface PgBouncer {
  /** The URL of the server, by way of the pooler. */
  readonly url: string
  start(): Promise<void>
  /** Kills the pooler, which resets every connection. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** Fewer than two processes open, so that they take turns with the same connections. */
const SERVER_CONNECTIONS = 6

/** Lines of the section `pgbouncer`. */
const TRUST = 'auth_type = trust'

export async function createPgBouncer(serverUrl: string, authentication = TRUST): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-pgbouncer-'))
  // PgBouncer refuses to run as root.
  await chmod(folder, 0o755)
  const server = new URL(serverUrl)
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  const app = authentication === TRUST ? `"${await appRole(serverUrl)}" ""\n` : ''
  await writeFile(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n${app}`)
  await writeFile(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
${authentication}
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
server_login_retry = 1
`,
  )
  const url = Object.assign(new URL(serverUrl), { port: String(port) }).href
  let child: ChildProcess | undefined
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const pooler: PgBouncer = {
    url,
    async start() {
      child = spawn('pgbouncer', [...user, file], {
        stdio: 'ignore',
        env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
      })
      await waitFor(() => responds(url))
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async close() {
      await pooler.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return pooler
}

/** The login that `migrate` will create. */
async function appRole(url: string): Promise<string> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await currentRoles((sql, values) => client.query(sql, values))).app
  } finally {
    await client.end()
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
