/** A fake of the MediaMTX control API that lists and kicks connections. RTSP and SRT are disabled. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface EdgeSession {
  readonly id: string
  readonly path: string
  /** WebRTC by default. */
  readonly kind?: 'rtmpconns'
}
const ADDRESS = /^\/v3\/(webrtcsessions|rtmpconns)\/(?:list|kick\/(.+))$/

export async function startEdge(sessions: EdgeSession[] = []) {
  const kicked: string[] = []
  let failing = 0
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://edge')
    const [, kind, kick] = ADDRESS.exec(url.pathname) ?? []
    const matches = (session: EdgeSession) => (session.kind ?? 'webrtcsessions') === kind
    if (failing-- > 0) return void response.writeHead(500).end()
    if (kind === undefined) return void response.writeHead(404).end('404 page not found')
    if (kick !== undefined && request.method === 'POST') {
      const index = sessions.findIndex(session => session.id === kick && matches(session))
      if (index < 0) return void response.writeHead(404).end('{"error":"session not found"}')
      sessions.splice(index, 1)
      kicked.push(kick)
      return void response.writeHead(200).end('{"status":"ok"}')
    }
    const all = sessions.filter(matches)
    const size = Number(url.searchParams.get('itemsPerPage') ?? 100)
    const page = Number(url.searchParams.get('page') ?? 0)
    const items = all.slice(page * size, (page + 1) * size)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ pageCount: Math.ceil(all.length / size), itemCount: all.length, items }))
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
