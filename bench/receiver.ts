/** Takes webhooks as a process of its own, and says when asked how many came and how old each was. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Taken {
  /** Milliseconds from the event to its first webhook, one for each webhook-id. */
  ages: number[]
  again: number
  /** Milliseconds from the first to the last. */
  span: number
}

const seen = new Set<string>()
let ages: number[] = []
let again = 0
let first = 0
let last = 0
const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const now = Date.now()
  last = performance.now()
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
  const taken: Taken = { ages, again, span: last - first }
  process.send?.(taken)
  if (reset !== 'reset') return
  ages = []
  again = first = last = 0
})
process.on('disconnect', () => process.exit(0))
