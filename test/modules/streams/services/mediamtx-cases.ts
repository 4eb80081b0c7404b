/** What Larder relies on in MediaMTX. Each case runs against the double in `npm test`, and against a binary of it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'
import { waitFor } from '../../../fixtures/wait.ts'

/** A running MediaMTX, or its double. */
export interface Server {
  readonly api: string
  readonly webrtc: string
  readonly hls: string
  /** Publishes with the token where the media record has it. The result ends it. */
  publish(path: string, token: string, protocol?: 'rtmp' | 'rtsp' | 'srt'): () => void
  /** Plays by RTSP, with the token in `token`, or by MoQ, with the token in `join_token`. */
  play(path: string, token: string, protocol?: 'rtsp' | 'moq'): () => void
  stop(): Promise<void>
}
/** @param yaml changes to the shipped `mediamtx.yml` */
export type Start = (larder: string, yaml: (text: string) => string) => Promise<Server>

type Question = Readonly<Record<string, string | null>>
interface Hook {
  readonly event: string
  readonly path: string
  readonly source_id: string
}
const PATH = 'live/ses_01hzy0j8x4e7r9k2m5p8q1s3t6'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NO_ID = '00000000-0000-4000-8000-000000000000'

/** Answers like Larder: the token `good` may do everything. */
async function startLarder(port = 0) {
  const questions: Question[] = []
  const hooks: Hook[] = []
  const authorizations = new Set<string | undefined>()
  let status = 401
  let stopsAfterAnswer = false
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', part => (text += part))
    request.on('end', () => {
      authorizations.add(request.headers.authorization)
      const body = JSON.parse(text)
      if (request.url === '/v1/media/edge/events') hooks.push(body)
      else questions.push(body)
      const isAllowed =
        request.url === '/v1/media/edge/events' || `${body.token}${body.query}${body.password}`.includes('good')
      response.writeHead(isAllowed ? 204 : status).end(() => stopsAfterAnswer && void stop())
    })
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>(resolve => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return {
    questions,
    hooks,
    authorizations,
    stop,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuseWith(code: number): void {
      status = code
    },
    stopAfterAnswer(): void {
      stopsAfterAnswer = true
    },
  }
}

interface Context {
  readonly larder: Awaited<ReturnType<typeof startLarder>>
  readonly server: Server
  get(path: string): Promise<{ status: number; server: string | null; body: unknown }>
  kick(list: string, id: string): Promise<number>
  connections(): Promise<{ source: { id: string } | null; readers: { id: string; type: string }[] } | undefined>
}

async function withServer(
  t: ExecutionContext,
  start: Start,
  yaml: (text: string) => string = text => text,
): Promise<Context> {
  const larder = await startLarder()
  t.teardown(() => larder.stop())
  const server = await start(larder.url, yaml)
  t.teardown(() => server.stop())
  const call = async (method: string, path: string) => {
    const response = await fetch(server.api + path, { method })
    const body: unknown = await response.json().catch(() => undefined)
    return { status: response.status, server: response.headers.get('server'), body }
  }
  return {
    larder,
    server,
    get: path => call('GET', path),
    kick: async (list, id) => (await call('POST', `/v3/${list}/kick/${id}`)).status,
    async connections() {
      const { status, body } = await call('GET', `/v3/paths/get/${PATH}`)
      return status === 200 ? (body as Awaited<ReturnType<Context['connections']>>) : undefined
    },
  }
}

async function publish(
  { server, connections }: Context,
  protocol: 'rtmp' | 'rtsp' | 'srt' = 'rtmp',
): Promise<{ id: string; end: () => void }> {
  const before = (await connections())?.source?.id
  const end = server.publish(PATH, 'good', protocol)
  const found = await waitFor(connections, path => path?.source?.id !== undefined && path.source.id !== before)
  return { id: found?.source?.id ?? '', end }
}

/** Starts again at the same address. */
async function restart(t: ExecutionContext, { larder }: Context) {
  const again = await startLarder(Number(new URL(larder.url).port))
  t.teardown(() => again.stop())
  return again
}

export const cases: Readonly<Record<string, (t: ExecutionContext, start: Start) => Promise<void>>> = {
  async 'asks with these fields, and with the id that the API lists'(t, start) {
    const context = await withServer(t, start)
    const { id } = await publish(context)
    const [question] = context.larder.questions
    t.deepEqual(
      { ...question, userAgent: '' },
      {
        ip: '127.0.0.1',
        user: '',
        password: '',
        token: '',
        userAgent: '',
        action: 'publish',
        path: PATH,
        protocol: 'rtmp',
        id,
        query: 'join_token=good',
      },
    )
    t.regex(id, UUID)
    t.deepEqual([...context.larder.authorizations], [`Basic ${Buffer.from('larder:secret').toString('base64')}`])
  },
  async 'asks once for a publisher of RTSP, with the token of the address'(t, start) {
    const context = await withServer(t, start)
    const { id } = await publish(context, 'rtsp')
    const [question, ...others] = context.larder.questions
    t.like(question, { action: 'publish', path: PATH, protocol: 'rtsp', id, token: 'good', query: 'token=good' })
    t.deepEqual(others, [])
    t.like((await context.connections())?.source, { type: 'rtspSession' })
    t.is(await context.kick('rtspsessions', id), 200)
    await waitFor(context.connections, path => !path?.source)
  },
  async 'asks once for a publisher of SRT, with the token as password'(t, start) {
    const context = await withServer(t, start)
    const { id } = await publish(context, 'srt')
    const [question, ...others] = context.larder.questions
    t.like(question, { action: 'publish', path: PATH, protocol: 'srt', id, user: 'x', password: 'good', query: '' })
    t.deepEqual(others, [])
    t.like((await context.connections())?.source, { type: 'srtConn' })
    t.is(await context.kick('srtconns', id), 200)
    await waitFor(context.connections, path => !path?.source)
  },
  async 'lists players of MoQ by the id that it asked with, and closes them'(t, start) {
    const context = await withServer(t, start, text => text.replace('moq: no', 'moq: yes'))
    await publish(context)
    t.like(await context.get('/v3/moqsessions/list'), { status: 200, body: { items: [] } })
    context.server.play(PATH, 'good', 'moq')
    const path = await waitFor(context.connections, found => (found?.readers.length ?? 0) > 0)
    const { type, id = '' } = path?.readers[0] ?? {}
    t.is(type, 'moqSession')
    const asked = context.larder.questions.filter(question => question.id === id)
    t.true(asked.length > 0)
    for (const question of asked) t.like(question, { action: 'read', path: PATH, protocol: 'moq' })
    const { body } = await context.get('/v3/moqsessions/list')
    t.deepEqual(
      (body as { items: { id: string; path: string }[] }).items.map(item => [item.id, item.path]),
      [[id, PATH]],
    )
    t.is(await context.kick('moqsessions', NO_ID), 404)
    t.is(await context.kick('moqsessions', id), 200)
    await waitFor(context.connections, found => found?.readers.every(reader => reader.id !== id) === true)
  },
  async 'asks twice for a player of RTSP, first with an id that is in no list'(t, start) {
    const context = await withServer(t, start)
    await publish(context)
    context.server.play(PATH, 'good')
    const path = await waitFor(context.connections, found => (found?.readers.length ?? 0) > 0)
    const asked = context.larder.questions.filter(({ action }) => action === 'read')
    t.deepEqual(
      asked.map(({ protocol, token, query }) => [protocol, token, query]),
      Array(2).fill(['rtsp', 'good', 'token=good']),
    )
    t.not(asked[0]?.id, asked[1]?.id)
    t.like(path?.readers[0], { id: asked[1]?.id, type: 'rtspSession' })
  },
  async 'asks once for HLS, for the first playlist'(t, start) {
    const context = await withServer(t, start)
    await publish(context)
    const playlist = await fetch(`${context.server.hls}/${PATH}/index.m3u8?join_token=good`)
    t.is(playlist.status, 200)
    const next = (await playlist.text()).split('\n').find(line => /^[^#].*\.m3u8/.test(line)) ?? ''
    t.is((await fetch(new URL(next, playlist.url))).status, 200)
    const asked = context.larder.questions.filter(({ protocol }) => protocol === 'hls')
    t.is(asked.length, 1)
    const path = await context.connections()
    t.like(path?.readers[0], { id: asked[0]?.id, type: 'hlsSession' })
    t.is(await context.kick('hlssessions', asked[0]?.id ?? ''), 200)
  },
  async 'asks without an id for OPTIONS, and answers 404 where nothing is published'(t, start) {
    const { larder, server } = await withServer(t, start)
    const whep = `${server.webrtc}/${PATH}/whep`
    const headers = { authorization: 'Bearer good', 'content-type': 'application/sdp' }
    t.is((await fetch(whep, { method: 'OPTIONS', headers })).status, 204)
    t.is((await fetch(whep, { method: 'POST', headers, body: 'v=0' })).status, 404)
    const [options, post] = larder.questions
    t.like(options, { action: 'read', protocol: 'webrtc', token: 'good', id: null })
    t.regex(post?.id ?? '', UUID)
  },
  async 'answers preflight requests of browsers without asking'(t, start) {
    const { larder, server } = await withServer(t, start)
    const headers = { origin: 'http://example.test', 'access-control-request-method': 'POST' }
    const response = await fetch(`${server.webrtc}/${PATH}/whep`, { method: 'OPTIONS', headers })
    t.is(response.status, 204)
    t.regex(response.headers.get('access-control-allow-headers') ?? '', /Authorization/)
    t.deepEqual(larder.questions, [])
  },
  async 'refuses when Larder answers 401 or 500, or is away'(t, start) {
    const { larder, server } = await withServer(t, start)
    const ask = async () =>
      (await fetch(`${server.webrtc}/${PATH}/whep`, { method: 'OPTIONS', headers: { authorization: 'Bearer bad' } }))
        .status
    t.is(await ask(), 401)
    larder.refuseWith(500)
    t.is(await ask(), 401)
    await larder.stop()
    t.is(await ask(), 401)
  },
  async 'has an API that names itself, and knows no paths outside of the configured ones'(t, start) {
    const context = await withServer(t, start)
    const settings = await context.get('/v3/config/global/get')
    t.like(settings, { status: 200, server: 'mediamtx' })
    t.like(settings.body, { authMethod: 'http', webrtc: true, hls: true, hlsVariant: 'lowLatency', moq: false })
    const paths = await context.get('/v3/config/paths/list')
    const [path] = (paths.body as { items: Record<string, string>[] }).items
    for (const hook of [path?.runOnAvailable, path?.runOnUnavailable]) t.regex(hook ?? '', /\/v1\/media\/edge\/events$/)
    t.like(await context.get(`/v3/paths/get/${PATH}`), { status: 404, server: 'mediamtx' })
    t.like(await context.get('/v3/moqsessions/list'), { status: 404, server: 'mediamtx' })
    t.not((await fetch(`${context.server.webrtc}/other/x/whep`, { method: 'OPTIONS' })).status, 204)
  },
  async 'closes a connection by its id'(t, start) {
    const context = await withServer(t, start)
    const { id } = await publish(context)
    await waitFor(() => context.larder.hooks.length === 1)
    t.is(await context.kick('rtmpconns', NO_ID), 404)
    t.is(await context.kick('rtmpconns', 'x'), 400)
    t.is(await context.kick('webrtcsessions', id), 404)
    t.is(await context.kick('rtmpconns', id), 200)
    await waitFor(context.connections, path => !path?.source)
    await waitFor(() => context.larder.hooks.length === 2)
    t.deepEqual(
      context.larder.hooks.map(({ event, source_id }) => [event, source_id]),
      [
        ['ready', id],
        ['not_ready', id],
      ],
    )
  },
  async 'replaces a publisher, and names the publisher in each hook'(t, start) {
    const context = await withServer(t, start)
    const first = await publish(context)
    await waitFor(() => context.larder.hooks.length === 1)
    const second = await publish(context)
    await waitFor(() => context.larder.hooks.length >= 3)
    t.deepEqual(
      context.larder.hooks.map(({ event, path, source_id }) => `${event} ${path} ${source_id}`).sort(),
      [`not_ready ${PATH} ${first.id}`, `ready ${PATH} ${first.id}`, `ready ${PATH} ${second.id}`].sort(),
    )
  },
  async 'repeats the hook of a stream that started while Larder was away'(t, start) {
    const context = await withServer(t, start)
    context.larder.stopAfterAnswer()
    const { id } = await publish(context)
    t.deepEqual(context.larder.hooks, [])
    const again = await restart(t, context)
    await waitFor(() => again.hooks.length > 0)
    t.deepEqual(again.hooks, [{ event: 'ready', path: PATH, source_id: id }])
  },
  async 'stops repeating the hook of a start when the stream stops'(t, start) {
    const context = await withServer(t, start)
    context.larder.stopAfterAnswer()
    const { id } = await publish(context)
    t.is(await context.kick('rtmpconns', id), 200)
    await waitFor(context.connections, path => !path?.source)
    const again = await restart(t, context)
    await waitFor(() => again.hooks.length > 0)
    t.deepEqual(again.hooks, [{ event: 'not_ready', path: PATH, source_id: id }])
  },
  async 'repeats the hook of a stream that stopped while Larder was away'(t, start) {
    const context = await withServer(t, start)
    const { id } = await publish(context)
    await waitFor(() => context.larder.hooks.length === 1)
    await context.larder.stop()
    t.is(await context.kick('rtmpconns', id), 200)
    await waitFor(context.connections, path => !path?.source)
    const again = await restart(t, context)
    await waitFor(() => again.hooks.some(({ event, source_id }) => event === 'not_ready' && source_id === id))
  },
  async 'asks about calls of the API unless they are excluded'(t, start) {
    const context = await withServer(t, start, text => text.replace(/^authHTTPExclude:.*$/m, ''))
    t.is((await context.get('/v3/paths/list')).status, 401)
    t.like(context.larder.questions[0], { action: 'api', path: '', id: null })
  },
}
