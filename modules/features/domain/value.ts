/** Values of flags. Pure. */
import { isDeepStrictEqual } from 'node:util'

export type Value = boolean | string | number | Readonly<Record<string, unknown>>
export const TYPES = ['boolean', 'string', 'number', 'object'] as const
export type Type = (typeof TYPES)[number]

/** Widens the type of a fallback: `false` becomes boolean. */
export type Widened<T extends Value> = T extends boolean
  ? boolean
  : T extends number
    ? number
    : T extends string
      ? string
      : Exclude<Value, boolean | string | number>

/** Every value of a flag has the type of its default. */
export const typeOf = (value: Value): Type => typeof value as Type

/** Objects are equal regardless of the order of their keys. */
export const sameValue = (a: unknown, b: unknown): boolean => a === b || isDeepStrictEqual(a, b)
