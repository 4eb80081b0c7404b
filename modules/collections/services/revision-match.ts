/** Entity tags of rows: the revision, and a hash of what the caller sees. */
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { common, listsVersion } from '@larder-dev/larder/kernel'

const HASH_LENGTH = 12

/** Changes with rights, references and `fields`, too, so that a 304 is never stale. */
export const rowTag = (revision: number | '', body: string): string =>
  `"${revision}.${hash('sha256', body, 'base64url').slice(0, HASH_LENGTH)}"`

/** Compares revisions only. Throws `precondition_failed`. */
export function requireRevision({ 'if-match': wanted }: IncomingHttpHeaders, revision: number): void {
  if (wanted === undefined) return
  const isCurrent = (version: string) => version.split('.', 1)[0] === String(revision)
  if (!listsVersion(wanted, isCurrent)) throw common.precondition_failed()
}
