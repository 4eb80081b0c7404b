/** An entry: what was sent to a form, before its schema is asked. Pure. */

import { createHash } from 'node:crypto'
import type { FieldError } from 'larder/kernel'

/** Values of an entry, at every level together: members of objects and items of lists. */
export const MAX_FIELDS = 1000

/** A schema may leave open what comes beside its own fields: even then an entry is no heap. */
export function entryFaults(data: unknown): FieldError[] {
  return countValues(data, MAX_FIELDS + 1) > MAX_FIELDS
    ? [{ pointer: '', code: 'too_many', detail: `has more than ${MAX_FIELDS} values` }]
    : []
}

/** Stops at `most`. */
function countValues(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  for (const inner of Object.values(value)) {
    count += 1 + countValues(inner, most - count)
    if (count >= most) return count
  }
  return count
}

/** Bytes: enough to tell entries apart, few enough to keep the index small. */
const LENGTH = 12

/** The same for the same JSON to the same form from the same address; says nothing of them. */
export const fingerprint = (formId: string, json: string, address: string): Buffer =>
  createHash('sha256').update(`${formId} ${address} ${json}`).digest().subarray(0, LENGTH)
