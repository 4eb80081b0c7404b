/** What the raw servers share: connections, the caller, and responses in JSON. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

/** A statement whose value $1 is `secretHash(request)`. */
export const CALLER = `select l.id, u.id as user_id, m.tenant_id from raw_logins l join raw_users u on u.id = l.user_id
  join raw_members m on m.user_id = u.id where l.secret_hash = $1`

export const secretHash = (request: IncomingMessage): string =>
  createHash('sha256')
    .update(request.headers.authorization ?? '')
    .digest('hex')

/** As many as a process of Larder has. */
const CONNECTIONS = 16
export const createPool = (url: string): pg.Pool => new pg.Pool({ connectionString: url, max: CONNECTIONS })

export interface RawResponse {
  readonly status: number
  /** JSON, or a value to convert; undefined is answered with 404. */
  readonly body: string | object | undefined
}

/** Serves on a free port, and sends its URL to the parent. */
export function serveRaw(
  respond: (request: IncomingMessage, body: Record<string, unknown>) => Promise<RawResponse>,
): void {
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let sent = ''
    for await (const chunk of request) sent += chunk
    const { status, body = '{}' } = await respond(request, sent === '' ? {} : JSON.parse(sent))
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(body === '{}' ? 404 : status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  }
  // The load generator disconnects at its end, in the middle of requests.
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1', () =>
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
  )
  process.on('disconnect', () => process.exit(0))
}
