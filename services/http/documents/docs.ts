/** The API documentation: the reference, and the OpenAPI and AsyncAPI documents. */

import { createHash, randomBytes } from 'node:crypto'
import { etag, once, type Product, readCookie, TENANT_COOKIE } from '@larder-dev/larder/kernel/internal'
import { credentialOf } from '../access/credential.ts'
import type { Serve } from '../api/pipeline.ts'
import { referencePolicy } from '../headers.ts'
import { resolveLocale } from '../locale.ts'
import type { RequestContext } from '../request-context.ts'
import { JSON_TYPE, type ResponseWriter } from '../response-writer.ts'
import type { Theme } from '../theme.ts'
import { createFixedBody } from './content-encoding.ts'
import { sendFixed, sendRendered } from './encoded-response.ts'
import { loadReferenceFiles, REFERENCE_FOLDER } from './reference/files.ts'
import { referencePage } from './reference/page.ts'

export interface DocsDeps {
  readonly product: Product
  readonly theme: Theme
  readonly writer: ResponseWriter
  readonly signInPath: () => string | undefined
  readonly openapi: () => Readonly<Record<string, unknown>>
  readonly asyncapi: () => Readonly<Record<string, unknown>>
}

const HTML = 'text/html; charset=utf-8'
export const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'
export interface Docs {
  /** Path → handler. */
  readonly endpoints: readonly (readonly [path: string, serve: Serve])[]
  /** Serves the files at paths with a hash. Returns undefined for other paths. */
  asset(ctx: RequestContext): Promise<void> | undefined
}

export function createDocs({ product, theme, writer, signInPath, openapi, asyncapi }: DocsDeps): Docs {
  // Read at the first request, because most processes never serve them.
  const files = once(loadReferenceFiles)

  function page(ctx: RequestContext): Promise<void> {
    const nonce = randomBytes(16).toString('base64')
    const locale = resolveLocale(ctx, product.locales)
    const { style, start, scalar } = files()
    const html = referencePage({
      product: product.name,
      locale,
      nonce,
      schemes: theme.colorSchemes(),
      paths: { style: style.path, start: start.path, scalar: scalar.path },
      signInPath: signInPath(),
      hasSession: credentialOf(ctx.req.headers)?.kind === 'cookie',
      workspace: readCookie(ctx.req.headers.cookie, TENANT_COOKIE),
      text: text => theme.text(locale, text),
    })
    const headers = { 'content-security-policy': referencePolicy(nonce), 'cache-control': REVALIDATE }
    return sendRendered(writer, ctx, { status: 200, type: HTML, text: html, headers })
  }

  return {
    endpoints: [
      ['/docs', page],
      ['/v1/platform/openapi.json', serveDocument(writer, openapi)],
      ['/v1/platform/asyncapi.json', serveDocument(writer, asyncapi)],
    ],
    asset(ctx) {
      if (!ctx.path.startsWith(REFERENCE_FOLDER)) return undefined
      const file = Object.values(files()).find(({ path }) => path === ctx.path)
      if (!file) return undefined
      const { type, body, tag } = file
      return sendFixed(writer, ctx, { type, body, tag, headers: { 'cache-control': IMMUTABLE } })
    },
  }
}

function serveDocument(writer: ResponseWriter, build: () => object): Serve {
  const body = once(() => createFixedBody(Buffer.from(JSON.stringify(build())), JSON_TYPE))
  const tag = once(() => etag(createHash('sha256').update(body().bytes).digest('hex')))
  const headers = { 'cache-control': REVALIDATE }
  return async ctx => sendFixed(writer, ctx, { type: JSON_TYPE, body: body(), tag: tag(), headers })
}
