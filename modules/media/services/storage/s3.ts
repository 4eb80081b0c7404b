/** S3-compatible storage. Clients upload and download directly with signed URLs. */
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Deps, SECOND } from '@larder-dev/larder/kernel'
import { attachment } from '../../domain/content-disposition.ts'
import type { MediaOptions } from '../../options.ts'
import { storageUnavailable } from '../../problems.ts'
import { withDiskErrors } from './disk-errors.ts'
import type { S3Client } from './s3-client.ts'
import type { Scratch } from './scratch.ts'
import type { SignedFile, SignedUpload, Snapshot, Storage, StoredObject } from './storage.ts'

type S3Options = MediaOptions['s3']

/** Loaded on first use, because the SDK is large. */
const load = () => import('./s3-client.ts')

/** Concurrent deletions. */
const DELETE_BATCH_SIZE = 500
/** Not found, or replaced since `IfMatch`. */
const GONE_STATUSES = [404, 412]

export function createS3Storage({ log, clock }: Deps<'log' | 'clock'>, options: S3Options, scratch: Scratch): Storage {
  const { bucket: Bucket } = options
  let s3Client: Promise<S3Client> | undefined
  const client = () => (s3Client ??= load().then(({ createS3Client }) => createS3Client(options)))

  /** Returns undefined if the object is gone or was replaced. Throws `storage_unavailable` for all other errors. */
  async function send<T>(work: (s3: S3Client) => Promise<T>): Promise<T | undefined> {
    try {
      return await work(await client())
    } catch (error) {
      const { $metadata, name = '' } = error as { $metadata?: { httpStatusCode?: number }; name?: string }
      if (GONE_STATUSES.includes($metadata?.httpStatusCode ?? 0) && name !== 'NoSuchBucket') return undefined
      if (name === 'AbortError') throw error
      log.error({ err: error, bucket: Bucket }, 'a storage request failed')
      throw storageUnavailable()
    }
  }
  const remaining = (until: Date) => Math.max(1, Math.floor((until.getTime() - clock.now()) / SECOND))

  async function signPut({ key, mimeType, size, sha256, expiresAt }: SignedUpload) {
    const { PutObjectCommand, getSignedUrl } = await load()
    const ChecksumSHA256 = sha256 === null ? undefined : Buffer.from(sha256, 'hex').toString('base64')
    const command = new PutObjectCommand({
      Bucket,
      Key: key,
      ContentType: mimeType,
      ContentLength: size,
      ...(ChecksumSHA256 && { ChecksumSHA256 }),
    })
    const signableHeaders = new Set(['content-type', 'content-length'])
    const url = await getSignedUrl(await client(), command, { expiresIn: remaining(expiresAt), signableHeaders })
    return { url, headers: { 'content-type': mimeType } }
  }

  async function signGet({ key, fileName, mimeType, expiresAt }: SignedFile): Promise<string> {
    const { GetObjectCommand, getSignedUrl } = await load()
    const command = new GetObjectCommand({
      Bucket,
      Key: key,
      ResponseContentDisposition: attachment(fileName),
      ResponseContentType: mimeType,
    })
    return getSignedUrl(await client(), command, { expiresIn: remaining(expiresAt) })
  }

  async function snapshot(key: string, { etag }: StoredObject, signal: AbortSignal): Promise<Snapshot | undefined> {
    const { GetObjectCommand, CopyObjectCommand } = await load()
    const path = await scratch.path()
    const release = () => scratch.remove(path)
    const found = await send(async s3 => {
      const command = new GetObjectCommand({ Bucket, Key: key, IfMatch: etag })
      const { Body } = await s3.send(command, { abortSignal: signal })
      return withDiskErrors(() => pipeline(Body as Readable, createWriteStream(path, { mode: 0o600 }), { signal }))
        .then(() => true)
        .catch(async error => {
          await release()
          throw error
        })
    })
    if (!found) return undefined
    return {
      path,
      release,
      async keep(to, { mimeType }) {
        const copied = await send(s3 =>
          s3.send(
            new CopyObjectCommand({
              Bucket,
              Key: to,
              CopySource: `${Bucket}/${key}`,
              CopySourceIfMatch: etag,
              ContentType: mimeType,
              ContentDisposition: 'attachment',
              MetadataDirective: 'REPLACE',
            }),
          ),
        )
        return copied !== undefined
      },
    }
  }

  async function put(key: string, path: string, { mimeType }: { mimeType: string }): Promise<void> {
    const { PutObjectCommand } = await load()
    const { size } = await stat(path)
    const Body = createReadStream(path)
    const file = { ContentType: mimeType, ContentLength: size, ContentDisposition: 'attachment' }
    await send(s3 => s3.send(new PutObjectCommand({ Bucket, Key: key, Body, ...file })))
    await scratch.remove(path)
  }

  async function remove(keys: readonly string[]): Promise<void> {
    const { DeleteObjectCommand } = await load()
    for (let at = 0; at < keys.length; at += DELETE_BATCH_SIZE)
      await Promise.all(
        keys
          .slice(at, at + DELETE_BATCH_SIZE)
          .map(Key => send(s3 => s3.send(new DeleteObjectCommand({ Bucket, Key })).then(() => true))),
      )
  }

  async function read(key: string): Promise<Readable> {
    const { GetObjectCommand } = await load()
    const found = await send(s3 => s3.send(new GetObjectCommand({ Bucket, Key: key })))
    if (!found) throw storageUnavailable()
    return found.Body as Readable
  }

  return {
    name: 's3',
    read,
    signPut,
    signGet,
    snapshot,
    put,
    remove,
    async stat(key) {
      const { HeadObjectCommand } = await load()
      return send(async s3 => {
        const { ContentLength = 0, ETag = '' } = await s3.send(new HeadObjectCommand({ Bucket, Key: key }))
        return { size: ContentLength, etag: ETag }
      })
    },
  }
}
