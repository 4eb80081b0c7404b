/** Checks the entries of an archive by their headers. */
import { GIB, MIB } from '@larder-dev/larder/kernel'
import type { RejectionCode } from './rejections.ts'

export const LIMITS = { entries: 10_000, bytes: 1 * GIB, ratio: 100 }
/** The compression ratio of smaller archives is not limited. */
const MIN_RATIO_BYTES = 4 * MIB

export interface ArchiveEntry {
  readonly name: string
  /** Uncompressed bytes. */
  readonly size: number
  readonly link: boolean
  /** Neither a file, a directory nor a link: for example a device. */
  readonly special: boolean
  /** Byte range in the archive including the header. */
  readonly range: { readonly from: number; readonly to: number }
}

const ARCHIVE =
  /\.(?:zip|zipx|jar|war|ear|apk|gz|tgz|bz2|tbz2?|xz|txz|lzma|lz4?|zst|tzst|z|7z|rar|tar|cab|iso|arj|ace|deb|rpm)$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const CONTROL = /[\u0000-\u001f\u007f]/

/** Characters. Linux allows no more. */
const MAX_PATH_LENGTH = 4096

/** True if the path leads out of the target folder on any operating system, or is too long. */
export function isUnsafePath(name: string): boolean {
  if (name.length > MAX_PATH_LENGTH) return true
  const steps = name.split(/[\\/]/)
  return name === '' || CONTROL.test(name) || /^(?:[\\/]|[A-Za-z]:)/.test(name) || steps.includes('..')
}
export const isArchiveName = (name: string): boolean => ARCHIVE.test(name)

/** NUL separates the steps. Resolves `.` and repeated slashes. */
const normalize = (name: string): string =>
  name
    .normalize()
    .split(/[\\/]/)
    .filter(step => step !== '' && step !== '.')
    .join('\0')

interface Place {
  /** Normalized. */
  readonly path: string
  readonly isDirectory: boolean
}

/**
 * True if two entries have the same path, or one is inside a file. Directories may repeat. In the sorted list, the content
 * of a directory follows it directly, because NUL sorts first and is in no name.
 */
function hasDuplicates(places: Place[]): boolean {
  const sorted = places.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)))
  return sorted.some(({ path, isDirectory }, at) => {
    const next = sorted[at + 1]
    if (next?.path === path) return !isDirectory || !next.isDirectory
    return !isDirectory && next?.path.startsWith(`${path}\0`)
  })
}

/** Sums of an archive and the office files in it. */
export interface ArchiveTotals {
  entries: number
  /** Uncompressed. */
  bytes: number
  /** Compressed bytes of the outermost archive. Default: of this archive. */
  readonly packed?: number
}

export interface EntryChecker {
  /** Returns the first violation so far. */
  add(entry: ArchiveEntry): RejectionCode | undefined
  /** Checks the archive as a whole. `bytes` is its compressed size. */
  finish(bytes: number): RejectionCode | undefined
}

export function createEntryChecker(totals: ArchiveTotals = { entries: 0, bytes: 0 }): EntryChecker {
  const ranges: { from: number; to: number }[] = []
  const places: Place[] = []
  return {
    add({ name, size, link, special, range }) {
      totals.entries += 1
      totals.bytes += size
      ranges.push(range)
      if (totals.entries > LIMITS.entries) return 'archive_too_many_entries'
      if (totals.bytes > LIMITS.bytes) return 'archive_too_large'
      if (isUnsafePath(name)) return 'archive_unsafe_path'
      if (link) return 'archive_link'
      if (special) return 'archive_special_file'
      if (isArchiveName(name)) return 'archive_nested'
      places.push({ path: normalize(name), isDirectory: /[\\/]$/.test(name) })
      return undefined
    },
    finish(bytes) {
      if (hasDuplicates(places)) return 'archive_duplicate'
      if (overlap(ranges, bytes)) return 'archive_overlap'
      return exceedsRatio(totals.bytes, totals.packed ?? bytes) ? 'archive_ratio' : undefined
    },
  }
}

const exceedsRatio = (unpacked: number, packed: number): boolean =>
  unpacked > MIN_RATIO_BYTES && unpacked > LIMITS.ratio * packed

function overlap(ranges: { from: number; to: number }[], bytes: number): boolean {
  const sorted = ranges.sort((a, b) => a.from - b.from)
  return sorted.some(({ from, to }, at) => to > bytes || from < (sorted[at - 1]?.to ?? 0))
}
