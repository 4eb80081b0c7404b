import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import test from 'ava'
import { TYPES } from '../../../../../modules/media/domain/file-types.ts'
import type { MediaOptions } from '../../../../../modules/media/options.ts'
import { createImageCheck } from '../../../../../modules/media/services/checks/image.ts'
import { createScratch } from '../../../../../modules/media/services/storage/scratch.ts'

const MIB = 1024 * 1024
const SIDE = 4900
const options = {
  images: { maxPixels: 100_000_000, variants: { preview: { width: 1600, height: 1600 } } },
} as unknown as MediaOptions

let folder: string
let progressive: string
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-images-'))
  progressive = join(folder, 'progressive.jpg')
  // In a process of its own, so that encoding doesn't count as memory of the check.
  const script = `require('sharp')({ create: { width: ${SIDE}, height: ${SIDE}, channels: 3, background: 'teal' } })
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toFile(process.argv[1])`
  await promisify(execFile)(process.execPath, ['-e', script, progressive])
})
test.after.always(() => rm(folder, { recursive: true, force: true }))

async function check(path: string, limits?: { maxMemoryBytes: number }) {
  const { size } = await stat(path)
  const announced = { mimeType: 'image/jpeg', size, sha256: null }
  const type = TYPES['image/jpeg'] ?? { kind: 'image' as const, extensions: [] }
  const inspect = createImageCheck(options, createScratch(join(folder, 'scratch')), limits)
  return inspect({ path, size, announced, type }, new AbortController().signal)
}

test.serial('six progressive images at once cost the server less than 256 MiB', async t => {
  const before = process.memoryUsage.rss()
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 5)
  const results = await Promise.all(Array.from({ length: 6 }, () => check(progressive)))
  clearInterval(timer)
  for (const result of results) t.like(result, { width: SIDE, height: SIDE, variants: [{ width: 1600 }] })
  t.true(peak - before < 256 * MIB, `${Math.round((peak - before) / MIB)} MiB`)
})

if (process.platform === 'linux')
  test.serial('decodes with a low priority in all threads', async t => {
    const seen: number[][] = []
    let isDone = false
    const decoding = check(progressive).finally(() => {
      isDone = true
    })
    while (!isDone) {
      for (const child of await childrenOfThisProcess()) seen.push(await priorities(child))
      await sleep(5)
    }
    await decoding
    const last = seen.filter(values => values.length > 0).at(-1)
    t.deepEqual([...new Set(last)], [10])
  })

async function childrenOfThisProcess(): Promise<string[]> {
  const threads = await readdir('/proc/self/task')
  const lists = await Promise.all(threads.map(thread => readFile(`/proc/self/task/${thread}/children`, 'latin1')))
  return lists.join(' ').split(' ').filter(Boolean)
}

/** Nice values of the threads of a process; none if it has ended. */
async function priorities(pid: string): Promise<number[]> {
  try {
    const threads = await readdir(`/proc/${pid}/task`)
    const fields = await Promise.all(threads.map(thread => readFile(`/proc/${pid}/task/${thread}/stat`, 'latin1')))
    return fields.map(text => Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]))
  } catch {
    return []
  }
}

test.serial('allows fewer pixels in progressive images', async t => {
  const bytes = await readFile(progressive)
  const frame = bytes.indexOf(Buffer.from('ffc2', 'hex'))
  bytes.writeUInt16BE(9000, frame + 5)
  bytes.writeUInt16BE(9000, frame + 7)
  const path = join(folder, 'large.jpg')
  await writeFile(path, bytes)
  t.like(await check(path), { code: 'image_too_large' })
})

test.serial('rejects an image that needs too much memory', async t => {
  t.like(await check(progressive, { maxMemoryBytes: 120 * MIB }), { code: 'image_too_large' })
})
