import type { Models } from 'larder/kernel'
import type { Item } from './records/item.ts'

/** `size` is a bigint, which PostgreSQL returns as text. */
export type ListedItem = Omit<Item, 'size' | 'hold'> & {
  readonly size: string
  readonly hold: NonNullable<Item['hold']>['reason'] | null
}

export const itemModel = (models: Models) =>
  models.define<ListedItem>(
    'MediaItem',
    ({ TEXT, BIGINT, BOOLEAN, INTEGER, JSONB, DATE }) => ({
      id: { type: TEXT, primaryKey: true },
      fileName: TEXT,
      folder: TEXT,
      mimeType: TEXT,
      size: BIGINT,
      sha256: TEXT,
      status: TEXT,
      hold: TEXT,
      rejection: JSONB,
      variants: JSONB,
      width: INTEGER,
      height: INTEGER,
      isPublic: BOOLEAN,
      createdBy: TEXT,
      createdAt: DATE,
      updatedAt: DATE,
    }),
    { tableName: 'media_items' },
  )
