import type { WebSocketConstructor, WebSocketLike } from './options.ts'
import type { Transport } from './transport.ts'

/** @internal */
export async function helloOf(transport: Transport, lastPing: unknown): Promise<object> {
  const [tenantId, token] = [await transport.tenant(), await transport.credential()]
  return {
    ...(tenantId !== undefined && { tenantId }),
    ...(token !== undefined && { token }),
    ...(transport.options.anonymous && { anonymous: true }),
    ...(typeof lastPing === 'number' && { lastPing }),
  }
}

/** Throws a TypeError in a runtime without WebSocket. @internal */
export function webSocketOf({ options }: Transport): WebSocketConstructor {
  const found = options.WebSocket ?? (globalThis as { WebSocket?: unknown }).WebSocket
  if (typeof found !== 'function') throw new TypeError('This runtime has no WebSocket. Pass one to createClient.')
  return found as WebSocketConstructor
}

/** @internal */
export function openSocket(transport: Transport): WebSocketLike {
  const { origin = '' } = (globalThis as { location?: { origin?: string } }).location ?? {}
  const url = `${(transport.baseUrl || origin).replace(/^http/, 'ws')}/v1/realtime`
  return new (webSocketOf(transport))(url as never)
}

interface SocketEvent {
  readonly data?: unknown
  readonly code?: number
  readonly reason?: string
}

/** @internal */
export const listen = (
  socket: WebSocketLike,
  type: 'open' | 'message' | 'close' | 'error',
  listener: (event: SocketEvent) => void,
): void => socket.addEventListener(type as never, listener as never)
