import { common, type Deps, MIB, MINUTE, rawRoute, Type } from 'larder/kernel'
import { providersOf } from '../services/providers/configured-providers.ts'
import { createNewsStore } from '../services/provider-event-repository.ts'
import type { CommsOptions } from '../options.ts'

type IntakeRouteDeps = Deps<'database' | 'clock' | 'jobs', 'mailProvider'>

/** Kept and answered at once; the worker looks at it. */
export function intakeRoutes(deps: IntakeRouteDeps, options: CommsOptions) {
  const providers = new Map(providersOf(deps, options).map(provider => [provider.name, provider]))
  const store = createNewsStore(deps)
  return [
    rawRoute({
      method: 'post',
      path: '/v1/communications/intake/:provider',
      allow: 'signature',
      summary:
        'What a provider of mail tells: delivered, bounced, complained. Signed by the provider; each event counts once.',
      docs: {
        body: { 'application/json': Type.Unknown({ description: 'Events as the provider writes and signs them' }) },
        replies: { 200: { 'application/json': Type.Object({ received: Type.Integer(), new: Type.Integer() }) } },
        problems: [common.bad_signature],
      },
      limits: [{ name: 'communications.intake', points: 1200, window: MINUTE, by: 'ip' }],
      async handle(request, response, { readBody }) {
        const provider = providers.get(String(request.params.provider))
        if (!provider) throw common.not_found({ what: 'provider of mail' })
        const body = await readBody(MIB)
        const news = provider.read({ headers: request.headers, body, now: deps.clock.now() })
        const fresh = news.length === 0 ? 0 : await store.take(provider.name, news)
        response.status(200).json({ received: news.length, new: fresh })
      },
    }),
  ]
}
