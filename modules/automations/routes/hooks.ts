/** One route for each hook. */
import { common, KIB, MINUTE, named, rawRoute, Type } from '@larder-dev/larder/kernel'
import { inputObject } from '../domain/definition/input-fields.ts'
import { receiveOperation } from '../domain/names.ts'
import type { AutomationServices } from '../services.ts'

const MAX_BODY = 64 * KIB
export const HOOK_LIMIT = { name: 'automations.hook', points: 1200, window: MINUTE, by: 'ip' } as const

const Received = named(
  'ReceivedHookDelivery',
  Type.Object({
    received: Type.Literal(true),
    started: Type.Boolean({
      description:
        'False for a delivery that was received before, and for one without the conditions of the automation',
    }),
  }),
)

export const hookRoutes = ({ definitions, deliveries }: Pick<AutomationServices, 'definitions' | 'deliveries'>) =>
  [...definitions.current.values()].flatMap(automation => {
    const { key, trigger } = automation
    if (trigger.kind !== 'hook') return []
    return rawRoute({
      method: 'post',
      path: `/v1/hooks/${key}`,
      operationId: receiveOperation(key),
      allow: 'signature',
      summary: `Receives a signed delivery, which starts the automation ${key} once.`,
      docs: {
        body: { 'application/json': trigger.input ? inputObject(trigger.input, false) : Type.Unknown() },
        replies: { 202: { 'application/json': Received } },
        problems: [common.bad_signature, common.validation_failed],
      },
      limits: [HOOK_LIMIT],
      async handle(request, response, { readBody }) {
        const body = await readBody(MAX_BODY)
        const started = await deliveries.receive(automation, trigger, { headers: request.headers, body })
        response.status(202).json({ received: true, started })
      },
    })
  })
