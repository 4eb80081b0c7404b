/** Payload schemas of the events that media publishes. */
import { Type } from 'larder/kernel'
import { RejectionReason } from './routes/item-schemas.ts'

const file = { mediaId: Type.String(), fileName: Type.String(), mimeType: Type.String(), size: Type.Integer() }

export const events = {
  'media.item.ready': Type.Object(file),
  'media.item.rejected': Type.Object({ ...file, rejection: RejectionReason }),
  'media.item.deleted': Type.Object(file),
}
