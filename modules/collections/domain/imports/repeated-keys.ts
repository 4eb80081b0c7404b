/** Finds values of unique fields that occur twice in one file, in 16 bytes per row and key, and periods that overlap. Pure. */

import { createHash } from 'node:crypto'
import { wording } from '@larder-dev/larder/kernel'
import type { Collection, UniqueKey } from '../declarations/collection.ts'
import { createCalendars, periodOf } from '../rows/periods.ts'
import type { Values } from '../rows/row-values.ts'
import { keyValues, uniqueKeys } from '../rows/unique-keys.ts'
import type { ImportError } from './imported-row.ts'

export interface RepeatedKeys {
  /** Remembers the row. A row that updates an earlier row of the file, by the same key, repeats nothing. */
  errorsOf(values: Values): ImportError[]
}

export function createRepeatedKeys(collection: Collection, by: string | null): RepeatedKeys {
  const keys = uniqueKeys(collection)
    .filter(({ fields, where }) => where || fields.length > 1 || fields[0] !== by)
    .map(key => ({ key, seen: createHashSet(), owned: createHashSet() }))
  const { noOverlap } = collection
  const calendars = createCalendars()
  const periodErrors = (values: Values): ImportError[] => {
    const period = noOverlap && by === null ? periodOf(collection, noOverlap, values) : undefined
    if (!noOverlap || !period || calendars.add(period)) return []
    const text = wording('overlaps with an earlier row of the file')
    return [noOverlap.from, noOverlap.to].map(column => ({ column, code: 'overlaps', wording: text }))
  }
  return {
    errorsOf: values => [...keyErrors(values), ...periodErrors(values)],
  }
  function keyErrors(values: Values): ImportError[] {
    return keys.flatMap(({ key, seen, owned }) => {
      const tuple = tupleOf(collection, key, values, by)
      if (!tuple) return []
      const isNew = seen.add(hashOf(tuple))
      const isOwn = by !== null && !owned.add(hashOf([...tuple, values[by] ?? null]))
      if (isNew || isOwn) return []
      return key.fields.map(column => ({ column, code: 'taken', wording: wording('is in an earlier row of the file') }))
    })
  }
}

/**
 * A missing value of a condition is the default in a new row. In one that may exist, it is unknown, so that the row is
 * left to the index.
 */
function tupleOf(
  collection: Collection,
  key: UniqueKey,
  values: Values,
  by: string | null,
): readonly unknown[] | undefined {
  const missing = Object.keys(key.where ?? {}).filter(name => values[name] === undefined)
  if (missing.length > 0 && by !== null) return undefined
  const defaults = Object.fromEntries(missing.map(name => [name, collection.fields.get(name)?.default ?? null]))
  return keyValues(collection, key, { ...values, ...defaults })
}

/** Two of a million tuples have the same hash with a probability of 1 in 30 million. */
const hashOf = (tuple: readonly unknown[]): bigint =>
  createHash('sha256').update(JSON.stringify(tuple)).digest().readBigUInt64LE()

/** A set of 64-bit numbers in 16 to 32 bytes each. */
function createHashSet(): { add(hash: bigint): boolean } {
  let slots = new BigUint64Array(1024)
  let size = 0
  const insert = (hash: bigint): boolean => {
    const mask = slots.length - 1
    for (let at = Number(hash & BigInt(mask)); ; at = (at + 1) & mask) {
      if (slots[at] === hash) return false
      if (slots[at] !== 0n) continue
      slots[at] = hash
      return true
    }
  }
  return {
    /** Returns false for a hash that the set contains. */
    add(hash) {
      if (size * 2 >= slots.length) {
        const old = slots
        slots = new BigUint64Array(old.length * 2)
        for (const each of old) if (each !== 0n) insert(each)
      }
      const isNew = insert(hash === 0n ? 1n : hash)
      if (isNew) size++
      return isNew
    },
  }
}
