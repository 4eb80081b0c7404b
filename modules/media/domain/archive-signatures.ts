/** Signatures of archives, for what must hold none. Pure. */

const STARTS = ['504b0304', '504b0506', '1f8b', '425a68', 'fd377a585a00', '377abcaf271c', '526172211a07', '28b52ffd']

/** Whether bytes begin as a ZIP, gzip, bzip2, xz, 7z, RAR or zstd file does. */
export const beginsAsArchive = (head: Buffer): boolean => {
  const hex = head.subarray(0, 8).toString('hex')
  return STARTS.some(start => hex.startsWith(start))
}

/** `ustar` stands at byte 257 of a tar file. */
export const beginsAsTar = (head: Buffer): boolean => head.subarray(257, 262).toString('latin1') === 'ustar'

const END = Buffer.from('PK\u0005\u0006', 'latin1')
const END_BYTES = 22
/** Bytes at the end of a file in which the end of a ZIP's central directory can stand: it may carry a comment. */
export const ZIP_TAIL = END_BYTES + 0xffff

/** Whether a file that ends with these bytes would open as a ZIP. */
export function endsAsZip(tail: Buffer): boolean {
  for (let at = tail.lastIndexOf(END); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf(END, at - 1)) {
    if (at + END_BYTES > tail.length) continue
    const entries = tail.readUInt16LE(at + 10)
    if (entries > 0 && at + END_BYTES + tail.readUInt16LE(at + 20) <= tail.length) return true
  }
  return false
}
