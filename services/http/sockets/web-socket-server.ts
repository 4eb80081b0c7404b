/** The `ws` library, with our close codes. */
import { createRequire } from 'node:module'
import type { AnySocket } from '@larder-dev/larder/kernel'
import type { WebSocketServer } from 'ws'

const require = createRequire(import.meta.url)

const MESSAGE_TOO_BIG = 1009
const INVALID_PAYLOAD = 1007

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
  class CodedWebSocket extends library.WebSocket {
    override close(code = 0, reason?: string | Buffer): void {
      super.close(own.get(code) ?? (code || undefined), reason)
    }
  }
  return new library.WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    WebSocket: CodedWebSocket,
  })
}
