/** Parses clamd's reply to INSTREAM. */
import type { ScanVerdict } from '../../ports.ts'

/** With AlertExceedsMax, clamd reports files that it didn't scan completely with this name. */
const INCOMPLETE_SCAN = /^Heuristics\.Limits\.Exceeded/

/** `reply` is everything received on the connection. A truncated reply counts as unavailable. */
export function parseReply(reply: string): ScanVerdict {
  const end = reply.indexOf('\0')
  const line = end < 0 ? '' : reply.slice(0, end).trim()
  if (line === 'stream: OK') return { verdict: 'clean' }
  if (/size limit exceeded/i.test(line)) return tooLarge
  const [, signature] = /^stream: (.+) FOUND$/.exec(line) ?? []
  if (signature === undefined) return { verdict: 'not_scanned', reason: 'unavailable' }
  return INCOMPLETE_SCAN.test(signature) ? tooLarge : { verdict: 'infected', signature }
}

export const tooLarge: ScanVerdict = { verdict: 'not_scanned', reason: 'too_large' }
export const unavailable: ScanVerdict = { verdict: 'not_scanned', reason: 'unavailable' }
