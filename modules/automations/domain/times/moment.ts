/** Moments before and after a date of a row. Pure. */
import { DAY } from '@larder-dev/larder/kernel'
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
  const on = (day: string) => timeOfDay(day, at ?? '00:00', timeZone)
  const date = isDay ? on(value) : Date.parse(value)
  if (Number.isNaN(date)) return undefined
  // A day before 9:00 is at 9:00, even if the zone changed its clocks in between.
  if (isDay && offset % DAY === 0) return { date, due: on(dayOf(Date.parse(value) + offset)) }
  return { date, due: date + offset }
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
