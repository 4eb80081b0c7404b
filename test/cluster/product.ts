/** Three web processes and two workers of one installation. Some reach the database through PgBouncer. */
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { createInstallation, type Installation, kill, type LarderProcess } from '../reliability/processes.ts'
import type { Cleanup } from './programs.ts'

type Env = Readonly<Record<string, string>>

/** A place for a process, which is replaced there. */
export interface Seat {
  readonly part: 'web' | 'worker'
  /** True for a process whose `DATABASE_URL` leads to PgBouncer. */
  readonly isPooled: boolean
  readonly url: string
  current(): LarderProcess
  /** Starts a process, and waits until it is ready. */
  start(env?: Env): Promise<void>
  /** As an update does: SIGTERM, its end, a new process. */
  replace(env?: Env): Promise<void>
  kill(): Promise<void>
}

export interface Product {
  readonly installation: Installation
  readonly webs: readonly Seat[]
  readonly workers: readonly Seat[]
  /** Warnings and errors of all processes so far. */
  log(): readonly LogLine[]
}

export interface LogLine {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly msg: string
}

export interface ProductOptions {
  /** As a superuser, for the test. */
  readonly superuserUrl: string
  /** As the owner of the tables: through HAProxy, and through PgBouncer and HAProxy. */
  readonly directUrl: string
  readonly pooledUrl: string
  readonly redisUrl: string
  readonly smtpUrl: string
  readonly publicUrl: string
  readonly recipe: string
  readonly webPorts: readonly number[]
}

export async function createProduct(t: Cleanup, options: ProductOptions): Promise<Product> {
  const { superuserUrl, directUrl, pooledUrl, redisUrl, smtpUrl, publicUrl, recipe, webPorts } = options
  const installation = await createInstallation(t, { databaseUrl: superuserUrl, recipe })
  const shared = {
    NODE_ENV: 'production',
    METRICS_TOKEN: 'only tests know it',
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: '1',
    BUS: 'redis',
    JOBS_BACKEND: 'redis',
    REDIS_URL: redisUrl,
    SMTP_URL: smtpUrl,
    DATABASE_DIRECT_URL: directUrl,
  }
  const processes: LarderProcess[] = []
  const createSeat = (part: Seat['part'], isPooled: boolean, port?: number): Seat => {
    let running: LarderProcess | undefined
    const url = `http://127.0.0.1:${port}`
    const seat: Seat = {
      part,
      isPooled,
      url,
      current: () => running as LarderProcess,
      async start(env = {}) {
        const settings = { ...shared, DATABASE_URL: isPooled ? pooledUrl : directUrl, PORT: String(port ?? 0) }
        running = await installation.startProcess(part, { ...settings, ...env })
        processes.push(running)
        if (part === 'web')
          await waitFor(async () => (await fetch(`${url}/v1/health/readiness`).catch(() => undefined))?.status === 200)
      },
      async replace(env) {
        await kill(seat.current(), 'SIGTERM')
        await seat.start(env)
      },
      kill: async () => void (await kill(seat.current())),
    }
    return seat
  }
  return {
    installation,
    webs: webPorts.map((port, at) => createSeat('web', at > 0, port)),
    workers: [createSeat('worker', false), createSeat('worker', true)],
    log: () =>
      processes.flatMap(({ out }) =>
        out()
          .split('\n')
          // A killed process may have written a part of a line.
          .filter(line => line.startsWith('{"level":') && line.endsWith('}'))
          .map(line => JSON.parse(line) as LogLine),
      ),
  }
}

export const webPortsOf = (count: number): Promise<number[]> => Promise.all(Array.from({ length: count }, freePort))
