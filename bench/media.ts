/** A 1 GiB upload to local storage in constant memory, and a large archive that is checked without unpacking it. */

import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { GIB, KIB, MIB } from '../kernel/base/index.ts'
import { zip } from '../test/modules/media/files.ts'
import type { BenchEnvironment } from './fixtures.ts'
import { child, median, type Row, residentMiB } from './measure.ts'

const RECIPE = fileURLToPath(new URL('./media.yaml', import.meta.url))
const ROUNDS = 5
const SAMPLE_INTERVAL_MS = 20
const PASSWORD = 'correct horse battery staple'

interface UploadClient {
  readonly url: string
  readonly pid: number
  readonly headers: Readonly<Record<string, string>>
}

export async function media(environment: BenchEnvironment): Promise<Row[]> {
  const larder = await child<{ url: string }>(
    './larder-server.js',
    ['web', `${environment.folder}/media.log`, RECIPE],
    environment.env,
  )
  try {
    const { url } = larder.ready
    const client = { url, pid: larder.process.pid as number, headers: await signUp(url) }
    // Loads everything that the first request loads.
    await archive(client, 1)
    return [await gigabyte(client), await hundredMegabytes(client)]
  } finally {
    await larder.stop()
  }
}

async function gigabyte(client: UploadClient): Promise<Row> {
  await put(client, await createIntent(client, 'application/pdf', 64 * MIB), 64 * MIB)
  const before = await residentMiB(client.pid)
  let highest = before
  const watch = setInterval(async () => {
    highest = Math.max(highest, await residentMiB(client.pid))
  }, SAMPLE_INTERVAL_MS)
  const started = performance.now()
  try {
    await put(client, await createIntent(client, 'application/pdf', GIB), GIB)
  } finally {
    clearInterval(watch)
  }
  const seconds = (performance.now() - started) / 1000
  return {
    what: 'upload of a 1 GiB file to local storage: growth of process memory',
    measured: `**${(highest - before).toFixed(0)} MiB** (${seconds.toFixed(1)} s, flushed to disk)`,
    against: '–',
    aim: '< 64 MiB',
  }
}

async function hundredMegabytes(client: UploadClient): Promise<Row> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await archive(client, 5000))
  return {
    what: '100 MiB ZIP with 5,000 entries, checked until ready',
    measured: `**${median(times).toFixed(0)} ms** (slowest ${Math.max(...times).toFixed(0)} ms)`,
    against: '–',
    aim: '< 1 s',
  }
}

/** Milliseconds of POST /media/process. */
async function archive(client: UploadClient, entries: number): Promise<number> {
  const content = randomBytes(20 * KIB)
  const bytes = zip(Array.from({ length: entries }, (_, n) => ({ name: `folder/${n}.bin`, content, stored: true })))
  const upload = await createIntent(client, 'application/zip', bytes.length)
  await put(client, upload, bytes.length, Readable.from([bytes]))
  const started = performance.now()
  const item = await call<{ status: string }>(client, '/v1/media/process', { mediaId: upload.mediaId })
  if (item.status !== 'ready') throw new Error(`the archive is ${item.status}`)
  return performance.now() - started
}

interface Upload {
  readonly mediaId: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}
const createIntent = (client: UploadClient, mimeType: string, size: number) =>
  call<Upload>(client, '/v1/media/upload-intent', { fileName: `a.${mimeType.slice(12)}`, mimeType, size })

async function put(client: UploadClient, upload: Upload, size: number, body: Readable = zeros(size)): Promise<void> {
  const { pathname, search } = new URL(upload.url)
  const sending = request(new URL(pathname + search, client.url), {
    method: 'PUT',
    headers: { ...upload.headers, 'content-length': size },
  })
  const answered = new Promise<number>((resolve, reject) => {
    sending.on('response', response => resolve(response.resume().statusCode ?? 0)).on('error', reject)
  })
  await pipeline(body, sending)
  const status = await answered
  if (status !== 200) throw new Error(`the PUT returned ${status}`)
}

function zeros(size: number): Readable {
  const chunk = Buffer.alloc(MIB)
  let sent = 0
  return new Readable({
    read() {
      sent += MIB
      this.push(sent > size ? null : chunk)
    },
  })
}

async function call<T>({ url, headers }: UploadClient, path: string, body: object): Promise<T> {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

async function signUp(url: string): Promise<Record<string, string>> {
  // The bench works longer between two calls than a connection is kept alive.
  const json = { 'content-type': 'application/json', connection: 'close' }
  const account = JSON.stringify({ email: `media-${Date.now()}@example.test`, password: PASSWORD })
  const registered = await fetch(`${url}/v1/auth/register`, { method: 'POST', headers: json, body: account })
  const { token } = (await registered.json()) as { token: string }
  return { ...json, authorization: `Bearer ${token}` }
}
