/** The request header `Idempotency-Key`. Pure. */
import type { IncomingHttpHeaders } from 'node:http'
import { common } from './problem.ts'

/** The validated header; undefined without one. Throws `validation_failed`. */
export function idempotencyKey({ 'idempotency-key': key }: IncomingHttpHeaders): string | undefined {
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  const detail = 'must be 1 to 255 printable ASCII characters'
  throw common.validation_failed({}, { errors: [{ pointer: 'headers/idempotency-key', code: 'wrong_format', detail }] })
}
