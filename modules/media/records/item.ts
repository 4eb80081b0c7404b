import {
  bodyOf,
  idPattern,
  Nullable,
  named,
  OneOf,
  type RecordOf,
  type Static,
  Time,
  Timestamp,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { FileName, Folder as FolderPath } from '../domain/fields.ts'
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
    detail: Type.String({ description: 'In replies in the language of `Accept-Language`, in events in English' }),
  }),
)

export const Item = named(
  'MediaItem',
  Type.Object({
    id: Type.String({ pattern: idPattern('med') }),
    fileName: Writable(Type.String(), Type.Optional(FileName)),
    folder: Writable(
      Type.String({ description: 'Names separated by slashes; empty for the top level' }),
      Type.Optional(FolderPath),
    ),
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
    animated: Type.Boolean({ description: 'Whether the image has several frames. Its variants show the first one' }),
    thumbnailUrl: Type.Optional(
      Type.String({ description: 'With `thumbnails=true`, of images that have one. Expires after a few minutes' }),
    ),
    isPublic: Type.Boolean({ description: 'Everyone can see the variants, at `/media/<id>/<variant>`' }),
    createdBy: Nullable(Type.String({ description: 'User id' })),
    createdAt: Time,
    updatedAt: Time,
  }),
)
export type Item = Static<typeof Item>

export const ItemPatch = Type.Object(bodyOf(Item.properties), {
  minProperties: 1,
  examples: [{ fileName: 'invoice.pdf', folder: 'Invoices/2026' }],
})
export type ItemPatch = Static<typeof ItemPatch>

const { thumbnailUrl: _unstored, ...storedProperties } = Item.properties
export const itemTable = table(
  'media_items',
  Type.Object({
    ...storedProperties,
    hold: Nullable(OneOf(HOLDS)),
    /** Uploads with the signed URL end before this time. */
    closesAt: Time,
    /** Random id of the processing lease. */
    claim: Nullable(Type.String()),
    /** Processing attempts. */
    tries: Type.Integer(),
  }),
  {
    what: 'media item',
    defaults: { variants: [], animated: false, isPublic: false, tries: 0 },
    hidden: { tenantId: Type.String(), claimedUntil: Nullable(Time) },
  },
)
export type ItemRow = Readonly<RecordOf<typeof itemTable>>

/** The item without its internal columns. */
export const toItem = ({ closesAt: _closesAt, claim: _claim, tries: _tries, hold, ...item }: ItemRow): Item => ({
  ...item,
  hold: hold && { reason: hold },
})

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
