/** The local storage's own PUT and GET: opened by the signature in their address alone. */

import type { Request } from 'express'
import { type Deps, rawRoute, Type } from 'larder/kernel'
import { attachment } from '../core/disposition.ts'
import { fileKey } from '../core/keys.ts'
import { canonicalType } from '../core/types.ts'
import { problems } from '../problems.ts'
import { downloadOf } from '../services/downloads.ts'
import { GRACE } from '../services/uploads.ts'
import { FILES, UPLOADS } from '../storage/addresses.ts'
import { fromDisk } from '../storage/disk.ts'
import type { LocalStorage } from '../storage/local.ts'
import { receive } from '../storage/receive.ts'

const { bad_signed_url, signature_over, too_slow, upload_incomplete, wrong_digest, already_processed, bad_range } =
  problems

/** What stands behind the question mark of an address: nobody writes it by hand. */
const signed = (...parts: readonly string[]) =>
  Type.Object(
    Object.fromEntries(
      [...parts, 'expires', 'signature'].map(name => [name, Type.String({ description: 'As it stands in the url' })]),
    ),
  )

export function localRoutes({ media }: Deps<'media'>, local: LocalStorage) {
  const { addresses, uploads, rows, scratch } = media

  const put = rawRoute({
    method: 'put',
    path: `${UPLOADS}/:id`,
    summary: 'Takes the bytes of an announced file.',
    allow: 'signature',
    timeoutMs: GRACE,
    docs: {
      query: signed('tenant', 'size', 'type', 'sha256'),
      body: { '*/*': null },
      replies: { 200: null },
      problems: [bad_signed_url, signature_over, too_slow, upload_incomplete, wrong_digest, already_processed],
    },
    async handle(request, response) {
      const id = String(request.params.id)
      const { tenant, size, type, sha256 } = addresses.readPut(id, queryOf(request))
      const { headers } = request
      if (headers['content-length'] !== size || canonicalType(headers['content-type'] ?? '') !== type)
        throw problems.bad_signed_url()
      await uploads.mustBeOpen(tenant, id)
      const path = await scratch.path()
      try {
        const received = await receive(request, path, { limit: Number(size), hash: sha256 !== '' })
        if (received.size !== Number(size)) throw problems.upload_incomplete()
        if (sha256 !== '' && received.sha256 !== sha256) throw problems.wrong_digest()
        await uploads.arrive(tenant, id, path, received.size)
      } finally {
        await scratch.remove(path)
      }
      response.status(200).end()
    },
  })

  const get = rawRoute({
    method: 'get',
    path: `${FILES}/:id`,
    summary: 'Gives the bytes of a file, as an attachment, whole or in ranges.',
    allow: 'signature',
    docs: {
      query: signed('tenant', 'variant'),
      replies: { 200: { '*/*': null }, 206: { '*/*': null } },
      problems: [bad_signed_url, signature_over, bad_range],
    },
    async handle(request, response) {
      const id = String(request.params.id)
      const { tenant, variant } = addresses.readGet(id, queryOf(request))
      const named = variant === '' ? undefined : variant
      const { fileName, mimeType } = downloadOf(await rows.get(tenant, id), named)
      const path = local.pathOf(fileKey({ tenantId: tenant, id }, named))
      response.set({
        'content-type': mimeType,
        'content-disposition': attachment(fileName),
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
      })
      await fromDisk(
        () =>
          new Promise<void>((resolve, reject) => {
            // Whoever goes away in the middle is no error.
            const ended = (error?: Error) => (error && !response.headersSent ? reject(refusal(error)) : resolve())
            response.sendFile(path, { dotfiles: 'allow', cacheControl: false, lastModified: false }, ended)
          }),
      )
    },
  })

  return [put, get]
}

const refusal = (error: Error & { status?: number }): Error => (error.status === 416 ? problems.bad_range() : error)
const queryOf = (request: Request): URLSearchParams => new URL(request.url, 'http://local').searchParams
