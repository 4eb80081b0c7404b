/** Payloads of the events that media publishes. */
import { Type } from 'larder/kernel'
import { Rejected } from './schemas.ts'

const about = { mediaId: Type.String(), fileName: Type.String(), mimeType: Type.String(), size: Type.Integer() }

export const events = {
  'media.item.ready': Type.Object(about),
  'media.item.rejected': Type.Object({ ...about, rejection: Rejected }),
  'media.item.deleted': Type.Object(about),
}
