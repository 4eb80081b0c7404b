/** A kernel with media, a test clock, users and uploads. */

import { createHash } from 'node:crypto'
import { type Client, startTestKernel, type TestKernel, type TestResponse } from '../../../testing/index.ts'
import type { MediaItem as Item, UploadUrl as Upload } from '../../fixtures/api-types.ts'
import { createTestClock, type TestClock } from '../../fixtures/clock.ts'
import { codeOf, type People, type ProblemBody, peopleOf } from '../../fixtures/people.ts'

export type { Item, Upload }

/** A file to upload. */
export interface TestFile {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

export interface MediaFixture extends People {
  readonly kernel: TestKernel
  readonly clock: TestClock
  /** Replaces the public URL of the product with the URL of the test server. */
  here(url: string): string
  /** Creates an intent and PUTs the bytes. Returns the intent. */
  upload(client: Client, file: TestFile): Promise<Upload>
  /** Creates an intent, PUTs the bytes and processes the file. */
  send(client: Client, file: TestFile): Promise<TestResponse<Item>>
  /** Only the PUT. */
  put(upload: Upload, bytes: Buffer, headers?: Record<string, string>): Promise<TestResponse<ProblemBody>>
  download(client: Client, id: string, variant?: string): Promise<{ status: number; headers: Headers; bytes: Buffer }>
  stop(): Promise<void>
}

export const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

export async function startFixture(
  media: object = {},
  recipe: object = {},
  env: Record<string, string> = {},
  folder?: string,
): Promise<MediaFixture> {
  const clock = createTestClock()
  const { modules, ...rest } = recipe as { modules?: object }
  const kernel = await startTestKernel({
    clock,
    env,
    ...(folder && { folder }),
    recipe: {
      roles: { 'tenant.reader': { name: 'Reader', permissions: ['media.item.read'] } },
      ...rest,
      // Decoding an image starts a process, which may take long on a busy machine.
      modules: { identity: {}, media: { wait: '1m', ...media }, ...modules },
    },
  })
  const people = peopleOf(kernel)
  const here = (url: string) => url.replace('http://localhost:8080', kernel.url)
  const put: MediaFixture['put'] = async (upload, bytes, headers = {}) => {
    const response = await fetch(here(upload.url), {
      method: upload.method,
      headers: { ...upload.headers, ...headers },
      body: new Uint8Array(bytes),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? ({} as never) : parsed(text) }
  }
  const upload: MediaFixture['upload'] = async (client, { name, type, bytes }) => {
    const intent = await client.post('/v1/media/upload-intent', {
      fileName: name,
      mimeType: type,
      size: bytes.length,
    })
    if (intent.status !== 201) throw new Error(`the intent was answered ${codeOf(intent)}`)
    const { status, body } = await put(intent.body, bytes)
    if (status !== 200) throw new Error(`the PUT was answered ${status}: ${JSON.stringify(body)}`)
    return intent.body
  }
  return {
    kernel,
    clock,
    ...people,
    here,
    put,
    upload,
    async send(client, file) {
      const { mediaId } = await upload(client, file)
      return client.post('/v1/media/process', { mediaId })
    },
    async download(client, id, variant) {
      const query = variant === undefined ? '' : `?variant=${variant}`
      const { body } = await client.get<{ url: string }>(`/v1/media/${id}/download-url${query}`)
      const response = await fetch(here(body.url))
      const bytes = Buffer.from(await response.arrayBuffer())
      return { status: response.status, headers: response.headers, bytes }
    },
    stop: () => kernel.stop(),
  }
}

function parsed(text: string): ProblemBody {
  try {
    return JSON.parse(text)
  } catch {
    return { code: 'none', detail: text }
  }
}
