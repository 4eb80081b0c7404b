import { common, type Deps, MIB, MINUTE, named, rawRoute, Type } from '@larder-dev/larder/kernel'
import type { CommsOptions } from '../options.ts'
import { createProviderEventService } from '../services/provider-event-service.ts'
import { configuredProviders } from '../services/providers/configured-providers.ts'

const Received = named('ReceivedEmailEvents', Type.Object({ received: Type.Integer(), new: Type.Integer() }))

/** Stores events and replies at once; a worker processes them. */
export function providerEventRoutes(
  deps: Deps<'database' | 'systemDatabase' | 'clock' | 'jobs' | 'providerInbox', 'mailProvider'>,
  options: CommsOptions,
) {
  const providers = new Map(configuredProviders(deps, options).map(provider => [provider.name, provider]))
  const providerEvents = createProviderEventService(deps)
  return [
    rawRoute({
      method: 'post',
      path: '/v1/communications/intake/:provider',
      operationId: 'receiveEmailEvents',
      allow: 'signature',
      summary: 'Receives signed delivery events from an email provider. Each event is processed once.',
      docs: {
        body: { 'application/json': Type.Unknown({ description: 'Events in the format of the provider' }) },
        replies: { 200: { 'application/json': Received } },
        problems: [common.bad_signature],
      },
      limits: [{ name: 'communications.intake', points: 1200, window: MINUTE, by: 'ip' }],
      async handle(request, response, { readBody }) {
        const provider = providers.get(String(request.params.provider))
        if (!provider) throw common.not_found({ what: 'provider of mail' })
        const body = await readBody(MIB)
        const events = provider.read({ headers: request.headers, body, now: deps.clock.now() })
        const added = events.length === 0 ? 0 : await providerEvents.receive(provider.name, events)
        response.status(200).json({ received: events.length, new: added })
      },
    }),
  ]
}
