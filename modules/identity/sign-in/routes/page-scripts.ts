/** The scripts of the pages, which the build copies. */
import { readFileSync } from 'node:fs'
import { once, rawRoute } from '@larder-dev/larder/kernel'
import type { SignInServices } from '../services.ts'

interface PageScript {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** Served as one file, in this order. */
  readonly files: readonly string[]
}

export const pageScripts = ({ settings }: SignInServices) => [
  ...(settings.passkeys
    ? [
        pageScript({
          path: '/sign-in/passkey/script.js',
          operationId: 'getPasskeyScript',
          summary: 'The script of the pages that use passkeys.',
          // The first one is the library for browsers.
          files: ['passkeys/pages/webauthn-browser.js', 'passkeys/pages/passkeys.js'],
        }),
      ]
    : []),
]

function pageScript({ files, ...described }: PageScript) {
  const script = once(() => files.map(name => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')).join('\n'))
  return rawRoute({
    ...described,
    method: 'get',
    allow: 'public',
    docs: { replies: { 200: { 'text/javascript': null } } },
    async handle(_request, response) {
      response.setHeader('cache-control', 'public, max-age=3600')
      response.type('text/javascript').send(script())
    },
  })
}
