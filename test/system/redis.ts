/** Debian's redis-server on a free port, without persistence. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'

export interface RedisServer {
  readonly url: string
  readonly client: Redis
  start(): Promise<void>
  /** Kills the server with SIGKILL. */
  stop(): Promise<void>
  close(): Promise<void>
}

export async function createRedis(): Promise<RedisServer> {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const client = new Redis(url, { lazyConnect: true })
  // Tests stop the server on purpose.
  client.on('error', () => {})
  let server: ChildProcess | undefined
  const redis: RedisServer = {
    url,
    client,
    async start() {
      const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
      server = spawn('redis-server', options, { stdio: 'ignore' })
      await waitFor(async () => (await client.ping().catch(() => '')) === 'PONG')
    },
    async stop() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
    },
    async close() {
      client.disconnect()
      await redis.stop()
    },
  }
  return redis
}
