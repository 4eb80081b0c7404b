/** Checks and fingerprints of an entry that don't depend on its schema. Pure. */
import { createHash } from 'node:crypto'
import { type FieldError, fieldError, wording } from '@larder-dev/larder/kernel'

/** Members of objects and items of lists, at all levels together. */
export const MAX_VALUES = 1000

/** Limits the number of values, because a schema may allow any additional fields. */
export function entryErrors(data: unknown): FieldError[] {
  return countValues(data, MAX_VALUES + 1) > MAX_VALUES
    ? [fieldError('', 'too_many', wording('has more than {limit} values', { limit: MAX_VALUES }))]
    : []
}

/** Members of objects and items of lists, at all levels. Stops counting at `limit`. */
export function countValues(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  for (const inner of Object.values(value)) {
    count += 1 + countValues(inner, limit - count)
    if (count >= limit) return count
  }
  return count
}

/** Enough to tell entries apart, and few enough to keep the index small. */
const FINGERPRINT_BYTES = 12

/** Equal for equal JSON to one form from one sender: an address, or a shown page. Doesn't reveal them. */
export const entryFingerprint = (formId: string, json: string, sender: string): Buffer =>
  createHash('sha256').update(`${formId} ${sender} ${json}`).digest().subarray(0, FINGERPRINT_BYTES)
