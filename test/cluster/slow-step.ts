/** The receiver of a step of an automation, which can keep the worker waiting. */
import type { ServerResponse } from 'node:http'
import { startReceiver } from '../modules/webhooks/receiver.ts'
import type { Cleanup } from './programs.ts'

export interface SlowStep {
  readonly url: string
  /** The Idempotency-Keys of the requests for this key, in their order. */
  keysOf(key: string): string[]
  /** Leaves the requests from now on without a response, and answers them all. */
  hold(): void
  release(): void
  /** The requests that have no response and whose connection is open. */
  held(): number
}

export async function startSlowStep(t: Cleanup): Promise<SlowStep> {
  const open = new Set<ServerResponse>()
  let isHolding = false
  const receiver = await startReceiver((_, response) => {
    if (!isHolding) return void response.writeHead(204).end()
    open.add(response)
    response.on('close', () => open.delete(response))
  })
  t.teardown(receiver.close)
  return {
    url: receiver.url,
    keysOf: key =>
      receiver.received
        .filter(({ body }) => (JSON.parse(body) as { key: string }).key === key)
        .map(({ headers }) => String(headers['idempotency-key'])),
    hold() {
      isHolding = true
    },
    release() {
      isHolding = false
      for (const response of open) response.writeHead(204).end()
    },
    held: () => open.size,
  }
}
