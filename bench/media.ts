/** A gigabyte through the local storage in constant memory, and a large archive that is checked without unpacking it. */

import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { GIB, KIB, MIB } from '../kernel/base/index.ts'
import { zip } from '../test/modules/media/files.ts'
import type { Stage } from './fixtures.ts'
import { child, median, type Row, residentMiB } from './measure.ts'

const RECIPE = fileURLToPath(new URL('./media.yaml', import.meta.url))
const ROUNDS = 5
const SAMPLE_EVERY = 20
const PASSWORD = 'correct horse battery staple'

interface House {
  readonly url: string
  readonly pid: number
  readonly headers: Readonly<Record<string, string>>
}

export async function media(stage: Stage): Promise<Row[]> {
  const larder = await child<{ url: string }>(
    './larder-server.js',
    ['web', `${stage.folder}/media.log`, RECIPE],
    stage.env,
  )
  try {
    const { url } = larder.ready
    const house = { url, pid: larder.process.pid as number, headers: await signUp(url) }
    // Loads what every first request loads.
    await archive(house, 1)
    return [await gigabyte(house), await hundredMegabytes(house)]
  } finally {
    await larder.stop()
  }
}

async function gigabyte(house: House): Promise<Row> {
  await put(house, await intend(house, 'application/pdf', 64 * MIB), 64 * MIB)
  const before = await residentMiB(house.pid)
  let highest = before
  const watch = setInterval(async () => {
    highest = Math.max(highest, await residentMiB(house.pid))
  }, SAMPLE_EVERY)
  const started = performance.now()
  try {
    await put(house, await intend(house, 'application/pdf', GIB), GIB)
  } finally {
    clearInterval(watch)
  }
  const seconds = (performance.now() - started) / 1000
  return {
    what: 'a file of 1 GiB, uploaded to the local storage: memory of the process grows by',
    measured: `**${(highest - before).toFixed(0)} MiB** (${seconds.toFixed(1)} s, flushed to the disk)`,
    against: '–',
    aim: '< 64 MiB',
  }
}

async function hundredMegabytes(house: House): Promise<Row> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await archive(house, 5000))
  return {
    what: 'a ZIP of 100 MiB with 5,000 entries, checked and made ready',
    measured: `**${median(times).toFixed(0)} ms** (slowest ${Math.max(...times).toFixed(0)} ms)`,
    against: '–',
    aim: '< 1 s',
  }
}

/** Milliseconds of POST /media/process. */
async function archive(house: House, entries: number): Promise<number> {
  const content = randomBytes(20 * KIB)
  const bytes = zip(Array.from({ length: entries }, (_, n) => ({ name: `folder/${n}.bin`, content, stored: true })))
  const upload = await intend(house, 'application/zip', bytes.length)
  await put(house, upload, bytes.length, Readable.from([bytes]))
  const started = performance.now()
  const item = await call<{ status: string }>(house, '/v1/media/process', { mediaId: upload.mediaId })
  if (item.status !== 'ready') throw new Error(`the archive is ${item.status}`)
  return performance.now() - started
}

interface Upload {
  readonly mediaId: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}
const intend = (house: House, mimeType: string, size: number) =>
  call<Upload>(house, '/v1/media/upload-intent', { fileName: `a.${mimeType.slice(12)}`, mimeType, size })

async function put(house: House, upload: Upload, size: number, body: Readable = zeros(size)): Promise<void> {
  const { pathname, search } = new URL(upload.url)
  const sending = request(new URL(pathname + search, house.url), {
    method: 'PUT',
    headers: { ...upload.headers, 'content-length': size },
  })
  const answered = new Promise<number>((resolve, reject) => {
    sending.on('response', response => resolve(response.resume().statusCode ?? 0)).on('error', reject)
  })
  await pipeline(body, sending)
  const status = await answered
  if (status !== 200) throw new Error(`the PUT was answered ${status}`)
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

async function call<T>({ url, headers }: House, path: string, body: object): Promise<T> {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

async function signUp(url: string): Promise<Record<string, string>> {
  // Between two calls the bench works for longer than a connection is kept.
  const json = { 'content-type': 'application/json', connection: 'close' }
  const account = JSON.stringify({ email: `media-${Date.now()}@example.test`, password: PASSWORD })
  const registered = await fetch(`${url}/v1/auth/register`, { method: 'POST', headers: json, body: account })
  const { token } = (await registered.json()) as { token: string }
  return { ...json, authorization: `Bearer ${token}` }
}
