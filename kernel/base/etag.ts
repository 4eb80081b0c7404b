/** Entity tags (RFC 9110, 8.8.3): optimistic locking with If-Match, revalidation with If-None-Match. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { common } from './problem.ts'

/** The strong tag of a version: a number, a time, a hash. */
export const etag = (version: string | number): string => `"${String(version).replace(/[^\w.:+-]/g, '_')}"`

const tags = (header: string): string[] => header.split(',').map(tag => tag.trim())

/** Throws `precondition_failed` where the caller names another version than the current one. No header, no check. */
export function requireMatch(headers: IncomingHttpHeaders, current: string): void {
  const wanted = headers['if-match']
  if (wanted === undefined) return
  const given = tags(wanted)
  if (!given.includes('*') && !given.includes(current)) throw common.precondition_failed()
}

/** Whether the caller holds this version already: compared weakly, as RFC 9110 wants it here. */
export function isHeld(headers: IncomingHttpHeaders, current: string): boolean {
  const held = headers['if-none-match']
  if (held === undefined) return false
  const plain = (tag: string) => tag.replace(/^W\//, '')
  return tags(held).some(tag => tag === '*' || plain(tag) === plain(current))
}
