import { buffer } from 'node:stream/consumers'
import test from 'ava'
import fc from 'fast-check'
import tar from 'tar-stream'
import { createTarReader, type TarEntry } from '../../../../modules/media/domain/tar.ts'

async function packed(entries: { name: string; content?: string; type?: 'symlink' | 'link' | 'directory' }[]) {
  const pack = tar.pack()
  for (const { name, content = '', type } of entries)
    pack.entry({ name, ...(type && { type, linkname: 'a' }) }, type ? (undefined as never) : content)
  pack.finalize()
  return Buffer.from(await buffer(pack as never))
}

function read(bytes: Buffer, step = bytes.length): TarEntry[] {
  const entries: TarEntry[] = []
  const reader = createTarReader(entry => entries.push(entry))
  for (let at = 0; at < bytes.length; at += step) reader.feed(bytes.subarray(at, at + step))
  reader.end()
  return entries
}

test('reads names, sizes and links from chunks of any size', async t => {
  const long = `${'folder/'.repeat(30)}name.txt`
  const bytes = await packed([
    { name: 'a.txt', content: 'hello' },
    { name: 'b/', type: 'directory' },
    { name: 'ü.txt', content: 'x'.repeat(2000) },
    { name: long, content: '1' },
    { name: 'soft', type: 'symlink' },
    { name: 'hard', type: 'link' },
  ])
  const wanted = [
    { name: 'a.txt', size: 5, link: false },
    { name: 'b/', size: 0, link: false },
    { name: 'ü.txt', size: 2000, link: false },
    { name: long, size: 1, link: false },
    { name: 'soft', size: 0, link: true },
    { name: 'hard', size: 0, link: true },
  ]
  for (const step of [1, 7, 511, 512, 513, 100_000])
    t.deepEqual(
      read(bytes, step),
      wanted.map(entry => ({ ...entry, special: false })),
      `${step}`,
    )
})

test('rejects a damaged or truncated header', async t => {
  const bytes = await packed([{ name: 'a.txt', content: 'x'.repeat(2000) }])
  t.throws(() => read(bytes.subarray(0, 1500)), { instanceOf: RangeError })
  t.throws(() => read(bytes.subarray(0, 300)), { instanceOf: RangeError })
  const damaged = Buffer.from(bytes)
  damaged[0] = 0x62
  t.throws(() => read(damaged), { message: /damaged/ })
  t.throws(() => read(Buffer.alloc(512, 'x')), { instanceOf: RangeError })
})

test('rejects a 1 GB name by its header', t => {
  const block = Buffer.alloc(512)
  block.write('././@LongLink', 0)
  block.write('10000000000\0', 124)
  block.write('L', 156)
  const sum = block.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  t.throws(() => read(block), { message: /too long/ })
})

test('throws only RangeError and always ends on arbitrary input', t => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 600 }), (bytes, step) => {
      try {
        read(Buffer.from(bytes), step)
      } catch (error) {
        return error instanceof RangeError
      }
      return true
    }),
  )
  t.pass()
})
