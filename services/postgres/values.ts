/** Encodes values of statements as the text that PostgreSQL reads. Pure. */

/** Text, bytes, or null. */
export type EncodedValue = string | Buffer | null

/**
 * Arrays become array literals, other objects JSON. Times are in UTC, so they don't depend on the time zone of the process.
 * @throws TypeError for a circular object.
 */
export function encodeValue(value: unknown): EncodedValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return String(value)
  if (Buffer.isBuffer(value)) return value
  if (ArrayBuffer.isView(value)) return toBuffer(value)
  // PostgreSQL rejects the text of an invalid date, like any other value that its column can't hold.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString()
  return Array.isArray(value) ? arrayLiteral(value) : JSON.stringify(value)
}

export const encodeValues = (values: readonly unknown[]): EncodedValue[] => values.map(encodeValue)

const arrayLiteral = (items: readonly unknown[]): string => `{${items.map(arrayItem).join(',')}}`

function arrayItem(item: unknown): string {
  if (Array.isArray(item)) return arrayLiteral(item)
  const encoded = encodeValue(item)
  if (encoded === null) return 'NULL'
  const text = Buffer.isBuffer(encoded) ? `\\x${encoded.toString('hex')}` : encoded
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

const toBuffer = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)
