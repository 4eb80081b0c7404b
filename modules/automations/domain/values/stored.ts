/** Texts of other systems, as a JSON value of the database can hold them. Pure. */

/** Without the sign NUL, and without halves of signs, for example of a text that was cut. */
export const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

const REFUSED = /\\u(0000|d[89a-f])/i

export function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  if (!REFUSED.test(text)) return text
  return JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'string' ? storableText(inner) : inner))
}
