/** Schemas of the fields that uploads and lists share. */
import { Type } from 'larder/kernel'

/** A name without path separators, control characters and characters that change the text direction. */
export const FileName = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^(?!\\.{1,2}$)[^/\\\\\\p{Cc}\\p{Cs}\\u202a-\\u202e\\u2066-\\u2069]+$',
  description: 'a file name without path separators, control characters and text direction characters',
  examples: ['holiday.jpg'],
})
export const MimeType = Type.String({
  minLength: 3,
  maxLength: 255,
  pattern: '^[^\\s/]+/[^\\s/]+',
  examples: ['image/jpeg'],
})
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the whole file, in hexadecimal' })
