/** Announcing an upload, and having it checked. */
import { common, type Deps, MINUTE, milliseconds, type RateLimit, reply, route } from 'larder/kernel'
import type { MediaOptions } from '../options.ts'
import { problems } from '../problems.ts'
import { Intent, Item, MediaId, UploadUrl } from '../schemas.ts'
import type { Row } from '../services/item-repository.ts'

/** However they come: announced, or in a form. */
export const UPLOAD_LIMIT: RateLimit = { name: 'media.upload', points: 60, window: MINUTE, by: 'principal' }

/** 202 where it goes on in the worker. */
export const statusOf = ({ status }: Row, done: number): number => (status === 'processing' ? 202 : done)

export function uploadRoutes({ media }: Deps<'media'>, options: MediaOptions) {
  const wait = milliseconds(options.wait)

  const intent = route({
    method: 'post',
    path: '/media/upload-intent',
    summary: 'Announces a file; answers with an address that takes its bytes in one PUT.',
    allow: 'media.item.create',
    body: Intent,
    replies: { 201: UploadUrl },
    problems: [problems.file_too_large, problems.type_not_allowed, problems.wrong_extension],
    limits: [UPLOAD_LIMIT],
    async handle({ tenantId, body, caller }) {
      const upload = await media.uploads.intend(tenantId, { ...body, by: caller.userId })
      return reply(201, upload, { location: `/v1/media/${upload.mediaId}` })
    },
  })

  const process = route({
    method: 'post',
    path: '/media/process',
    summary: 'Checks what was uploaded. 202: it goes on in the worker; ask again, or wait for the event.',
    allow: 'media.item.create',
    body: MediaId,
    replies: { 200: Item, 202: Item },
    problems: [common.not_found, problems.not_uploaded, problems.upload_expired, problems.storage_unavailable],
    // It takes seconds, twice is the same as once, and all who ask must see each other's claim.
    unit: 'own',
    idempotent: false,
    async handle({ tenantId, body }) {
      const row = await media.processing.process(tenantId, body.mediaId, AbortSignal.timeout(wait))
      return reply(statusOf(row, 200), row)
    },
  })

  return [intent, process]
}
