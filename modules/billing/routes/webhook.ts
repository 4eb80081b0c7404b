import { common, type Deps, MIB, MINUTE, named, rawRoute, Type } from '@larder-dev/larder/kernel'
import { problems } from '../problems.ts'
import type { BillingServices } from '../services.ts'

/** Stores events and replies at once; a worker processes them. */
type RouteDeps = Deps<'clock'> & Pick<BillingServices, 'provider' | 'providerEvents'>

export const webhookRoutes = ({ clock, provider, providerEvents }: RouteDeps) => [
  rawRoute({
    method: 'post',
    path: '/v1/billing/webhook',
    operationId: 'receivePaymentEvents',
    allow: 'signature',
    summary: 'Receives signed events from the payment provider. Each event is processed once.',
    docs: {
      body: { 'application/json': Type.Unknown({ description: 'An event in the format of the provider' }) },
      replies: {
        200: {
          'application/json': named(
            'ReceivedPaymentEvents',
            Type.Object({
              received: Type.Literal(true),
              new: Type.Integer({ description: 'Number of events that were not received before' }),
            }),
          ),
        },
      },
      problems: [problems.not_a_webhook, problems.unreadable_event, common.bad_signature],
    },
    limits: [{ name: 'billing.webhook', points: 1200, window: MINUTE, by: 'ip' }],
    async handle(request, response, { readBody }) {
      const body = await readBody(MIB)
      const events = await provider.parseWebhook({ headers: request.headers, body, now: clock.now() })
      response.status(200).json({ received: true, new: await providerEvents.receive(events) })
    },
  }),
]
