/** A webhook receiver in a separate process, which reports the number and age of received webhooks on request. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceiverReport {
  /** Milliseconds from the event to its first webhook, for each webhook-id. */
  ages: number[]
  again: number
  /** Milliseconds from the first webhook to the last. */
  span: number
  /** The longest time between two webhooks, in milliseconds. */
  pause: number
}

const seen = new Set<string>()
let ages: number[] = []
let again = 0
let first = 0
let last = 0
let pause = 0
const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const now = Date.now()
  const received = performance.now()
  if (first > 0) pause = Math.max(pause, received - last)
  last = received
  first ||= last
  const { id, occurred_at } = JSON.parse(Buffer.concat(parts).toString()) as { id: string; occurred_at: string }
  if (seen.has(id)) again++
  else ages.push(now - Date.parse(occurred_at))
  seen.add(id)
  response.writeHead(204).end()
})
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }),
)
process.on('message', reset => {
  const report: ReceiverReport = { ages, again, span: last - first, pause }
  process.send?.(report)
  if (reset !== 'reset') return
  ages = []
  again = first = last = pause = 0
})
process.on('disconnect', () => process.exit(0))
