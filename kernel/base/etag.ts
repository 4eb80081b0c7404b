/** Entity tags (RFC 9110, 8.8.3): optimistic locking with If-Match, revalidation with If-None-Match. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { common } from './problem.ts'

/** The strong entity tag of a version: a number, a time or a hash. */
export const etag = (version: string | number): string => `"${String(version).replace(/[^\w.:+-]/g, '_')}"`

const tags = (header: string): string[] => header.split(',').map(tag => tag.trim())

/** Throws `precondition_failed` if If-Match does not list the current version. Without the header, nothing is checked. */
export function requireMatch(headers: IncomingHttpHeaders, current: string): void {
  const wanted = headers['if-match']
  if (wanted === undefined) return
  const given = tags(wanted)
  if (!given.includes('*') && !given.includes(current)) throw common.precondition_failed()
}

/** Whether If-None-Match lists this version, by weak comparison (RFC 9110, 13.1.2). */
export function isNotModified(headers: IncomingHttpHeaders, current: string): boolean {
  const held = headers['if-none-match']
  if (held === undefined) return false
  const plain = (tag: string) => tag.replace(/^W\//, '')
  return tags(held).some(tag => tag === '*' || plain(tag) === plain(current))
}
