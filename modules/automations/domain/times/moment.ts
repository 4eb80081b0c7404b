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

/** Times that the database and RFC 3339 can write. */
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
const isWritable = (time: number): boolean => time >= FIRST && time <= LAST

/** Undefined without a date, and for a moment beyond the calendar. */
export function momentOf(trigger: DateTrigger, value: unknown): Moment | undefined {
  const found = typeof value === 'string' ? momentAt(trigger, value) : undefined
  return found && isWritable(found.date) && isWritable(found.due) ? found : undefined
}

function momentAt({ offset, at, timeZone }: DateTrigger, value: string): Moment {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value)
  const on = (day: string) => timeOfDay(day, at ?? '00:00', timeZone)
  const date = isDay ? on(value) : Date.parse(value)
  // A day before 9:00 is at 9:00, even if the zone changed its clocks in between.
  if (isDay && offset % DAY === 0) return { date, due: on(dayOf(Date.parse(value) + offset)) }
  return { date, due: date + offset }
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
