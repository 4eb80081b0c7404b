/** Publishes images, and serves them to everyone. */
import { pipeline } from 'node:stream/promises'
import { common, rawRoute, route } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import { Item } from '../records/item.ts'
import type { MediaServices } from '../services.ts'

/** Seconds. The bytes at an address never change, but a browser may show an image this long after it was unpublished. */
const MAX_AGE = 3600

export function publicImageRoutes({ publicImages }: Pick<MediaServices, 'publicImages'>) {
  const publish = route({
    method: 'post',
    path: '/media/:id/publish',
    operationId: 'publishMediaItem',
    summary: 'Makes the variants of an image public, at `/media/<id>/<variant>`. The original stays private.',
    allow: 'media.item.publish',
    replies: { 200: Item },
    problems: [problems.not_ready, problems.not_publishable],
    handle: ({ tenantId, params }) => publicImages.publish(tenantId, params.id),
  })

  const unpublish = route({
    method: 'post',
    path: '/media/:id/unpublish',
    operationId: 'unpublishMediaItem',
    summary: 'Makes an image private again. Browsers may show it for up to another hour.',
    allow: 'media.item.publish',
    replies: { 200: Item },
    handle: ({ tenantId, params }) => publicImages.unpublish(tenantId, params.id),
  })

  const serve = rawRoute({
    method: 'get',
    path: '/media/:id/:variant',
    operationId: 'getPublicImage',
    summary: 'Serves a variant of a public image.',
    allow: 'public',
    docs: { replies: { 200: { 'image/webp': null } }, problems: [common.not_found, common.tenant_suspended] },
    async handle(request, response) {
      const { id = '', variant: name = '' } = request.params
      const { variant, open } = await publicImages.find(String(id), String(name))
      response.set({
        'content-type': variant.mimeType,
        'content-disposition': 'inline',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        // Front ends on other origins show the images of their pages.
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': `public, max-age=${MAX_AGE}`,
        etag: `"${variant.name}-${variant.size}"`,
      })
      if (request.fresh) return void response.status(304).end()
      response.set('content-length', String(variant.size))
      if (request.method === 'HEAD') return void response.end()
      // A client that disconnects is not an error.
      await pipeline(await open(), response).catch(error => {
        if (!response.destroyed) throw error
      })
    },
  })

  return { routes: [publish, unpublish], rawRoutes: [serve] }
}
