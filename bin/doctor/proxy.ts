/** What proxies in front of the product do to a request, seen by the process that receives it. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { isRecord, type Secrets } from '../../kernel/base/index.ts'
import { SEEN_REQUEST_PATH, type SeenRequest, seenRequestHeaders } from '../../services/http/monitoring/seen-request.ts'
import { ANSWER_MS, type Finding, reason } from './finding.ts'

/** An address of documentations (RFC 5737), and a name that nobody has (RFC 6761). */
const STRANGER = { address: '192.0.2.77', host: 'stranger.invalid' } as const

export interface Answer {
  readonly status: number
  /** Milliseconds by which the clock of the server is ahead, to about a second; undefined without the header `Date`. */
  readonly offsetMs: number | undefined
  readonly seen: SeenRequest | undefined
}

const strangerOf = (url: URL) => ({
  'x-forwarded-for': STRANGER.address,
  'x-forwarded-host': STRANGER.host,
  'x-forwarded-proto': url.protocol === 'https:' ? 'http' : 'https',
})
type Forged = ReturnType<typeof strangerOf>

/** Sends a request through the proxies as a stranger would who forges what they add. @throws without an answer in time */
export async function askProduct(url: URL, secrets: Pick<Secrets, 'sign'>, limitMs = ANSWER_MS): Promise<Answer> {
  const asked = Date.now()
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(new URL(SEEN_REQUEST_PATH, url), {
    // The certificate is a check of its own.
    rejectUnauthorized: false,
    signal: AbortSignal.timeout(limitMs),
    agent: false,
    headers: {
      ...seenRequestHeaders(secrets, asked),
      ...strangerOf(url),
      traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`,
    },
  })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const date = Date.parse(response.headers.date ?? '')
  const middle = (asked + Date.now()) / 2
  return {
    status: response.statusCode ?? 0,
    // The header has whole seconds, rounded down.
    offsetMs: Number.isNaN(date) ? undefined : date + 500 - middle,
    seen: seenOf(await text(response)),
  }
}

function seenOf(body: string): SeenRequest | undefined {
  try {
    const parsed: unknown = JSON.parse(body)
    // `SEEN_REQUEST_PATH` of a process of this or a later version.
    return isRecord(parsed) && isRecord(parsed.headers) ? (parsed as unknown as SeenRequest) : undefined
  } catch {
    return undefined
  }
}

export function judgeAnswer(url: URL, { status, seen }: Answer): Finding[] {
  if (seen) return judgeSeen(url, seen)
  if (status === 401)
    return [
      {
        state: 'fail',
        what: `the process at ${url.origin} has another LARDER_SECRET, or a clock that differs by minutes`,
        fix: 'Run the doctor with the settings of the processes.',
      },
    ]
  return [
    {
      state: status >= 500 ? 'fail' : 'warn',
      what: `${url.origin}${SEEN_REQUEST_PATH} is answered with ${status}, so what proxies add was not examined`,
      fix: 'Check that PUBLIC_URL leads to this product in this version of Larder, and that its web processes run.',
    },
  ]
}

export function judgeSeen(url: URL, seen: SeenRequest): Finding[] {
  const problems = [...addresses(seen), ...names(url, seen, strangerOf(url)), ...traces(seen)]
  if (problems.length > 0) return problems
  const { address, headers } = seen
  const told = [`address ${address}`, `host ${headers.host}`, `protocol ${headers['x-forwarded-proto'] ?? 'not told'}`]
  return [{ state: 'ok', what: `the product sees of a visitor: ${told.join(', ')}` }]
}

function addresses({ trustProxy, headers, peer }: SeenRequest): Finding[] {
  const chain = (headers['x-forwarded-for'] ?? '').split(',').flatMap(part => part.trim() || [])
  const isForged = chain[0] === STRANGER.address
  const proxies = isForged ? chain.length - 1 : chain.length
  if (trustProxy > proxies)
    return [
      {
        state: 'fail',
        what: isForged
          ? `visitors choose the address that the product sees: TRUST_PROXY is ${trustProxy}, and ${count(proxies)} X-Forwarded-For`
          : `TRUST_PROXY is ${trustProxy}, and ${count(proxies)} X-Forwarded-For`,
        fix:
          proxies > 0
            ? `Set TRUST_PROXY=${proxies} for web processes.`
            : 'Let the proxy append the address of the visitor, as in deploy/nginx/larder.conf, or set TRUST_PROXY=0.',
      },
    ]
  if (trustProxy < proxies)
    return [
      {
        state: 'fail',
        what: `the product takes ${chain.at(-1 - trustProxy) === undefined ? peer : 'the address of a proxy'} for that of all visitors: TRUST_PROXY is ${trustProxy}, and ${count(proxies)} X-Forwarded-For`,
        fix: `Set TRUST_PROXY=${proxies} for web processes: limits by address otherwise count all visitors as one.`,
      },
    ]
  return []
}

const count = (proxies: number): string =>
  proxies === 0 ? 'no proxy appends to' : `${proxies} ${proxies === 1 ? 'proxy appends' : 'proxies append'} to`

function names(url: URL, { headers }: SeenRequest, forged: Forged): Finding[] {
  const problems: Finding[] = []
  if (headers.host !== url.host)
    problems.push({
      state: 'warn',
      what: `the proxy sends the host ${headers.host}, and visitors ask for ${url.host}`,
      fix: 'Let it pass the header Host: `proxy_set_header Host $host;` in nginx.',
    })
  for (const [name, wanted] of [
    ['x-forwarded-proto', url.protocol.slice(0, -1)],
    ['x-forwarded-host', url.host],
  ] as const)
    if (headers[name] !== undefined && headers[name] !== wanted)
      problems.push({
        state: 'warn',
        what:
          headers[name] === forged[name]
            ? `the proxy passes the header ${name} of a stranger`
            : `the proxy sends ${name}: ${headers[name]}, and visitors ask for ${url.origin}`,
        fix: `Let it set the header, as in deploy/nginx/larder.conf. Larder reads PUBLIC_URL instead; modules of your own may read the header.`,
      })
  return problems
}

const traces = ({ trustTraceparent, headers }: SeenRequest): Finding[] =>
  trustTraceparent && headers.traceparent !== undefined
    ? [
        {
          state: 'warn',
          what: 'a stranger decides which traces are recorded: the proxy passes traceparent, and TRUST_TRACEPARENT is on',
          fix: 'Remove TRUST_TRACEPARENT, or let the proxy remove the header.',
        },
      ]
    : []

export const unanswered = (url: URL, error: unknown): Finding => ({
  state: 'fail',
  what: `${url.origin} doesn't answer: ${reason(error)}`,
  fix: 'Check the proxy, and that web processes run. From within its own network, an address may be unreachable that others reach.',
})
