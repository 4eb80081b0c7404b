/** Items as they stand in bodies and answers. */
import { idPattern, Nullable, OneOf, type Static, Timestamp, Type } from 'larder/kernel'
import { HOLDS, STATUSES } from './domain/status.ts'

/** The database gives a Date; it goes over the wire as RFC 3339. */
const Time = Type.Unsafe<Date>(Timestamp)

/** One name, no path: no separators, no control characters, none that turn the direction of what follows. */
export const FileName = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^(?!\\.{1,2}$)[^/\\\\\\p{Cc}\\p{Cs}\\u202a-\\u202e\\u2066-\\u2069]+$',
  description: 'one name without a path, control characters and turns of direction',
  examples: ['holiday.jpg'],
})
export const MimeType = Type.String({
  minLength: 3,
  maxLength: 255,
  pattern: '^[^\\s/]+/[^\\s/]+',
  examples: ['image/jpeg'],
})
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of the whole file, in hexadecimal' })

export const Intent = Type.Object(
  {
    fileName: FileName,
    mimeType: MimeType,
    size: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Bytes' }),
    sha256: Type.Optional(Sha256),
  },
  { examples: [{ fileName: 'holiday.jpg', mimeType: 'image/jpeg', size: 48_213 }] },
)
export type Intent = Static<typeof Intent>

export const UploadUrl = Type.Object({
  mediaId: Type.String({ pattern: idPattern('med') }),
  url: Type.String({ description: 'PUT the bytes here, and nothing else' }),
  method: OneOf(['PUT']),
  headers: Type.Record(Type.String(), Type.String(), { description: 'To be sent with it, as they are' }),
  expiresAt: Timestamp,
})
export type UploadUrl = Static<typeof UploadUrl>

export const MediaId = Type.Object({
  mediaId: Type.String({ pattern: idPattern('med'), examples: ['med_01hzy0j8x4e7r9k2m5p8q1s3t6'] }),
})
export const Rename = Type.Object({ fileName: FileName })

export const Variant = Type.Object({
  name: Type.String(),
  mimeType: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  size: Type.Integer({ description: 'Bytes' }),
})
export type Variant = Static<typeof Variant>

export const Rejected = Type.Object({
  check: OneOf(['size', 'type', 'archive', 'virus', 'image', 'copy']),
  code: Type.String({ description: 'Stable' }),
  detail: Type.String(),
})

export const Item = Type.Object({
  id: Type.String({ pattern: idPattern('med') }),
  fileName: Type.String(),
  mimeType: Type.String(),
  size: Type.Integer({ description: 'Bytes' }),
  sha256: Nullable(Type.String({ description: 'As it was announced, and checked' })),
  status: OneOf(STATUSES),
  hold: Nullable(
    Type.Object({ reason: OneOf(HOLDS) }, { description: 'Why it stays processing; tried again by itself' }),
  ),
  rejection: Nullable(Rejected),
  variants: Type.Array(Variant),
  width: Nullable(Type.Integer({ description: 'Pixels' })),
  height: Nullable(Type.Integer({ description: 'Pixels' })),
  createdBy: Nullable(Type.String({ description: 'User id' })),
  createdAt: Time,
  updatedAt: Time,
})
export type Item = Static<typeof Item>

export const DownloadUrl = Type.Object({ url: Type.String(), expiresAt: Timestamp })
