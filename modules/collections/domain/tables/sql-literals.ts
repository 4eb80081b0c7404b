/** Names and values in statements that change tables, which can't have parameters. Pure. */

/** A name in double quotes. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A value of a default or a bound. `E''` keeps backslashes independent of settings. */
export function literal(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  return value.includes('\\')
    ? `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    : `'${value.replaceAll("'", "''")}'`
}
