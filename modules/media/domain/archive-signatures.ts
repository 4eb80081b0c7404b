/** Signatures of archives, to detect archives in other files. */

const SIGNATURES = [
  '504b0304',
  '504b0506',
  '1f8b',
  '425a68',
  'fd377a585a00',
  '377abcaf271c',
  '526172211a07',
  '28b52ffd',
  '04224d18',
  '4c5a4950',
  '1f9d',
  '4d534346',
  'edabeedb',
  '213c617263683e0a',
]

/** True for the start of a ZIP, gzip, bzip2, xz, 7z, RAR, zstd, lz4, lzip, compress, CAB, RPM or ar file. */
export const startsAsArchive = (head: Buffer): boolean => {
  const hex = head.subarray(0, 8).toString('hex')
  return SIGNATURES.some(start => hex.startsWith(start))
}

export const startsAsZip = (head: Buffer): boolean => head.subarray(0, 4).toString('hex') === SIGNATURES[0]

/** A tar file has `ustar` at byte 257. */
export const startsAsTar = (head: Buffer): boolean => head.subarray(257, 262).toString('latin1') === 'ustar'

const END_SIGNATURE = Buffer.from('PK\u0005\u0006', 'latin1')
const END_BYTES = 22
/** A ZIP's end record, including its comment, lies within this many bytes from the end. */
export const ZIP_TAIL_BYTES = END_BYTES + 0xffff

/** True if a file that ends with these bytes opens as a ZIP. */
export function endsAsZip(tail: Buffer): boolean {
  for (
    let at = tail.lastIndexOf(END_SIGNATURE);
    at >= 0;
    at = at === 0 ? -1 : tail.lastIndexOf(END_SIGNATURE, at - 1)
  ) {
    if (at + END_BYTES > tail.length) continue
    const entries = tail.readUInt16LE(at + 10)
    if (entries > 0 && at + END_BYTES + tail.readUInt16LE(at + 20) <= tail.length) return true
  }
  return false
}
