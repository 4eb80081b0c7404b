/** A kernel with the double of MediaMTX as media edge, configured with the file that Larder ships. */
import { readFileSync } from 'node:fs'
import { packageRoot } from '../../../../kernel/base/package-root.ts'
import type { Person, TestKernel, TestKernelOptions } from '../../../../testing/index.ts'
import { create, EDGE_SECRET, expectStatus, manualClock, startStreams } from '../fixtures.ts'
import { type MediaMtxDouble, startMediaMtxDouble } from './mediamtx-double.ts'

export const SHIPPED = readFileSync(new URL('deploy/mediamtx.yml', packageRoot), 'utf8')
/** The shipped file says how to enable these. */
export const WITH_ENCODERS = SHIPPED.replace(/^(rtmp|rtsp|srt): no$/gm, '$1: yes')
export const WITH_ALL_PROTOCOLS = WITH_ENCODERS.replace('moq: no', 'moq: yes')

export interface EdgeContext {
  readonly kernel: TestKernel
  readonly ada: Person
  readonly edge: MediaMtxDouble
  readonly clock: ReturnType<typeof manualClock>
}

export async function startWithEdge(
  streams: object = {},
  options: Partial<TestKernelOptions> = {},
): Promise<EdgeContext> {
  const edge = await startMediaMtxDouble()
  const clock = manualClock()
  const urls = { apiUrl: edge.api, webrtcUrl: edge.media, hlsUrl: edge.media }
  const kernel = await startStreams(
    { edge: { secret: `newer,${EDGE_SECRET}`, ...urls }, ...streams },
    { clock, ...options },
  )
  edge.configure(WITH_ALL_PROTOCOLS, environmentOf(kernel.url))
  return { kernel, clock, edge, ada: await kernel.register('ada@example.test') }
}

/** What `mediamtx.yml` reads from the environment. */
export const environmentOf = (larder: string, secret = EDGE_SECRET) => ({
  EDGE_SECRET: secret,
  LARDER_URL: larder,
  MTX_AUTHHTTPADDRESS: `${larder.replace('://', `://larder:${encodeURIComponent(secret)}@`)}/v1/media/edge/auth`,
})

export async function stopWithEdge({ kernel, edge }: Partial<EdgeContext>): Promise<void> {
  await kernel?.stop()
  await edge?.stop()
}

export const addToken = async (ada: Person, id: string, body: object) =>
  expectStatus(201, await ada.post(`/v1/streams/${id}/tokens`, body))

export const usesOf = async (ada: Person, id: string): Promise<number[]> =>
  expectStatus(200, await ada.get(`/v1/streams/${id}/tokens`)).data.map(({ uses }) => uses)

export async function liveStream({ ada, edge }: EdgeContext, body: object = {}) {
  const stream = await create(ada, { ...body })
  const path = stream.media_path
  const publisher = await admitted(edge.publish(path, { query: `join_token=${stream.join_token}` }))
  await edge.hooks()
  return { ...stream, path, publisher }
}

export async function admitted(result: ReturnType<MediaMtxDouble['play']>): Promise<string> {
  const found = await result
  if (typeof found === 'string') throw new Error(`the edge answered ${found}`)
  return found.id
}

export const statusOf = async (ada: Person, id: string) =>
  expectStatus(200, await ada.get(`/v1/streams/${id}`)).live_status

/** Runs the regular comparison with the edge now. */
export async function compare(kernel: TestKernel): Promise<void> {
  await kernel.kernel.ports.jobs.enqueue('streams.compare_edge', {})
  await kernel.settled()
}

/** A request of the edge to a hook of Larder. */
export const hook = (kernel: TestKernel, name: string, body: object, secret = EDGE_SECRET) =>
  kernel.post(`/v1/media/edge/${name}?secret=${encodeURIComponent(secret)}`, body)
/** Asks for admission. Returns the status. */
export const ask = async (kernel: TestKernel, body: object): Promise<number> =>
  (
    await hook(kernel, 'auth', {
      user: '',
      password: '',
      ip: '10.0.0.1',
      protocol: 'webrtc',
      id: null,
      query: '',
      ...body,
    })
  ).status
