/** Payload schemas of the events that media publishes. */
import { publicEvent, Type } from '@larder-dev/larder/kernel'
import { RejectionReason } from './records/item.ts'

const file = { mediaId: Type.String(), fileName: Type.String(), mimeType: Type.String(), size: Type.Integer() }

export const events = {
  'media.item.ready': publicEvent('A file was checked and is available.', Type.Object(file)),
  'media.item.rejected': publicEvent('A file was rejected.', Type.Object({ ...file, rejection: RejectionReason })),
  'media.item.deleted': publicEvent('A file was deleted.', Type.Object(file)),
}
