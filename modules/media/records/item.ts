import { idPattern, Nullable, named, OneOf, type Static, Time, Timestamp, Type } from 'larder/kernel'
import { HOLDS, STATUSES } from '../domain/status.ts'

export const Variant = named(
  'MediaVariant',
  Type.Object({
    name: Type.String(),
    mimeType: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    size: Type.Integer({ description: 'Bytes' }),
  }),
)
export type Variant = Static<typeof Variant>

export const RejectionReason = named(
  'MediaRejection',
  Type.Object({
    check: OneOf(['size', 'type', 'archive', 'virus', 'image', 'copy']),
    code: Type.String({ description: 'Stable' }),
    detail: Type.String(),
  }),
)

export const Item = named(
  'MediaItem',
  Type.Object({
    id: Type.String({ pattern: idPattern('med') }),
    fileName: Type.String(),
    folder: Type.String({ description: 'Names separated by slashes; empty for the top level' }),
    mimeType: Type.String(),
    size: Type.Integer({ description: 'Bytes' }),
    sha256: Nullable(Type.String({ description: 'Announced by the uploader and verified' })),
    status: OneOf(STATUSES),
    hold: Nullable(
      Type.Object(
        { reason: OneOf(HOLDS) },
        { description: 'Why the status is still `processing`. Retried automatically.' },
      ),
    ),
    rejection: Nullable(RejectionReason),
    variants: Type.Array(Variant),
    width: Nullable(Type.Integer({ description: 'Pixels' })),
    height: Nullable(Type.Integer({ description: 'Pixels' })),
    isPublic: Type.Boolean({ description: 'Everyone can see the variants, at `/media/<id>/<variant>`' }),
    createdBy: Nullable(Type.String({ description: 'User id' })),
    createdAt: Time,
    updatedAt: Time,
  }),
  { leavesOut: ['claim', 'closesAt', 'tries'] },
)
export type Item = Static<typeof Item>

export const Folder = named(
  'MediaFolder',
  Type.Object({
    path: Type.String({ description: 'For `folder` and `filter[folder]`' }),
    name: Type.String(),
    files: Type.Integer({ description: 'Files in the folder and its subfolders' }),
  }),
)
export type Folder = Static<typeof Folder>

export const DownloadUrl = named('DownloadUrl', Type.Object({ url: Type.String(), expiresAt: Timestamp }))
