import { buffer } from 'node:stream/consumers'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import test from 'ava'
import tar from 'tar-stream'
import { checkType } from '../../../../../modules/media/services/checks/type.ts'
import { checkZip } from '../../../../../modules/media/services/checks/zip.ts'
import { type ZipEntry, zip } from '../../files.ts'
import { rejectionOf } from './fixtures.ts'

const MIB = 1024 * 1024
const zipped = (entries: ZipEntry[]) => rejectionOf(checkZip, zip(entries))

test('accepts valid ZIP and office files', async t => {
  const names = ['a.txt', 'folder/', 'folder/b.txt', 'ü.txt', 'sheet.xlsx']
  t.is(await zipped(names.map(name => ({ name, content: name.endsWith('/') ? '' : name }))), undefined)
  t.is(await zipped([{ name: 'zeros.bin', content: Buffer.alloc(2 * MIB) }]), undefined)
})

test('rejects archive bombs without unpacking them', async t => {
  const huge = { name: 'a.bin', content: Buffer.alloc(1000), claimed: 0xfffffff0 }
  t.is(await zipped([huge, { ...huge, name: 'b.bin' }, { ...huge, name: 'c.bin' }]), 'archive_too_large')
  t.is(await zipped([{ name: 'zeros.bin', content: Buffer.alloc(8 * MIB) }]), 'archive_ratio')
  t.is(await zipped([{ name: 'inner.zip', content: zip([{ name: 'a' }]) }]), 'archive_nested')
  const kernel = { name: 'a', content: Buffer.alloc(3000, 'x') }
  const sharing = Array.from({ length: 50 }, (_, n) => ({ name: `b${n}`, content: kernel.content, sharing: 0 }))
  t.is(await zipped([kernel, ...sharing]), 'archive_overlap')
  const many = Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}`, stored: true }))
  t.is(await zipped(many), 'archive_too_many_entries')
  t.is(await zipped(many.slice(1)), undefined)
})

test('rejects entries with unsafe paths', async t => {
  t.is(await zipped([{ name: '../../etc/passwd' }]), 'archive_unsafe_path')
  t.is(await zipped([{ name: '..\\..\\windows\\a' }]), 'archive_unsafe_path')
  t.is(await zipped([{ name: '/etc/passwd' }]), 'archive_unsafe_path')
  t.is(await zipped([{ name: 'link', content: '/etc/passwd', mode: 0o120777 }]), 'archive_link')
})

test('counts what a ZIP unpacks to instead of trusting its directory', async t => {
  const zeros = Buffer.alloc(200 * MIB)
  t.is(await zipped([{ name: 'a.bin', content: zeros, claimed: 10 }]), 'archive_mismatch')
  t.is(await zipped([{ name: 'a.bin', content: 'hello', claimed: 6 }]), 'archive_mismatch')
  t.is(await zipped([{ name: 'a.bin', content: 'hello', claimed: 6, stored: true }]), 'archive_unreadable')
  const hidden = Buffer.concat([deflateRawSync('hello'), Buffer.alloc(MIB, 'more')])
  t.is(await zipped([{ name: 'a.bin', content: hidden, claimed: 5, stored: true, method: 8 }]), 'archive_mismatch')
  const wrong = zip([{ name: 'a.bin', content: 'hello', stored: true }])
  wrong.write('j', 30 + 'a.bin'.length)
  t.is(await rejectionOf(checkZip, wrong), 'archive_unreadable')
})

test('rejects a ZIP whose local headers differ from the central directory', async t => {
  t.is(await zipped([{ name: 'aaaa.x', localName: '../../x' }]), 'archive_mismatch')
  t.is(await zipped([{ name: 'a', localSizes: { packed: 2, size: 99 } }]), 'archive_mismatch')
  const stored = zip([{ name: 'a' }])
  stored.writeUInt16LE(0, 8)
  t.is(await rejectionOf(checkZip, stored), 'archive_mismatch')
  const unlisted = zip([{ name: '../../x', content: 'evil' }]).subarray(0, 30 + 7 + 6)
  const entry = { name: 'a', content: 'hello' }
  t.is(await zipped([{ ...entry, before: unlisted }]), 'archive_mismatch')
  t.is(await zipped([entry, { name: 'b', before: unlisted }]), 'archive_mismatch')
  t.is(await zipped([{ ...entry, after: unlisted }]), 'archive_mismatch')
})

test('accepts a ZIP with sizes after the content', async t => {
  const content = Buffer.from('hello')
  const descriptor = Buffer.alloc(16)
  descriptor.write('PK\u0007\u0008', 'latin1')
  descriptor.writeUInt32LE(crc32(content), 4)
  descriptor.writeUInt32LE(deflateRawSync(content).length, 8)
  descriptor.writeUInt32LE(content.length, 12)
  const entry = { name: 'a', content, flags: 8, localSizes: { packed: 0, size: 0 } }
  t.is(await zipped([{ ...entry, after: descriptor }, { name: 'b' }]), undefined)
  t.is(await zipped([{ ...entry, after: descriptor.subarray(4) }, { name: 'b' }]), undefined)
  t.is(await zipped([{ ...entry, after: Buffer.alloc(16) }, { name: 'b' }]), 'archive_mismatch')
})

test('rejects compression methods and encryption that cannot be checked', async t => {
  t.is(await zipped([{ name: 'a', content: 'hello', flags: 1 }]), 'archive_unsupported')
  t.is(await zipped([{ name: 'a', content: 'hello', method: 14 }]), 'archive_unsupported')
})

test('rejects duplicate names', async t => {
  t.is(await zipped([{ name: 'a' }, { name: 'a' }]), 'archive_duplicate')
  t.is(await zipped([{ name: 'b/a' }, { name: './b//a' }]), 'archive_duplicate')
  t.is(await zipped([{ name: 'a' }, { name: 'a/b' }]), 'archive_duplicate')
  t.is(await zipped([{ name: 'a/b/c' }, { name: 'a b' }, { name: 'a' }]), 'archive_duplicate')
  t.is(await zipped([{ name: 'a/' }, { name: 'a/' }, { name: 'a/b' }]), undefined)
})

test('detects nested archives by content', async t => {
  const inner = zip([{ name: 'a.txt', content: 'hello' }])
  const plain = await tarOf('a.txt', Buffer.from('hello'))
  for (const content of [inner, gzipSync('hello'), plain, Buffer.from('377abcaf271c0004', 'hex')]) {
    t.is(await zipped([{ name: 'image.png', content }]), 'archive_nested')
    t.is(await zipped([{ name: 'image.png', content, stored: true }]), 'archive_nested')
  }
})

test('checks office files in archives like archives', async t => {
  const sheet = zip([{ name: '[Content_Types].xml', content: '<Types/>' }])
  const report = zip([{ name: 'word/embeddings/sheet.xlsx', content: sheet }])
  t.is(await zipped([{ name: 'report.docx', content: report }]), undefined)
  const evil = zip([{ name: '../../x' }])
  t.is(await zipped([{ name: 'report.docx', content: evil }]), 'archive_unsafe_path')
  const bomb = zip([{ name: 'a', content: Buffer.alloc(64 * MIB) }])
  t.is(await zipped([{ name: 'report.docx', content: bomb }]), 'archive_ratio')
  let deep = sheet
  for (let depth = 0; depth < 6; depth++) deep = zip([{ name: 'a.docx', content: deep }])
  t.is(await zipped([{ name: 'a.docx', content: deep }]), 'archive_nested')
})

test('rejects a ZIP damaged at any position', async t => {
  const whole = zip([
    { name: 'a.txt', content: 'hello' },
    { name: 'b.txt', content: 'hello' },
  ])
  t.is(await rejectionOf(checkZip, whole.subarray(0, whole.length - 10)), 'archive_unreadable')
  t.is(await rejectionOf(checkZip, Buffer.from('PK\u0003\u0004', 'latin1')), 'archive_unreadable')
  const elsewhere = Buffer.from(whole)
  elsewhere.writeUInt32LE(0xffffff00, whole.length - 6)
  t.is(await rejectionOf(checkZip, elsewhere), 'archive_unreadable')
})

async function tarOf(name: string, content: Buffer): Promise<Buffer> {
  const pack = tar.pack()
  pack.entry({ name }, content)
  pack.finalize()
  return Buffer.from(await buffer(pack as never))
}

test('rejects special files in ZIP files', async t => {
  for (const mode of [0o020666, 0o060666, 0o140666])
    t.is(await zipped([{ name: 'dev/null', mode }]), 'archive_special_file')
})

/** A folder with two files, by `jar cf` and `jar cfM` of Java 21. */
const WITH_MANIFEST = [
  'UEsDBBQACAgIANVqel0AAAAAAAAAAAAAAAAJAAQATUVUQS1JTkYv/soAAAMAUEsHCAAAAAACAAAAAAAAAFBLAwQUAAgICADWanpd',
  'AAAAAAAAAAAAAAAAFAAAAE1FVEEtSU5GL01BTklGRVNULk1G803My0xLLS7RDUstKs7Mz7NSMNQz4OVyLkpNLElN0XWqBAqY6xno',
  'GZoqaLikJmUm5mnycvFyAQBQSwcIHbOzmTgAAAA3AAAAUEsDBAoAAAgAANBqel0AAAAAAAAAAAAAAAACAAAAZC9QSwMEFAAICAgA',
  '0Gp6XQAAAAAAAAAAAAAAAAcAAABkL2EudHh0y0jNycnnAgBQSwcIIDA6NggAAAAGAAAAUEsDBAoAAAgAANBqel0AAAAAAAAAAAAA',
  'AAAGAAAAZC9zdWIvUEsDBBQACAgIANBqel0AAAAAAAAAAAAAAAALAAAAZC9zdWIvYi5iaW7twTEBAAAAwqD1T20KP6AAAAAAgLcB',
  'UEsHCKgO5dgWAAAAiBMAAFBLAQIUABQACAgIANVqel0AAAAAAgAAAAAAAAAJAAQAAAAAAAAAAAAAAAAAAABNRVRBLUlORi/+ygAA',
  'UEsBAhQAFAAICAgA1mp6XR2zs5k4AAAANwAAABQAAAAAAAAAAAAAAAAAPQAAAE1FVEEtSU5GL01BTklGRVNULk1GUEsBAgoACgAA',
  'CAAA0Gp6XQAAAAAAAAAAAAAAAAIAAAAAAAAAAAAAAAAAtwAAAGQvUEsBAhQAFAAICAgA0Gp6XSAwOjYIAAAABgAAAAcAAAAAAAAA',
  'AAAAAAAA1wAAAGQvYS50eHRQSwECCgAKAAAIAADQanpdAAAAAAAAAAAAAAAABgAAAAAAAAAAAAAAAAAUAQAAZC9zdWIvUEsBAhQA',
  'FAAICAgA0Gp6XagO5dgWAAAAiBMAAAsAAAAAAAAAAAAAAAAAOAEAAGQvc3ViL2IuYmluUEsFBgAAAAAGAAYATwEAAIcBAAAAAA==',
].join('')
const WITHOUT_MANIFEST = [
  'UEsDBAoAAAgAANBqel0AAAAAAAAAAAAAAAACAAQAZC/+ygAAUEsDBBQACAgIANBqel0AAAAAAAAAAAAAAAAHAAAAZC9hLnR4dMtI',
  'zcnJ5wIAUEsHCCAwOjYIAAAABgAAAFBLAwQKAAAIAADQanpdAAAAAAAAAAAAAAAABgAAAGQvc3ViL1BLAwQUAAgICADQanpdAAAA',
  'AAAAAAAAAAAACwAAAGQvc3ViL2IuYmlu7cExAQAAAMKg9U9tCj+gAAAAAIC3AVBLBwioDuXYFgAAAIgTAABQSwECCgAKAAAIAADQ',
  'anpdAAAAAAAAAAAAAAAAAgAEAAAAAAAAAAAAAAAAAAAAZC/+ygAAUEsBAhQAFAAICAgA0Gp6XSAwOjYIAAAABgAAAAcAAAAAAAAA',
  'AAAAAAAAJAAAAGQvYS50eHRQSwECCgAKAAAIAADQanpdAAAAAAAAAAAAAAAABgAAAAAAAAAAAAAAAABhAAAAZC9zdWIvUEsBAhQA',
  'FAAICAgA0Gp6XagO5dgWAAAAiBMAAAsAAAAAAAAAAAAAAAAAhQAAAGQvc3ViL2IuYmluUEsFBgAAAAAEAAQA1gAAANQAAAAAAA==',
].join('')

test('accepts a ZIP that Java made', async t => {
  for (const text of [WITH_MANIFEST, WITHOUT_MANIFEST]) {
    t.is(await rejectionOf(checkZip, Buffer.from(text, 'base64')), undefined)
    t.is(await rejectionOf(checkType, Buffer.from(text, 'base64')), undefined)
  }
})
