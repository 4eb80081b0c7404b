/** Rejects upgrades. Writes the response by hand, because no response object exists yet. */

import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Problem } from '@larder-dev/larder/kernel'

/** Sends the problem document and closes the connection. */
export function refuseUpgrade(socket: Duplex, problem: Problem, document: object, requestId: string): void {
  if (socket.destroyed) return
  const body = JSON.stringify(document)
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
