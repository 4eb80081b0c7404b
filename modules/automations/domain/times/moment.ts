/** Moments before and after a date of a row. Pure. */
import type { Trigger } from '../definition/automation.ts'
import { timeOfDay } from './zoned.ts'

export type DateTrigger = Extract<Trigger, { kind: 'date' }>

export interface Moment {
  /** The date of the row, in milliseconds. */
  readonly date: number
  readonly due: number
}

/** Undefined without a date. */
export function momentOf({ offset, at, timeZone }: DateTrigger, value: unknown): Moment | undefined {
  if (typeof value !== 'string') return undefined
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value)
  const date = isDay ? timeOfDay(value, at ?? '00:00', timeZone) : Date.parse(value)
  return Number.isNaN(date) ? undefined : { date, due: date + offset }
}
