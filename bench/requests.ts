/** Pages, sessions and forms over HTTP, compared with the same work in one statement over `node:http`. */
import type { BenchEnvironment } from './fixtures.ts'
import { register } from './fixtures.ts'
import {
  child,
  mapConcurrently,
  measureInTurns,
  perSecond,
  type Rate,
  type Row,
  residentMiB,
  send,
  type Target,
  WRITE_CONCURRENCY,
} from './measure.ts'

const PAGE_COUNT = 1000
const PAGES = '/v1/content/pages'
const BODY = 'A paragraph of a page, with *emphasis* and a [link](/pricing). '.repeat(4)
const SESSION = { mode: 'screenshare', purpose: 'support', metadata: { ticket: '4711' } }
const FORM = {
  name: 'Contact',
  access: 'public',
  schema: {
    type: 'object',
    required: ['email', 'message'],
    additionalProperties: false,
    properties: {
      email: { type: 'string', format: 'email' },
      topic: { enum: ['sales', 'support'] },
      message: { type: 'string', maxLength: 1000 },
    },
  },
}
const JSON_TYPE = { 'content-type': 'application/json' }

/** A server with 1,000 pages, a session and a form. */
interface Side {
  readonly name: string
  readonly pid: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly page: string
  readonly session: { readonly id: string; readonly join_token: string }
  readonly form: string
}

let created = 0
const nextPage = () => ({ slug: `page-${process.pid}-${created++}`, title: 'A title', body: BODY })
/** Each differs, because an equal entry would count as spam. */
const nextEntry = () => ({
  data: { email: 'ada@example.test', topic: 'sales', message: `Please call me back. ${created++}${'x'.repeat(200)}` },
})

interface Measurement {
  readonly what: string
  readonly target: string
  readonly request: (side: Side) => Partial<Target>
}
const post = (path: string, nextBody: () => object): Partial<Target> => ({
  url: path,
  method: 'POST',
  nextBody: () => JSON.stringify(nextBody()),
})
const MEASUREMENTS: readonly Measurement[] = [
  { what: 'get a page', target: '≥ 0.6', request: ({ page }) => ({ url: `${PAGES}/${page}` }) },
  { what: 'list 20 pages', target: '≥ 0.6', request: () => ({ url: `${PAGES}?limit=20` }) },
  {
    what: 'create a page: rendered; page, version and event',
    target: '≥ 0.5',
    request: () => post(PAGES, nextPage),
  },
  { what: 'get a session', target: '≥ 0.6', request: ({ session }) => ({ url: `/v1/sessions/${session.id}` }) },
  { what: 'create a session, with event', target: '≥ 0.5', request: () => post('/v1/sessions', () => SESSION) },
  {
    what: 'join with a token, without a login',
    target: '≥ 0.6',
    request: ({ session }) => ({
      ...post('/v1/join', () => ({ join_token: session.join_token })),
      headers: JSON_TYPE,
    }),
  },
  {
    what: 'submit a form, as a member',
    target: '≥ 0.5',
    request: ({ form }) => post(`/v1/forms/${form}/submit`, nextEntry),
  },
]

export async function requests(environment: BenchEnvironment): Promise<Row[]> {
  const raw = await child<{ url: string }>('./raw-server.js', [environment.rawUrl])
  const servers = await Promise.all(
    environment.checkouts.map(checkout => environment.start(checkout, 'web', 'recipe.yaml')),
  )
  try {
    const idle = await Promise.all(servers.map(({ pid }) => residentMiB(pid)))
    const token = { authorization: `Bearer ${environment.rawToken}` }
    const sides = [await fill('node:http + pg', raw.pid, raw.ready.url, token)]
    for (const [i, { pid, ready }] of servers.entries())
      sides.push(await fill(environment.checkouts[i]?.name ?? '', pid, ready.url, await register(ready.url)))
    const rows: Row[] = []
    for (const { what, target, request } of MEASUREMENTS) {
      const targets = sides.map(side => {
        const { url = '', ...rest } = request(side)
        const headers = { ...side.headers, ...(rest.method === 'POST' && JSON_TYPE) }
        return { name: side.name, pid: side.pid, url: side.url + url, headers, ...rest }
      })
      rows.push(rowOf(what, target, await measureInTurns(targets)))
    }
    const memory = await Promise.all(servers.map(({ pid }) => residentMiB(pid)))
    const [here, ...other] = idle.map(
      (before, i) => `${before.toFixed(0)} MiB idle, ${memory[i]?.toFixed(0)} after load`,
    )
    return [
      ...rows,
      { what: 'memory of the web process', measured: here ?? '', against: other.join('; ') || '–', target: '–' },
    ]
  } finally {
    await Promise.all([raw, ...servers].map(server => server.stop()))
  }
}

async function fill(name: string, pid: number, url: string, headers: Side['headers']): Promise<Side> {
  const create = <T>(path: string, body: object) => send<T>('POST', url + path, body, headers)
  const pages = await mapConcurrently(PAGE_COUNT, () => create<{ id: string }>(PAGES, nextPage()), WRITE_CONCURRENCY)
  const session = await create<Side['session']>('/v1/sessions', SESSION)
  const { id: form } = await create<{ id: string }>('/v1/forms', FORM)
  return { name, pid, url, headers, page: pages[PAGE_COUNT / 2]?.id ?? '', session, form }
}

function rowOf(what: string, target: string, [raw, larder, other]: readonly Rate[]): Row {
  if (!raw || !larder) throw new Error('expected two sides')
  const one = (rate: Rate) => `${perSecond(rate.median)}, p99 ${rate.p99} ms, CPU ${rate.cpuMs.toFixed(3)} ms`
  const ratio = (rate: Rate) => (rate.median / raw.median).toFixed(2)
  const against = [raw, other]
    .filter(rate => rate !== undefined)
    .map(rate => `${rate.name} ${one(rate)} (${ratio(rate)})`)
  return { what, measured: `**${ratio(larder)}** (${one(larder)})`, against: against.join('; '), target }
}
