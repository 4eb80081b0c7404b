import { idPattern, named, OneOf, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'
import { AnyMimeType, FileName, Folder, Sha256 } from '../domain/fields.ts'

export const UploadIntent = Type.Object(
  {
    fileName: FileName,
    mimeType: AnyMimeType,
    size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Bytes' }),
    sha256: Type.Optional(Sha256),
    folder: Type.Optional(Folder),
  },
  { examples: [{ fileName: 'holiday.jpg', mimeType: 'image/jpeg', size: 48_213 }] },
)
export type UploadIntent = Static<typeof UploadIntent>

export const UploadUrl = named(
  'UploadUrl',
  Type.Object({
    mediaId: Type.String({ pattern: idPattern('med') }),
    url: Type.String({ description: 'PUT the bytes of the file here' }),
    method: OneOf(['PUT']),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Required headers of the PUT' }),
    expiresAt: Timestamp,
  }),
)
export type UploadUrl = Static<typeof UploadUrl>

export const MediaId = Type.Object({
  mediaId: Type.String({ pattern: idPattern('med'), examples: ['med_01hzy0j8x4e7r9k2m5p8q1s3t6'] }),
})
