/** The API documentation: Swagger UI, and the OpenAPI and AsyncAPI documents. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { etag, once } from 'larder/kernel'
import { createFixedBody, type FixedBody } from './content-encoding.ts'
import { sendFixed } from './encoded-response.ts'
import { docsPolicy } from './headers.ts'
import { docsPage, docsScript } from './html.ts'
import type { Serve } from './pipeline.ts'
import type { RequestContext } from './request-context.ts'
import { JSON_TYPE, type ResponseWriter } from './response-writer.ts'

export interface DocsDeps {
  readonly product: string
  readonly writer: ResponseWriter
  readonly openapi: () => Readonly<Record<string, unknown>>
  readonly asyncapi: () => Readonly<Record<string, unknown>>
}

interface DocsFile {
  readonly type: string
  readonly body: FixedBody
  /** With a hash of the content: `/assets/docs/start.3f9c….js`. */
  readonly path: string
  readonly tag: string
}

const HTML = 'text/html; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}
export const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'
const FOLDER = '/assets/docs/'
const SCRIPT = 'start.js'
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', SCRIPT]

export interface Docs {
  /** Path → handler. */
  readonly endpoints: readonly (readonly [path: string, serve: Serve])[]
  /** Serves the files at paths with a hash. Returns undefined for other paths. */
  asset(ctx: RequestContext): Promise<void> | undefined
}

export function createDocs({ product, writer, openapi, asyncapi }: DocsDeps): Docs {
  const policy = { 'content-security-policy': docsPolicy }
  // Read at the first request, because most processes never serve them.
  const files = once(loadFiles)
  const page = once(() => {
    const path = (name: string) => files().get(name)?.path ?? ''
    return createFixedBody(Buffer.from(docsPage(product, path)), HTML)
  })
  const sendFile = (ctx: RequestContext, { type, body, tag }: DocsFile, cacheControl: string): Promise<void> =>
    sendFixed(writer, ctx, { type, body, tag, headers: { ...policy, 'cache-control': cacheControl } })
  return {
    endpoints: [
      [
        '/docs',
        async ctx =>
          sendFixed(writer, ctx, { type: HTML, body: page(), headers: { ...policy, 'cache-control': REVALIDATE } }),
      ],
      // For clients that link to the plain names.
      ...FILES.map(
        name =>
          [`/docs/${name}`, async ctx => sendFile(ctx, files().get(name) as DocsFile, REVALIDATE)] as [string, Serve],
      ),
      ['/v1/platform/openapi.json', serveDocument(writer, openapi)],
      ['/v1/platform/asyncapi.json', serveDocument(writer, asyncapi)],
    ],
    asset(ctx) {
      if (!ctx.path.startsWith(FOLDER)) return undefined
      const file = [...files().values()].find(({ path }) => path === ctx.path)
      return file && sendFile(ctx, file, IMMUTABLE)
    },
  }
}

function serveDocument(writer: ResponseWriter, build: () => object): Serve {
  const body = once(() => createFixedBody(Buffer.from(JSON.stringify(build())), JSON_TYPE))
  const tag = once(() => etag(hashOf(body().bytes)))
  const headers = { 'cache-control': REVALIDATE }
  return async ctx => sendFixed(writer, ctx, { type: JSON_TYPE, body: body(), tag: tag(), headers })
}

function loadFiles(): ReadonlyMap<string, DocsFile> {
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const bytesOf = (name: string) => (name === SCRIPT ? Buffer.from(docsScript) : readFileSync(join(root, name)))
  return new Map(FILES.map(name => [name, docsFile(name, bytesOf(name))]))
}

function docsFile(name: string, bytes: Buffer): DocsFile {
  const extension = extname(name)
  const type = TYPES[extension] ?? 'application/octet-stream'
  const hash = hashOf(bytes)
  const path = `${FOLDER}${name.slice(0, -extension.length)}.${hash.slice(0, 16)}${extension}`
  return { type, body: createFixedBody(bytes, type), path, tag: etag(hash) }
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
