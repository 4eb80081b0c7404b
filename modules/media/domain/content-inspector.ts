/** Detects archives in the content of archive entries, whatever their names. */
import { MIB } from '@larder-dev/larder/kernel'
import { startsAsArchive, startsAsTar, startsAsZip } from './archive-signatures.ts'

/** Bytes needed to recognize a tar file, whose signature comes last. */
const HEAD_BYTES = 512
/** Office files are ZIP files and are checked in memory. */
const MAX_OFFICE_BYTES = 32 * MIB
const OFFICE_FILE = /\.(?:docx|xlsx|pptx|odt|ods|odp|epub)$/i

export interface ContentInspector {
  feed(chunk: Buffer): void
  /** `nested`: an archive. A buffer: an office file, to be checked as a ZIP. Undefined: neither. */
  finish(): 'nested' | Buffer | undefined
}

const isArchiveHead = (head: Buffer): boolean => startsAsArchive(head) || startsAsTar(head)

export function createContentInspector(name: string): ContentInspector {
  let chunks: Buffer[] = []
  let size = 0
  let result: 'nested' | undefined
  let done = false
  let isOffice = false

  function decide(head: Buffer): void {
    isOffice = OFFICE_FILE.test(name) && startsAsZip(head)
    if (!isOffice && isArchiveHead(head)) result = 'nested'
    done = !isOffice
  }

  return {
    feed(chunk) {
      if (done) return
      const headIsMissing = size < HEAD_BYTES
      size += chunk.length
      chunks.push(chunk)
      if (headIsMissing && size >= HEAD_BYTES) decide(Buffer.concat(chunks).subarray(0, HEAD_BYTES))
      if (size > MAX_OFFICE_BYTES) {
        result = 'nested'
        done = true
      }
      if (done) chunks = []
    },
    finish() {
      if (done) return result
      const content = Buffer.concat(chunks)
      if (size < HEAD_BYTES) decide(content)
      return isOffice ? content : result
    },
  }
}
