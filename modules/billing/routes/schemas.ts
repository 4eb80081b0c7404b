/** Schema parts that several routes use. */
import { Timestamp, Type } from 'larder/kernel'

/** Handlers return a Date; the reply holds it as RFC 3339. */
export const Time = Type.Unsafe<Date>(Timestamp)
/** Key → amount. */
export const Amounts = Type.Unsafe<Record<string, number>>({
  type: 'object',
  additionalProperties: { type: 'number' },
})
