/** What clamd says at the end of INSTREAM. Pure. */
import type { ScanVerdict } from '../../ports.ts'

/** Where AlertExceedsMax is on, clamd says with such a name that it has not looked at everything. */
const NOT_WHOLE = /^Heuristics\.Limits\.Exceeded/

/** `reply` is all that came until the end of the connection; an answer that is cut off is none. */
export function verdictOf(reply: string): ScanVerdict {
  const end = reply.indexOf('\0')
  const line = end < 0 ? '' : reply.slice(0, end).trim()
  if (line === 'stream: OK') return { verdict: 'clean' }
  if (/size limit exceeded/i.test(line)) return tooLarge
  const [, signature] = /^stream: (.+) FOUND$/.exec(line) ?? []
  if (signature === undefined) return { verdict: 'not_scanned', reason: 'unavailable' }
  return NOT_WHOLE.test(signature) ? tooLarge : { verdict: 'infected', signature }
}

export const tooLarge: ScanVerdict = { verdict: 'not_scanned', reason: 'too_large' }
export const unavailable: ScanVerdict = { verdict: 'not_scanned', reason: 'unavailable' }
