/** A module with three ways to sign in: a badge, a plate without a strategy, and a provider that the browser is redirected to. */
import { randomUUID } from 'node:crypto'
import { defineModule, Type } from '@larder-dev/larder/kernel'
import type { Request } from 'express'
import passport from 'passport'
import type { VerifiedUser } from '../../../../../modules/identity/ports.ts'

export const PROVIDER = 'https://id.example.test'

/** Signs in the user whose id the badge names. */
class BadgeStrategy extends passport.Strategy {
  override authenticate(request: Request): void {
    const { body, headers, method, ip, socket } = request
    const [, userId] = /^badge-(usr_\w+)$/.exec(String(body?.badge)) ?? []
    if (headers['x-reader'] === 'broken') this.error(new Error('the badge reader is broken'))
    else if (headers['x-reader'] === 'lost') this.redirect(PROVIDER)
    else if (headers['x-reader'] === 'door' && method === 'POST' && ip === socket.remoteAddress)
      this.success({ userId: String(headers['x-door']) } satisfies VerifiedUser)
    else if (userId) this.success({ userId } satisfies VerifiedUser)
    else this.fail('unknown badge')
  }
}

/** Redirects with a state that it keeps in the session, as OAuth 2.0 does. The code of the provider is a JSON object. */
class ProviderStrategy extends passport.Strategy {
  override authenticate(request: Request): unknown {
    const { code, state } = request.query
    const { session } = request as Request & { session: { state?: string } }
    if (request.query.error !== undefined) return this.fail('denied')
    if (typeof code !== 'string') {
      session.state = randomUUID()
      return this.redirect(`${PROVIDER}/authorize?state=${session.state}`)
    }
    if (session.state === undefined || state !== session.state) return this.fail('invalid state')
    return this.success(JSON.parse(code) as VerifiedUser)
  }
}

export default defineModule({
  name: 'badges',
  options: Type.Object({ also: Type.Optional(Type.String()) }),
  signInMethods: (_deps, { also }) => [
    { name: 'badge', label: 'Badge', flow: 'credentials', strategy: () => new BadgeStrategy() },
    {
      name: 'plate',
      label: 'Plate',
      flow: 'credentials',
      verify: async body => {
        const [, userId] = /^plate-(usr_\w+)$/.exec(String((body as { plate?: unknown }).plate)) ?? []
        return userId === undefined ? null : ({ userId } satisfies VerifiedUser)
      },
    },
    { name: 'acme-id', label: 'Acme ID', flow: 'redirect', strategy: async () => new ProviderStrategy() },
    ...(also === undefined
      ? []
      : [{ name: also, label: also, flow: 'redirect' as const, strategy: () => new BadgeStrategy() }]),
  ],
})
