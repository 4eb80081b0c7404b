/** Sends bodies that may be compressed. */

import type { IncomingHttpHeaders } from 'node:http'
import { isNotModified } from '@larder-dev/larder/kernel'
import { isLocaleCookie } from '../locale.ts'
import type { RequestContext } from '../request-context.ts'
import type { HeaderMap, ResponseWriter } from '../response-writer.ts'
import {
  compressOnce,
  type Encoding,
  type FixedBody,
  MIN_COMPRESSED_BYTES,
  preferredEncoding,
} from './content-encoding.ts'

export interface FixedResponse {
  readonly status?: number | undefined
  readonly type: string
  readonly body: FixedBody
  /** The entity tag of the uncompressed body. */
  readonly tag?: string
  readonly headers: HeaderMap
}

/** Sends a body that is the same for many clients, or 304 if the client has it. */
export async function sendFixed(writer: ResponseWriter, ctx: RequestContext, response: FixedResponse): Promise<void> {
  const { status = 200, type, body, tag, headers } = response
  const encoding = body.isCompressible ? preferredEncoding(ctx.req.headers['accept-encoding']) : undefined
  // The tilde keeps it apart from a tag that a proxy has marked, which stands for the uncompressed body.
  const current = tag === undefined || encoding === undefined ? tag : tag.replace(/"$/, `~${encoding}"`)
  const sent = {
    ...(body.isCompressible ? withVary(headers) : headers),
    ...(current !== undefined && { etag: current }),
  }
  if (current !== undefined && isNotModified(ctx.req.headers, current))
    return writer.send(ctx, 304, '', undefined, sent)
  if (encoding === undefined) return writer.send(ctx, status, type, body.bytes, sent)
  const encoded = body.encoded(encoding)
  const bytes = Buffer.isBuffer(encoded) ? encoded : await encoded
  writer.send(ctx, status, type, bytes, { ...sent, 'content-encoding': encoding })
}

export interface RenderedResponse {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly headers: HeaderMap
}

/**
 * Sends a text that was made for this request. Compresses it only for clients without credentials: the size of a
 * compressed text that has a secret and input of an attacker reveals the secret (BREACH).
 */
export async function sendRendered(writer: ResponseWriter, ctx: RequestContext, rendered: RenderedResponse) {
  const { status, type, text, headers } = rendered
  const mayCompress =
    ctx.method !== 'POST' &&
    ctx.caller === undefined &&
    headers['set-cookie'] === undefined &&
    !hasCredentials(ctx.req.headers)
  if (!mayCompress) return writer.send(ctx, status, type, text, headers)
  return sendCompressed(writer, ctx, rendered)
}

/** Sends a text that doesn't have a secret beside input of a request, compressed as the client accepts it. */
export async function sendCompressed(writer: ResponseWriter, ctx: RequestContext, rendered: RenderedResponse) {
  const { status, type, text, headers } = rendered
  const { body, headers: coding } = await encodeText(ctx.req.headers['accept-encoding'], text)
  writer.send(ctx, status, type, body, { ...headers, ...coding, ...(coding.vary && withVary(headers)) })
}

export interface EncodedText {
  readonly body: string | Buffer
  readonly headers: { readonly vary?: 'accept-encoding'; readonly 'content-encoding'?: Encoding }
}

/** @param accepted the Accept-Encoding header. */
export async function encodeText(accepted: string | undefined, text: string): Promise<EncodedText> {
  if (text.length < MIN_COMPRESSED_BYTES) return { body: text, headers: {} }
  const encoding = preferredEncoding(accepted)
  if (encoding === undefined) return { body: text, headers: { vary: 'accept-encoding' } }
  const body = await compressOnce(Buffer.from(text), encoding)
  return { body, headers: { vary: 'accept-encoding', 'content-encoding': encoding } }
}

const withVary = (headers: HeaderMap): HeaderMap => ({
  ...headers,
  vary: headers.vary === undefined ? 'accept-encoding' : `${headers.vary}, accept-encoding`,
})

/** Any cookie may identify the visitor to a module. */
const hasCredentials = ({ authorization, cookie, 'x-api-key': apiKey }: IncomingHttpHeaders): boolean =>
  authorization !== undefined || apiKey !== undefined || (cookie !== undefined && !isLocaleCookie(cookie))
