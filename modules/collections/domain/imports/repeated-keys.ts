/** Finds values of unique fields that occur twice in one file, in 16 bytes per row and key. Pure. */

import { createHash } from 'node:crypto'
import { wording } from '@larder-dev/larder/kernel'
import type { Collection } from '../declarations/collection.ts'
import type { Values } from '../rows/row-values.ts'
import type { ImportError } from './imported-row.ts'

export interface RepeatedKeys {
  /** Remembers the row. A row that updates an earlier row of the file, by the same key, repeats nothing. */
  errorsOf(values: Values): ImportError[]
}

export function createRepeatedKeys({ fields, unique }: Collection, by: string | null): RepeatedKeys {
  const single = [...fields.values()].filter(field => field.unique && field.name !== by).map(({ name }) => [name])
  const keys = [...single, ...unique].map(names => ({ names, seen: createHashSet(), owned: createHashSet() }))
  return {
    errorsOf: values =>
      keys.flatMap(({ names, seen, owned }) => {
        const tuple = names.map(name => values[name] ?? null)
        if (tuple.includes(null)) return []
        const isNew = seen.add(hashOf(tuple))
        const isOwn = by !== null && !owned.add(hashOf([...tuple, values[by] ?? null]))
        if (isNew || isOwn) return []
        return names.map(column => ({ column, code: 'taken', wording: wording('is in an earlier row of the file') }))
      }),
  }
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
