/** Valid and malicious files of every type. */
import { crc32, deflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import type { TestFile } from './fixtures.ts'

export async function png(width = 8, height = 6): Promise<Buffer> {
  const background = { r: 20, g: 90, b: 200 }
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
}
/** Two frames. */
export const animation = async (format: 'gif' | 'webp'): Promise<Buffer> =>
  sharp(
    [
      await png(),
      await sharp(await png())
        .negate()
        .toBuffer(),
    ],
    { join: { animated: true } },
  )
    [format]()
    .toBuffer()
/** A PNG with the chunk that announces frames, after its header of 33 bytes. */
export async function animatedPng(): Promise<Buffer> {
  const bytes = await png()
  const chunk = Buffer.from('acTL\0\0\0\x02\0\0\0\0', 'latin1')
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(8)
  checksum.writeUInt32BE(crc32(chunk))
  return Buffer.concat([bytes.subarray(0, 33), length, chunk, checksum, bytes.subarray(33)])
}
export const pdf = (): Buffer =>
  Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
export const file = (name: string, type: string, bytes: Buffer | string): TestFile => ({
  name,
  type,
  bytes: Buffer.from(bytes),
})
export const pngFile = async (name = 'dot.png'): Promise<TestFile> => file(name, 'image/png', await png())
export const zipFile = (bytes: Buffer, name = 'files.zip'): TestFile => file(name, 'application/zip', bytes)

/** The EICAR test file, split so that no scanner detects this source file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!', '$H+H*'].join('')

export interface ZipEntry {
  readonly name: string
  readonly content?: Buffer | string
  /** Uncompressed size in the central directory. */
  readonly claimed?: number
  /** Unix mode, for example 0o120777 for a link. */
  readonly mode?: number
  /** Index of the entry whose bytes this entry shares. */
  readonly sharing?: number
  readonly stored?: boolean
  /** Name in the local header. Default: `name`. */
  readonly localName?: string
  /** General purpose bits of both headers. */
  readonly flags?: number
  /** Compression method of both headers. */
  readonly method?: number
  /** Bytes before the local header. */
  readonly before?: Buffer
  /** Bytes after the content. */
  readonly after?: Buffer
  /** Sizes in the local header. Default: as in the central directory. */
  readonly localSizes?: { readonly packed: number; readonly size: number }
}

/** Archives of ten thousand empty files are common here, and creating a compressor takes longer than its work. */
const EMPTY = deflateRawSync('')

/** A ZIP with these entries (APPNOTE.TXT 4.3). */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const places: { offset: number; packed: number }[] = []
  let offset = 0
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? '')
    const packed = entry.stored ? content : content.length === 0 ? EMPTY : deflateRawSync(content)
    const name = Buffer.from(entry.name)
    const shared = entry.sharing === undefined ? undefined : places[entry.sharing]
    const place = shared ?? { offset, packed: packed.length }
    places.push(place)
    const facts = factsOf(entry, content, place.packed, name)
    if (!shared) {
      const { before = Buffer.alloc(0), after = Buffer.alloc(0), localSizes } = entry
      place.offset += before.length
      const localName = Buffer.from(entry.localName ?? entry.name)
      const local = Buffer.from(facts)
      local.writeUInt16LE(localName.length, 22)
      if (localSizes) {
        local.writeUInt32LE(localSizes.packed, 14)
        local.writeUInt32LE(localSizes.size, 18)
      }
      const part = [before, Buffer.from('PK\u0003\u0004', 'latin1'), local, localName, packed, after]
      parts.push(...part)
      offset += part.reduce((sum, { length }) => sum + length, 0)
    }
    directory.push(centralOf(entry, facts, name, place.offset))
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}

/** The 26 bytes from the version on that local header and central directory share. */
function factsOf(
  { stored, claimed, flags = 0, method }: ZipEntry,
  content: Buffer,
  packed: number,
  name: Buffer,
): Buffer {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(0x0800 | flags, 2)
  facts.writeUInt16LE(method ?? (stored ? 0 : 8), 4)
  facts.writeUInt32LE(crc32(content), 10)
  facts.writeUInt32LE(packed, 14)
  facts.writeUInt32LE(claimed ?? content.length, 18)
  facts.writeUInt16LE(name.length, 22)
  return facts
}

function centralOf({ mode = 0o100644 }: ZipEntry, facts: Buffer, name: Buffer, offset: number): Buffer {
  const head = Buffer.alloc(6)
  head.write('PK\u0001\u0002', 'latin1')
  head.writeUInt16LE(0x0314, 4)
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(mode * 0x10000, 6)
  tail.writeUInt32LE(offset, 10)
  return Buffer.concat([head, facts, tail, name])
}

/** A PNG with these dimensions in its header and without pixels. */
export function hugePng(width: number, height: number): Buffer {
  const chunk = (kind: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const nothing = Buffer.from('789c030000000001', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', nothing), chunk('IEND', Buffer.alloc(0))])
}
