/** Browsers that look at pages of `larder dev`: each holds a line, and is told to load anew (server-sent events, WHATWG HTML). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LIVE_EVENT, LIVE_PATH } from '../services/templates/live.ts'

/** Proxies cut lines on which nothing comes. */
const BEAT_MS = 20_000

export interface Live {
  /** True where the request was for the line, which is answered then. */
  take(request: IncomingMessage, response: ServerResponse): boolean
  tell(): void
  close(): void
}

export function createLive(): Live {
  const lines = new Set<ServerResponse>()
  const send = (text: string) => {
    for (const line of lines) line.write(text)
  }
  const beat = setInterval(() => send(':\n\n'), BEAT_MS).unref()
  return {
    take(request, response) {
      if (request.method !== 'GET' || request.url !== LIVE_PATH) return false
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      response.write('retry: 500\n\n')
      lines.add(response)
      response.once('close', () => lines.delete(response))
      return true
    },
    tell: () => send(LIVE_EVENT),
    close() {
      clearInterval(beat)
      for (const line of lines) line.end()
    },
  }
}
