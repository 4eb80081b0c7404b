/** Files of the API reference, served at paths that contain a hash of their content. */

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { etag, once } from '@larder-dev/larder/kernel'
import { createFixedBody, type FixedBody } from '../content-encoding.ts'

export interface ReferenceFile {
  readonly type: string
  readonly body: FixedBody
  /** `/assets/docs/reference.3f9c….js`. */
  readonly path: string
  readonly tag: string
}

export interface ReferenceFiles {
  readonly style: ReferenceFile
  readonly start: ReferenceFile
  /** The renderer. The build copies it from its package. */
  readonly scalar: ReferenceFile
}

export const REFERENCE_FOLDER = '/assets/docs/'
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}
const SCALAR = /^(scalar\.([0-9a-f]+)\.js)\.gz$/

export function loadReferenceFiles(): ReferenceFiles {
  return { style: ownFile('reference.css'), start: ownFile('reference.js'), scalar: scalarFile() }
}

const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url))
const typeOf = (name: string): string => TYPES[extname(name)] ?? 'application/octet-stream'

function ownFile(name: string): ReferenceFile {
  const bytes = read(name)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const extension = extname(name)
  const type = typeOf(name)
  const path = `${REFERENCE_FOLDER}${name.slice(0, -extension.length)}.${hash}${extension}`
  return { type, body: createFixedBody(bytes, type), path, tag: etag(hash) }
}

/** Its name contains the hash, and the build keeps it compressed. Bytes are read at the first request for an encoding. */
function scalarFile(): ReferenceFile {
  const [, name, hash] =
    readdirSync(new URL('.', import.meta.url))
      .map(file => SCALAR.exec(file))
      .find(Boolean) ?? []
  if (name === undefined || hash === undefined) throw new Error('The build has no script of the API reference.')
  const encodings = { br: once(() => read(`${name}.br`)), gzip: once(() => read(`${name}.gz`)) }
  const plain = once(() => gunzipSync(encodings.gzip()))
  const body: FixedBody = {
    get bytes() {
      return plain()
    },
    isCompressible: true,
    encoded: encoding => encodings[encoding](),
  }
  return { type: typeOf(name), body, path: REFERENCE_FOLDER + name, tag: etag(hash) }
}
