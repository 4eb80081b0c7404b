/** Uploads in multipart forms. multer streams the file to disk; the same pipeline checks it. */
import { AsyncResource } from 'node:async_hooks'
import {
  type Caller,
  common,
  composed,
  type Deps,
  formatSize,
  KIB,
  milliseconds,
  named,
  Problem,
  type RawRequest,
  type RawResponse,
  rawRoute,
  Type,
} from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'
import type { Request, Response } from 'express'
import type { StorageEngine } from 'multer'
import { AnyMimeType, FileName, Folder } from '../domain/fields.ts'
import { filesPath } from '../domain/files-path.ts'
import { tidyFolder } from '../domain/folders.ts'
import type { MediaOptions } from '../options.ts'
import { problems } from '../problems.ts'
import { Item, type ItemRow, toItem } from '../records/item.ts'
import { receive } from '../services/storage/receive.ts'
import { UPLOAD_GRACE_MS } from '../services/uploads.ts'
import type { MediaServices } from '../services.ts'
import { createTranslatedItem } from './translated-item.ts'
import { statusOf, UPLOAD_LIMIT } from './uploads.ts'

/** Name of the file field. */
const FILE_FIELD = 'file'
/** Bytes of a form in addition to its file. */
const MAX_OVERHEAD_BYTES = 64 * KIB
const FORM_LIMITS = { files: 1, fields: 4, parts: 5, fieldSize: 1 * KIB, fieldNameSize: 64, headerPairs: 20 }

const Form = named(
  'MediaUploadForm',
  Type.Object({
    [FILE_FIELD]: Type.String({ format: 'binary', description: 'The file with its name and type' }),
    folder: Type.Optional(Folder),
  }),
)
const { form_incomplete, no_file, too_slow, file_too_large, too_many_parts, type_not_allowed, wrong_extension } =
  problems
const uploadProblems = {
  form_incomplete,
  no_file,
  too_slow,
  file_too_large,
  too_many_parts,
  type_not_allowed,
  wrong_extension,
}

interface Uploader {
  readonly tenantId: string
  readonly userId: string
}
type Part = Express.Multer.File

type Receiver = Pick<MediaServices, 'uploads' | 'scratch'>
type RouteDeps = Deps<'theme' | 'product'> & Receiver & Pick<MediaServices, 'processing'>

export function formUploadRoutes(deps: RouteDeps, options: MediaOptions) {
  const { uploads, scratch, processing } = deps
  const translated = createTranslatedItem(deps)
  const wait = milliseconds(options.wait)
  const receiveForm = createFormReceiver({ uploads, scratch })
  const open = {
    method: 'post',
    allow: 'media.item.create',
    timeoutMs: UPLOAD_GRACE_MS,
    limits: [UPLOAD_LIMIT],
  } as const
  const upload = async (
    request: RawRequest,
    response: RawResponse,
    caller: Caller,
    tenantId: string,
  ): Promise<ItemRow> => {
    const id = await receiveForm(request, response, { tenantId, userId: caller.userId })
    return processing.process(tenantId, id, AbortSignal.timeout(wait))
  }

  const api = rawRoute({
    ...open,
    path: '/v1/media',
    operationId: 'uploadMediaItem',
    summary: 'Uploads a file in the field `file` of a multipart form and checks it.',
    docs: {
      body: { 'multipart/form-data': Form },
      replies: { 201: { 'application/json': Item }, 202: { 'application/json': Item } },
      problems: [...Object.values(uploadProblems), 'entitlement_exceeded'],
    },
    async handle(request, response, { caller, tenantId }) {
      const row = await upload(request, response, caller, tenantId)
      response.status(statusOf(row, 201)).location(`/v1/media/${row.id}`).set('cache-control', 'no-store')
      response.json(translated(request, toItem(row)))
    },
  })

  const form = rawRoute({
    ...open,
    path: '/files/upload',
    from: 'page',
    apiKeys: false,
    async handle(request, response, { caller, tenantId }) {
      const { folder } = await upload(request, response, caller, tenantId)
      response.redirect(303, filesPath(folder))
    },
  })

  return [api, form]
}

/** Receives the file of a form and returns the id of its item. */
function createFormReceiver({ uploads, scratch }: Receiver) {
  const { maxBytes } = uploads
  const validator = createValidator()
  const check = validator.body(Type.Object({ fileName: FileName, mimeType: AnyMimeType }))
  const checkFolder = validator.body(Type.Object({ folder: Folder }))
  return async (raw: RawRequest, response: RawResponse, uploader: Uploader): Promise<string> => {
    // The request is one of Express, for which multer is declared.
    const request = raw as Request
    if (!request.is('multipart/form-data')) throw common.unsupported_media_type({ expected: 'multipart/form-data' })
    const length = Number(request.headers['content-length'] ?? maxBytes)
    if (length > maxBytes + MAX_OVERHEAD_BYTES) throw problems.file_too_large({ limit: formatSize(maxBytes) })
    const { default: multer } = await import('multer')
    const engine = createEngine({ uploads, scratch }, uploader, Math.min(maxBytes, length), check)
    const limits = { ...FORM_LIMITS, fileSize: maxBytes }
    const parse = multer({ storage: engine.storage, limits, defParamCharset: 'utf8' }).single(FILE_FIELD)
    // The parser never ends for a client that has already disconnected.
    if (request.destroyed) throw problems.form_incomplete()
    try {
      await new Promise<void>((resolve, reject) =>
        parse(request, response as Response, error =>
          error === undefined ? resolve() : reject(toProblem(error, maxBytes)),
        ),
      )
    } finally {
      // multer reports an invalid form while the file is still being written.
      await engine.settled()
    }
    if (!request.file) throw problems.no_file()
    const { filename: id, path, size, mimetype: mimeType } = request.file
    try {
      const folder = tidyFolder(composed(String(request.body.folder ?? '')))
      checkFolder({ folder })
      await uploads.receive(uploader.tenantId, { id, mimeType, folder, path, size })
    } catch (error) {
      await uploads.abandon(uploader.tenantId, id)
      throw error
    } finally {
      await scratch.remove(path)
    }
    return id
  }
}

/** `reservedBytes` is an upper bound of the file size, which is unknown before the upload. */
function createEngine(
  { uploads, scratch }: Receiver,
  { tenantId, userId }: Uploader,
  reservedBytes: number,
  check: (value: unknown) => unknown,
): { readonly storage: StorageEngine; settled(): Promise<void> } {
  async function store({ originalname, mimetype: mimeType, stream }: Part): Promise<Partial<Part>> {
    const fileName = composed(originalname)
    check({ fileName, mimeType })
    const reserved = await uploads.reserve(tenantId, { fileName, mimeType, size: reservedBytes, userId })
    const { id } = reserved
    try {
      const path = await scratch.path()
      const { size } = await receive(stream, path, { limit: uploads.maxBytes, hash: false })
      return { filename: id, path, size, mimetype: reserved.mimeType }
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
  // multer's parser calls back outside the request's async context.
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

/** multer's errors have a code and no status. Errors of its parser have neither. */
function toProblem(error: unknown, limit: number): unknown {
  if (Problem.is(error)) return error
  const { code, name, syscall } = error as NodeJS.ErrnoException
  if (code === 'LIMIT_FILE_SIZE') return problems.file_too_large({ limit: formatSize(limit) })
  if (code === 'LIMIT_UNEXPECTED_FILE') return problems.no_file()
  if (code?.startsWith('LIMIT_')) return problems.too_many_parts()
  return name === 'MulterError' || (code === undefined && syscall === undefined) ? problems.form_incomplete() : error
}
