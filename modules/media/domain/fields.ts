/** Schemas of the fields that uploads and lists share. */
import { Type } from '@larder-dev/larder/kernel'
import { FOLDER_PATTERN, MAX_FOLDER_LENGTH } from './folders.ts'

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
/** The media type of an upload. An empty or generic one is derived from the name of the file. */
export const AnyMimeType = Type.String({
  maxLength: 255,
  pattern: '^(?:[^\\s/]+/[^\\s/]+|$)',
  examples: ['image/jpeg'],
  description: 'By default, or if it says little, such as application/octet-stream: the type of the file name',
})
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the whole file, in hexadecimal' })
/** A file is in one folder, which exists while a file is in it. */
export const Folder = Type.String({
  maxLength: MAX_FOLDER_LENGTH,
  pattern: FOLDER_PATTERN,
  description: 'Up to 10 names separated by slashes; empty for the top level',
  examples: ['Invoices/2026'],
})
