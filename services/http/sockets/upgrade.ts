/** Refuses and ignores upgrades. */

import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Problem } from '@larder-dev/larder/kernel'
import { CHALLENGE } from '../headers.ts'

/** Sends the problem document and closes the connection. Writes the response by hand, because no object exists yet. */
export function refuseUpgrade(socket: Duplex, problem: Problem, document: object, requestId: string): void {
  if (socket.destroyed) return
  const body = JSON.stringify(document)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...(problem.status === 401 ? [CHALLENGE.join(': ')] : []),
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const tokensOf = (value: string): string[] => value.split(',').map(token => token.trim().toLowerCase())

export const asksForWebSocket = ({ headers }: IncomingMessage): boolean =>
  tokensOf(headers.upgrade ?? '').includes('websocket')

/** Names and values that offer another protocol. */
const OFFERS = ['upgrade', 'http2-settings']

/**
 * Answers a request that offers another protocol than WebSocket as if it didn't, which RFC 9110, section 7.8 allows. Java's
 * HTTP client offers HTTP/2 (`Upgrade: h2c`) with each first request, and Node takes every offer for an upgrade. So the
 * request without the offer is put back before the bytes that Node hasn't parsed.
 */
export function ignoreUpgrade(server: Server, req: IncomingMessage, socket: Duplex, head: Buffer): void {
  if (socket.destroyed) return
  const lines = [`${req.method} ${req.url} HTTP/${req.httpVersion}`]
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = req.rawHeaders.slice(index, index + 2)
    if (OFFERS.includes(name.toLowerCase())) continue
    const kept = name.toLowerCase() === 'connection' ? withoutOffers(value) : value
    if (kept !== '' || value === '') lines.push(`${name}: ${kept}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}

const withoutOffers = (connection: string): string =>
  tokensOf(connection)
    .filter(token => !OFFERS.includes(token))
    .join(', ')
