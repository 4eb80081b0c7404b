/** What a flag may be worth. Pure. */
import { isDeepStrictEqual } from 'node:util'

export type Value = boolean | string | number | Readonly<Record<string, unknown>>
export const TYPES = ['boolean', 'string', 'number', 'object'] as const
export type Type = (typeof TYPES)[number]

/** `false` as a fallback asks for a boolean, not for false. */
export type Wide<T extends Value> = T extends boolean
  ? boolean
  : T extends number
    ? number
    : T extends string
      ? string
      : Exclude<Value, boolean | string | number>

/** One type a flag: that of its default. */
export const typeOf = (value: Value): Type => typeof value as Type

/** Objects whatever the order of their keys. */
export const sameValue = (a: unknown, b: unknown): boolean => a === b || isDeepStrictEqual(a, b)
