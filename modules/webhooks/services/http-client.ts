/** One attempt: a POST that follows nothing, waits 15 s at most and reads a little of the answer. */

import { Agent, type IncomingMessage, request } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import { KIB, SECOND } from 'larder/kernel'
import { MAX_PER_HOST } from '../domain/host-scheduling.ts'
import type { Outcome } from '../domain/retry-schedule.ts'
import { type Target, targetOf } from '../domain/targets.ts'
import { type Dial, Refused } from './dialer.ts'

const TIMEOUT = 15 * SECOND
/** Of the answer, what an attempt keeps. */
const KEPT = KIB
/** Of the answer, what is read before the connection is cut: a short rest leaves it to be used again. */
const READ = 16 * KIB
/** A receiver that keeps a connection open for less than this closes it under the next request. */
const IDLE = 4 * SECOND

export interface Answered extends Outcome {
  /** The first 1 KiB; null where no answer came. */
  readonly answer: string | null
}
export interface Post {
  (url: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<Answered>
  close(): void
}

export function createPost(dial: Dial, timeout = TIMEOUT): Post {
  const options = { keepAlive: true, maxFreeSockets: MAX_PER_HOST, timeout: IDLE }
  const agents = {
    plain: dialled(new Agent(options), dial, false),
    secure: dialled(new SecureAgent(options), dial, true),
  }

  const once = (target: Target, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal) =>
    new Promise<Answered>((resolve, reject) => {
      const { url, hostname, port, secure } = target
      const sent = (secure ? secureRequest : request)({
        method: 'POST',
        agent: secure ? agents.secure : agents.plain,
        hostname,
        port,
        path: url.pathname + url.search,
        headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
        signal,
      })
      const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${timeout / SECOND} s`)), timeout)
      sent.on('close', () => clearTimeout(timer))
      // Without effect once the answer has begun.
      sent.on('error', error => reject(Object.assign(error, { stale: sent.reusedSocket })))
      sent.on('response', (response: IncomingMessage) => resolve(readAnswer(response)))
      sent.end(body)
    })

  const post = async (url: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal) => {
    const target = targetOf(url)
    if (!target) return failed(new Refused('this is no http or https address'))
    for (let tries = 1; ; tries++)
      try {
        return await once(target, headers, body, signal)
      } catch (error) {
        // The receiver closed an idle connection just as it was taken up again.
        if (tries === 1 && isStale(error) && !signal.aborted) continue
        return failed(error)
      }
  }
  return Object.assign(post, {
    close() {
      agents.plain.destroy()
      agents.secure.destroy()
    },
  })
}

function dialled<A extends Agent>(agent: A, dial: Dial, secure: boolean): A {
  const createConnection = (
    { host, port }: { host?: string | null; port?: number | string | null },
    done: (error: Error | null, socket?: Duplex) => void,
  ): undefined => {
    const hostname = host ?? ''
    dial({ hostname, port: Number(port), secure, host: `${hostname}:${port}` }).then(
      socket => done(null, socket),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
  }
  return Object.assign(agent, { createConnection })
}

/** Resolves with the status as soon as enough is read, whatever the receiver still has to say. */
async function readAnswer(response: IncomingMessage): Promise<Answered> {
  const parts: Buffer[] = []
  let read = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      read += part.length
      if (read > READ) break
    }
  } catch (error) {
    // The status has come, and that is what counts.
    parts.push(Buffer.from(` [cut: ${messageOf(error)}]`))
  }
  const status = response.statusCode ?? 0
  return {
    status,
    error: null,
    retryAfter: response.headers['retry-after'],
    // PostgreSQL takes no NUL; a character cut in half becomes U+FFFD.
    answer: Buffer.concat(parts).subarray(0, KEPT).toString('utf8').replaceAll('\0', '\uFFFD'),
  }
}

const failed = (error: unknown): Answered => ({
  status: null,
  error: messageOf(error),
  refused: error instanceof Refused,
  answer: null,
})

const isStale = (error: unknown): boolean => error instanceof Error && 'stale' in error && error.stale === true

/** An AggregateError of several tried addresses has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return (error instanceof Error ? error.message || error.name : String(error)).replaceAll('\0', '').slice(0, 500)
}
