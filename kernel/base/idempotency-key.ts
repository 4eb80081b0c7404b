/** The request header `Idempotency-Key`. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { invalidField } from './problem.ts'
import { wording } from './wording.ts'

/** The validated header; undefined without one. Throws `validation_failed`. */
export function idempotencyKey({ 'idempotency-key': key }: IncomingHttpHeaders): string | undefined {
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  const text = wording('must be 1 to 255 printable ASCII characters')
  throw invalidField('headers/idempotency-key', 'wrong_format', text)
}
