/** A file in a multipart form, streamed to the disk by multer, then through the same pipeline as any other. */

import { AsyncResource } from 'node:async_hooks'
import type { Request, Response } from 'express'
import {
  type Caller,
  common,
  createValidator,
  type Deps,
  KIB,
  milliseconds,
  Problem,
  rawRoute,
  Type,
} from 'larder/kernel'
import type { StorageEngine } from 'multer'
import type { MediaOptions } from '../options.ts'
import { problems } from '../problems.ts'
import { FileName, Item, MimeType } from '../schemas.ts'
import { type Row, shown } from '../services/rows.ts'
import { GRACE } from '../services/uploads.ts'
import { receive } from '../storage/receive.ts'
import { statusOf, UPLOAD_LIMIT } from './uploads.ts'

/** The name of the field that holds the file. */
const FIELD = 'file'
/** Bytes of a form beside its file. */
const AROUND = 64 * KIB
const LIMITS = { files: 1, fields: 4, parts: 5, fieldSize: 1 * KIB, fieldNameSize: 64, headerPairs: 20 }

const Form = Type.Object({
  [FIELD]: Type.String({ format: 'binary', description: 'The one file, with its name and type' }),
})
const { form_incomplete, no_file, too_slow, file_too_large, too_many_parts, type_not_allowed, wrong_extension } =
  problems
const refused = {
  form_incomplete,
  no_file,
  too_slow,
  file_too_large,
  too_many_parts,
  type_not_allowed,
  wrong_extension,
}

interface Sender {
  readonly tenantId: string
  readonly by: string
}
type Media = Deps<'media'>['media']
type Part = Express.Multer.File

export function formRoutes({ media }: Deps<'media'>, options: MediaOptions) {
  const wait = milliseconds(options.wait)
  const take = createTaker(media)
  const open = { method: 'post', allow: 'media.item.create', timeoutMs: GRACE, limits: [UPLOAD_LIMIT] } as const
  const upload = async (request: Request, response: Response, caller: Caller, tenantId: string): Promise<Row> => {
    const id = await take(request, response, { tenantId, by: caller.userId })
    return media.processing.process(tenantId, id, AbortSignal.timeout(wait))
  }

  const api = rawRoute({
    ...open,
    path: '/v1/media',
    summary: 'Takes a file in the field `file` of a multipart form, and checks it.',
    docs: {
      body: { 'multipart/form-data': Form },
      replies: { 201: { 'application/json': Item }, 202: { 'application/json': Item } },
      problems: Object.values(refused),
    },
    async handle(request, response, { caller, tenantId }) {
      const row = await upload(request, response, caller, tenantId)
      response.status(statusOf(row, 201)).location(`/v1/media/${row.id}`).set('cache-control', 'no-store')
      response.json(shown(row))
    },
  })

  const form = rawRoute({
    ...open,
    path: '/files/upload',
    from: 'page',
    apiKeys: false,
    async handle(request, response, { caller, tenantId }) {
      await upload(request, response, caller, tenantId)
      response.redirect(303, '/files')
    },
  })

  return [api, form]
}

/** Receives the one file of a form; returns the id of its item. */
function createTaker(media: Media) {
  const { limit } = media.uploads
  const check = createValidator().body(Type.Object({ fileName: FileName, mimeType: MimeType }))
  return async (request: Request, response: Response, sender: Sender): Promise<string> => {
    if (!request.is('multipart/form-data')) throw common.unsupported_media_type({ expected: 'multipart/form-data' })
    const length = Number(request.headers['content-length'] ?? limit)
    if (length > limit + AROUND) throw problems.file_too_large({ limit })
    const { default: multer } = await import('multer')
    const engine = createEngine(media, sender, Math.min(limit, length), check)
    const limits = { ...LIMITS, fileSize: limit }
    const parse = multer({ storage: engine.storage, limits, defParamCharset: 'utf8' }).single(FIELD)
    // Of one who has hung up already its parser would never hear.
    if (request.destroyed) throw problems.form_incomplete()
    try {
      await new Promise<void>((resolve, reject) =>
        parse(request, response, error => (error === undefined ? resolve() : reject(problemOf(error, limit)))),
      )
    } finally {
      // It answers for a broken form at once, whatever is still on its way to the disk.
      await engine.settled()
    }
    if (!request.file) throw problems.no_file()
    const { filename: id, path, size } = request.file
    try {
      await media.uploads.arrive(sender.tenantId, id, path, size)
    } catch (error) {
      await media.uploads.abandon(sender.tenantId, id)
      throw error
    } finally {
      await media.scratch.remove(path)
    }
    return id
  }
}

/** `reserved`: bytes that the file has at most, as far as anybody knows before it is there. */
function createEngine(
  { uploads, scratch }: Media,
  { tenantId, by }: Sender,
  reserved: number,
  check: (value: unknown) => unknown,
): { readonly storage: StorageEngine; settled(): Promise<void> } {
  async function store({ originalname: fileName, mimetype: mimeType, stream }: Part): Promise<Partial<Part>> {
    check({ fileName, mimeType })
    const { id } = await uploads.reserve(tenantId, { fileName, mimeType, size: reserved, by })
    try {
      const path = await scratch.path()
      const { size } = await receive(stream, path, { limit: uploads.limit, hash: false })
      if (size > 0) return { filename: id, path, size }
      await scratch.remove(path)
      throw problems.no_file()
    } catch (error) {
      await uploads.abandon(tenantId, id)
      throw error
    }
  }
  async function drop({ filename, path }: Part): Promise<void> {
    await scratch.remove(path)
    await uploads.abandon(tenantId, filename)
  }
  const stored: Promise<unknown>[] = []
  // Its parser calls from where the bytes come in, which knows nothing of who sent them.
  const handle: StorageEngine['_handleFile'] = (_request, file, done) => {
    const storing = store(file)
    stored.push(storing)
    storing.then(info => done(undefined, info), done)
  }
  const remove: StorageEngine['_removeFile'] = (_request, file, done) => {
    drop(file).then(() => done(null), done)
  }
  return {
    storage: { _handleFile: AsyncResource.bind(handle), _removeFile: AsyncResource.bind(remove) },
    async settled() {
      await Promise.allSettled(stored)
    },
  }
}

/** multer's errors carry a code and no status; its parser's carry neither. */
function problemOf(error: unknown, limit: number): unknown {
  if (Problem.is(error)) return error
  const { code, name, syscall } = error as NodeJS.ErrnoException
  if (code === 'LIMIT_FILE_SIZE') return problems.file_too_large({ limit })
  if (code === 'LIMIT_UNEXPECTED_FILE') return problems.no_file()
  if (code?.startsWith('LIMIT_')) return problems.too_many_parts()
  return name === 'MulterError' || (code === undefined && syscall === undefined) ? problems.form_incomplete() : error
}
