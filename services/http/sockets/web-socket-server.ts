/** The `ws` library, with our close codes. */
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { Duplex } from 'node:stream'
import type { AnySocket } from 'larder/kernel'
import type { WebSocket } from 'ws'

const require = createRequire(import.meta.url)

const MESSAGE_TOO_BIG = 1009
const INVALID_PAYLOAD = 1007

export interface ServerWebSocket extends WebSocket {
  /** Called before a close frame is sent, also by the library. */
  beforeClose: (() => void) | undefined
}
export interface WebSocketServer {
  handleUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer, open: (ws: ServerWebSocket) => void): void
}

/**
 * Loads the library, so call it for the first socket. `codes` replace the close codes of the library for frames over
 * `maxPayload` bytes and invalid UTF-8.
 */
export function createWebSocketServer(maxPayload: number, codes: AnySocket['codes']): WebSocketServer {
  const library = require('ws') as typeof import('ws')
  const own = new Map<number, number | undefined>([
    [MESSAGE_TOO_BIG, codes?.tooLarge],
    [INVALID_PAYLOAD, codes?.binary],
  ])
  class FlushingWebSocket extends library.WebSocket implements ServerWebSocket {
    beforeClose: (() => void) | undefined = undefined

    override close(code = 0, reason?: string | Buffer): void {
      this.beforeClose?.()
      super.close(own.get(code) ?? (code || undefined), reason)
    }
  }
  return new library.WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    WebSocket: FlushingWebSocket,
  })
}
