/** A small server that speaks MediaMTX's documented control API: the sessions that it has, and kicking them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EdgeSession {
  readonly id: string
  readonly path: string
}

export async function startEdge(sessions: EdgeSession[] = []) {
  const kicked: string[] = []
  let failing = 0
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://edge')
    const kick = /^\/v3\/webrtcsessions\/kick\/(.+)$/.exec(url.pathname)?.[1]
    if (failing-- > 0) return void response.writeHead(500).end()
    if (kick && request.method === 'POST') {
      const index = sessions.findIndex(({ id }) => id === kick)
      if (index < 0) return void response.writeHead(404).end('{"error":"session not found"}')
      sessions.splice(index, 1)
      kicked.push(kick)
      return void response.writeHead(200).end('{"status":"ok"}')
    }
    if (url.pathname !== '/v3/webrtcsessions/list') return void response.writeHead(404).end()
    const size = Number(url.searchParams.get('itemsPerPage') ?? 100)
    const page = Number(url.searchParams.get('page') ?? 0)
    const items = sessions.slice(page * size, (page + 1) * size)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ pageCount: Math.ceil(sessions.length / size), itemCount: sessions.length, items }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    kicked,
    failNext(times: number) {
      failing = times
    },
    stop: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
