import { common, type Deps, MINUTE, milliseconds, type RateLimit, reply, route } from '@larder-dev/larder/kernel'
import type { MediaOptions } from '../options.ts'
import { problems } from '../problems.ts'
import { Item, type ItemRow, toItem } from '../records/item.ts'
import { MediaId, UploadIntent, UploadUrl } from '../records/upload.ts'
import type { MediaServices } from '../services.ts'
import { createTranslatedItem } from './translated-item.ts'

/** Shared by intents and form uploads. */
export const UPLOAD_LIMIT: RateLimit = { name: 'media.upload', points: 60, window: MINUTE, by: 'principal' }

/** 202 if a worker continues the processing. */
export const statusOf = ({ status }: ItemRow, done: number): number => (status === 'processing' ? 202 : done)

type RouteDeps = Deps<'theme' | 'product'> & Pick<MediaServices, 'uploads' | 'processing' | 'items'>

export function uploadRoutes(deps: RouteDeps, options: MediaOptions) {
  const { uploads, processing, items } = deps
  const translated = createTranslatedItem(deps)
  const wait = milliseconds(options.wait)

  const intent = route({
    method: 'post',
    path: '/media/upload-intent',
    operationId: 'createUploadIntent',
    summary: 'Creates an upload intent and returns a signed URL for one PUT.',
    allow: 'media.item.create',
    body: UploadIntent,
    replies: { 201: UploadUrl },
    problems: ['entitlement_exceeded', problems.file_too_large, problems.type_not_allowed, problems.wrong_extension],
    limits: [UPLOAD_LIMIT],
    async handle({ tenantId, body, caller }) {
      const upload = await uploads.createIntent(tenantId, { ...body, userId: caller.userId })
      return reply(201, upload, { location: `/v1/media/${upload.mediaId}` })
    },
  })

  const process = route({
    method: 'post',
    path: '/media/process',
    operationId: 'processUpload',
    summary: 'Checks an uploaded file. Returns 202 if a worker continues; poll the file or wait for the event.',
    allow: 'media.item.create',
    body: MediaId,
    replies: { 200: Item, 202: Item },
    problems: [common.not_found, problems.not_uploaded, problems.upload_expired, problems.storage_unavailable],
    // Takes seconds, is repeatable, and its lease must be visible to concurrent requests.
    unit: 'own',
    idempotent: false,
    async handle({ tenantId, body, request, caller }) {
      // Customers of a product of people don't learn what others have uploaded.
      if (caller.isCustomer && (await items.get(tenantId, body.mediaId)).createdBy !== caller.userId)
        throw common.not_found({ what: 'file' })
      const row = await processing.process(tenantId, body.mediaId, AbortSignal.timeout(wait))
      return reply(statusOf(row, 200), translated(request, toItem(row)))
    },
  })

  return [intent, process]
}
