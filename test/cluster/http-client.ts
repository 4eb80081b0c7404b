/** Requests over kept-alive connections, as browsers and other servers send them. */
import { Agent, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { SECOND } from '../../kernel/base/units.ts'

export interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

export interface HttpClient {
  readonly name: string
  readonly url: string
  /** The certificate that it trusts. */
  readonly ca: string | undefined
  /** Rejects without a complete response. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>
  close(): void
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** More than a request to Larder may take. */
const TIMEOUT_MS = 60 * SECOND

export function createHttpClient(name: string, url: string, ca?: string): HttpClient {
  const secure = url.startsWith('https:')
  const agent = secure ? new SecureAgent({ keepAlive: true, ...(ca && { ca }) }) : new Agent({ keepAlive: true })
  const request = secure ? secureRequest : plainRequest
  return {
    name,
    url,
    ca,
    send: (method, path, { headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
        const sent = request(url + path, { method, agent, headers: { ...headers, ...length } }, response => {
          const chunks: Buffer[] = []
          response.on('data', chunk => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const { statusCode: status = 0, headers } = response
            resolve({ status, retryAfter: headers['retry-after'], text: Buffer.concat(chunks).toString('utf8') })
          })
        })
        sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('no response in time')))
        sent.on('error', reject)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}
