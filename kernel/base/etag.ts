/** Entity tags (RFC 9110, 8.8.3): optimistic locking with If-Match, revalidation with If-None-Match. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { common } from './problem.ts'

/** The strong entity tag of a version: a number, a time or a hash. */
export const etag = (version: string | number): string => `"${String(version).replace(/[^\w.:+-]/g, '_')}"`

/**
 * Proxies that compress a response mark its tag: nginx and Cloudflare prepend `W/`, Apache and others append the coding
 * (`"2-gzip"`, `"2;br"`). Either stands for the version that was sent.
 */
const CODING_SUFFIX = /[-+;:_.]{1,2}(?:x-)?(?:gzip|gz|br|brotli|deflate|zstd|compress|dcb|dcz|identity)$/i
/** Characters of the longest one. */
const SUFFIX_LENGTH = 12
const TAG = /(?:W\/)?"([^"]*)"|([^\s,]+)/gi

/** Searches the end only: from the start, a long tag would take a time that grows with the square of its length. */
function withoutCodings(tag: string): string {
  let rest = tag
  for (;;) {
    const [suffix] = CODING_SUFFIX.exec(rest.slice(-SUFFIX_LENGTH)) ?? []
    if (suffix === undefined) return rest
    rest = rest.slice(0, -suffix.length)
  }
}

/** Whether a list of tags has `*` or a version that matches, however a proxy has marked it. */
export function listsVersion(header: string, matches: (version: string) => boolean): boolean {
  for (const [, quoted, bare] of header.matchAll(TAG)) {
    const given = quoted ?? bare ?? ''
    if (bare === '*' || matches(given) || matches(withoutCodings(given))) return true
  }
  return false
}

const lists = (header: string, current: string): boolean => {
  const own = current.replace(/^(?:W\/)?"(.*)"$/, '$1')
  return listsVersion(header, version => version === own)
}

/** Throws `precondition_failed` if If-Match does not list the current version. Without the header, nothing is checked. */
export function requireMatch(headers: IncomingHttpHeaders, current: string): void {
  const wanted = headers['if-match']
  if (wanted !== undefined && !lists(wanted, current)) throw common.precondition_failed()
}

/** Whether If-None-Match lists this version (RFC 9110, 13.1.2). */
export function isNotModified(headers: IncomingHttpHeaders, current: string): boolean {
  const held = headers['if-none-match']
  return held !== undefined && lists(held, current)
}
