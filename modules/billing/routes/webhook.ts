import { common, type Deps, MIB, MINUTE, rawRoute, Type } from 'larder/kernel'
import { problems } from '../problems.ts'

/** Kept and answered at once; the worker looks at it. */
export const webhookRoutes = ({ billing, clock }: Deps<'billing' | 'clock'>) => [
  rawRoute({
    method: 'post',
    path: '/v1/billing/webhook',
    allow: 'signature',
    summary: 'What the payment provider tells, signed by it. Each event counts once.',
    docs: {
      body: { 'application/json': Type.Unknown({ description: 'An event as the provider writes and signs it' }) },
      replies: {
        200: {
          'application/json': Type.Object({
            received: Type.Literal(true),
            new: Type.Integer({ description: 'Of them, that were not known yet' }),
          }),
        },
      },
      problems: [problems.not_a_webhook, common.bad_signature],
    },
    limits: [{ name: 'billing.webhook', points: 1200, window: MINUTE, by: 'ip' }],
    async handle(request, response, { readBody }) {
      const body = await readBody(MIB)
      const news = await billing.provider.read({ headers: request.headers, body, now: clock.now() })
      response.status(200).json({ received: true, new: await billing.intake.take(news) })
    },
  }),
]
