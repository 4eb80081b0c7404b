import { randomBytes } from 'node:crypto'
import { common, type Deps, rawRoute } from '@larder-dev/larder/kernel'
import type { Response } from 'express'
import { createBundle } from '../services/bundle.ts'

/** One nonce for the whole document: React Aria and CodeMirror read it from the `csp-nonce` element. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob: https:",
    "font-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const IMMUTABLE = 'public, max-age=31536000, immutable'

/** `/console` and every path below it answer with the same document; the application shows the screen of the path. */
export function applicationRoutes({ product }: Deps<'product'>) {
  const bundle = createBundle(new URL('../public/', import.meta.url))
  const sendDocument = async (response: Response): Promise<void> => {
    const nonce = randomBytes(16).toString('base64url')
    response
      .set({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy(nonce),
        'cache-control': 'no-store',
      })
      .send(await bundle.document({ nonce, product: product.name }))
  }
  const screen = { method: 'get', allow: 'user', apiKeys: false } as const
  const docs = { replies: { 200: { 'text/html': null } } }
  return [
    rawRoute({
      ...screen,
      path: '/console',
      operationId: 'getConsole',
      summary: 'Returns the console. Redirects browsers that are signed out to the sign-in page.',
      docs,
      handle: (_, response) => sendDocument(response),
    }),
    rawRoute({
      ...screen,
      path: '/console/*',
      operationId: 'getConsoleScreen',
      summary: 'Returns the console at one of its screens.',
      docs,
      handle: (_, response) => sendDocument(response),
    }),
    rawRoute({
      method: 'get',
      path: '/console/assets/:file',
      operationId: 'getConsoleAsset',
      allow: 'public',
      summary: 'Returns a script or style of the console. Its name contains a hash of its content.',
      docs: { replies: { 200: { 'text/javascript': null, 'text/css': null } } },
      async handle(request, response) {
        const file = await bundle.asset(String(request.params.file), request.headers['accept-encoding'])
        if (!file) throw common.not_found({ what: 'file' })
        const { type, bytes, encoding } = file
        response.set({ 'content-type': type, 'cache-control': IMMUTABLE, vary: 'accept-encoding' })
        if (encoding) response.set('content-encoding', encoding)
        response.send(bytes)
      },
    }),
  ]
}
