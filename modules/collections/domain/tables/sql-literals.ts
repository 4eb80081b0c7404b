/** Names and values in statements that change tables, which can't have parameters. Pure. */

import { milliseconds } from '@larder-dev/larder/kernel'
import type { FieldType } from '../declarations/collection.ts'

/** A name in double quotes. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A value of a default or a bound. `E''` keeps backslashes independent of settings. */
export function literal(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  return value.includes('\\')
    ? `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    : `'${value.replaceAll("'", "''")}'`
}

/** A JSON value of a field as a literal of its column. */
export const columnValue = (type: FieldType, value: string | number | boolean): string =>
  literal(type === 'duration' ? milliseconds(String(value)) : value)
