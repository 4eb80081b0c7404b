import { readFileSync } from 'node:fs'
import { once, rawRoute } from '@larder-dev/larder/kernel'
import type { IdentityServices } from '../services.ts'

const script = once(() => readFileSync(new URL('../pages/challenge.js', import.meta.url), 'utf8'))

export const challengeScript = ({ settings }: IdentityServices) =>
  settings.challengeAfter === undefined
    ? []
    : [
        rawRoute({
          method: 'get',
          path: '/sign-in/challenge/script.js',
          operationId: 'getChallengeScript',
          summary: 'The script of the sign-in page that solves challenges.',
          allow: 'public',
          docs: { replies: { 200: { 'text/javascript': null } } },
          async handle(_request, response) {
            response.setHeader('cache-control', 'public, max-age=3600')
            response.type('text/javascript').send(script())
          },
        }),
      ]
