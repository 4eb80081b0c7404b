/** Sends one request and checks its status. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { expectedStatus, type RouteInfo } from './catalog.ts'
import type { RouteRequest } from './request.ts'

/** @throws Error unless the response has the declared status. */
export async function sendOnce(url: string, route: RouteInfo, request: RouteRequest): Promise<void> {
  const { status, body } = await exchange(url, route.method, request)
  const expected = expectedStatus(route, request)
  if (status !== expected)
    throw new Error(`${route.key} returned ${status} instead of ${expected}: ${body.toString('utf8').slice(0, 500)}`)
}

/** Sends one request. Not `fetch`, which follows redirects of some statuses and changes headers. */
export function exchange(
  url: string,
  method: string,
  { path, headers, body }: RouteRequest,
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent: ClientRequest = httpRequest(new URL(path, url), { method, headers: { ...headers, ...length } })
    sent.on('error', reject)
    sent.on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
    })
    sent.end(body)
  })
}
