/** PUT and GET of the local storage, authorized by the signature in the URL. */

import { common, type RawRequest, rawRoute, Type } from '@larder-dev/larder/kernel'
import { attachment } from '../domain/content-disposition.ts'
import { canonicalType } from '../domain/file-types.ts'
import { fileKey } from '../domain/storage-keys.ts'
import { problems } from '../problems.ts'
import { downloadOf } from '../services/downloads.ts'
import { withDiskErrors } from '../services/storage/disk-errors.ts'
import { receive } from '../services/storage/receive.ts'
import { DOWNLOAD_PATH, UPLOAD_PATH } from '../services/storage/signed-urls.ts'
import { UPLOAD_GRACE_MS } from '../services/uploads.ts'
import type { MediaServices } from '../services.ts'

const { bad_signed_url, signed_url_expired, too_slow, upload_incomplete, wrong_digest, already_processed, bad_range } =
  problems

const signedQuery = (...names: readonly string[]) =>
  Type.Object(
    Object.fromEntries(
      [...names, 'expires', 'signature'].map(name => [name, Type.String({ description: 'From the signed URL' })]),
    ),
  )

type RouteDeps = Pick<MediaServices, 'items' | 'localStorage' | 'scratch' | 'signedUrls' | 'uploads'>

export function signedUrlRoutes({ items, localStorage, scratch, signedUrls, uploads }: RouteDeps) {
  if (!localStorage) return []

  const put = rawRoute({
    method: 'put',
    path: `${UPLOAD_PATH}/:id`,
    operationId: 'putUpload',
    summary: 'Receives the bytes of an upload intent.',
    allow: 'signature',
    timeoutMs: UPLOAD_GRACE_MS,
    docs: {
      query: signedQuery('tenant', 'size', 'type', 'sha256'),
      body: { '*/*': null },
      replies: { 200: null },
      problems: [
        common.tenant_suspended,
        bad_signed_url,
        signed_url_expired,
        too_slow,
        upload_incomplete,
        wrong_digest,
        already_processed,
      ],
    },
    async handle(request, response) {
      const id = String(request.params.id)
      const { tenant, size, type, sha256 } = signedUrls.readPut(id, queryOf(request))
      const { headers } = request
      if (headers['content-length'] !== size || canonicalType(headers['content-type'] ?? '') !== type)
        throw problems.bad_signed_url()
      const { mimeType } = await uploads.assertOpen(tenant, id)
      const path = await scratch.path()
      try {
        const received = await receive(request, path, { limit: Number(size), hash: sha256 !== '' })
        if (received.size !== Number(size)) throw problems.upload_incomplete()
        if (sha256 !== '' && received.sha256 !== sha256) throw problems.wrong_digest()
        await uploads.receive(tenant, { id, mimeType, path, size: received.size })
      } finally {
        await scratch.remove(path)
      }
      response.status(200).end()
    },
  })

  const get = rawRoute({
    method: 'get',
    path: `${DOWNLOAD_PATH}/:id`,
    operationId: 'downloadFile',
    summary: 'Serves a file as an attachment. Supports ranges.',
    allow: 'signature',
    docs: {
      query: signedQuery('tenant', 'variant'),
      replies: { 200: { '*/*': null }, 206: { '*/*': null } },
      problems: [common.tenant_suspended, bad_signed_url, signed_url_expired, bad_range],
    },
    async handle(request, response) {
      const id = String(request.params.id)
      const { tenant, variant } = signedUrls.readGet(id, queryOf(request))
      const named = variant === '' ? undefined : variant
      const { fileName, mimeType } = downloadOf(await items.get(tenant, id), named)
      const path = localStorage.pathOf(fileKey({ tenantId: tenant, id }, named))
      response.set({
        'content-type': mimeType,
        'content-disposition': attachment(fileName),
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      })
      await withDiskErrors(
        () =>
          new Promise<void>((resolve, reject) => {
            // A client that disconnects is not an error.
            const ended = (error?: Error) => (error && !response.headersSent ? reject(toProblem(error)) : resolve())
            response.sendFile(path, { dotfiles: 'allow', cacheControl: false, lastModified: false }, ended)
          }),
      )
    },
  })

  return [put, get]
}

const toProblem = (error: Error & { status?: number }): Error => (error.status === 416 ? problems.bad_range() : error)
const queryOf = ({ url }: RawRequest): URLSearchParams => new URL(url, 'http://local').searchParams
