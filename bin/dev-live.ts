/** Reloads open pages of `larder dev` by server-sent events. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LIVE_EVENT, LIVE_PATH } from '../services/templates/live.ts'

/** Proxies close idle connections. */
const HEARTBEAT_MS = 20_000

export interface LiveReload {
  /** Returns true if the request was for the event stream, which is then open. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  reload(): void
  close(): void
}

export function createLiveReload(): LiveReload {
  const streams = new Set<ServerResponse>()
  const send = (text: string) => {
    for (const stream of streams) stream.write(text)
  }
  const heartbeat = setInterval(() => send(':\n\n'), HEARTBEAT_MS).unref()
  return {
    handle(request, response) {
      if (request.method !== 'GET' || request.url !== LIVE_PATH) return false
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      response.write('retry: 500\n\n')
      streams.add(response)
      response.once('close', () => streams.delete(response))
      return true
    },
    reload: () => send(LIVE_EVENT),
    close() {
      clearInterval(heartbeat)
      for (const stream of streams) stream.end()
    },
  }
}
