/** A module that uses what was bought, as any module of a team would. */
import { common, defineModule, reply, route, Type } from '../../../../kernel/index.ts'
import type {} from '../../../../modules/billing/ports.ts'

const USE = 'probe.thing.use'

export default defineModule({
  name: 'probe',
  needs: ['database'],
  optional: ['entitlements'],
  permissions: { [USE]: 'Use things' },
  routes: ({ database, entitlements }) => [
    route({
      method: 'post',
      path: '/probe/:key',
      allow: USE,
      body: Type.Object({
        amount: Type.Optional(Type.Number()),
        fails: Type.Optional(Type.Boolean()),
        across: Type.Optional(Type.Boolean()),
      }),
      replies: { 204: null },
      unit: 'own',
      async handle({ tenantId, params, body: { amount, fails, across } }) {
        const unit = across ? database.system('a test looks from outside') : database.tenant(tenantId)
        await unit.transaction(async () => {
          await entitlements?.require(tenantId, params.key, amount)
          if (fails) throw common.conflict({ reason: 'It went wrong.' })
        })
        return reply(204)
      },
    }),
    route({
      method: 'get',
      path: '/probe/plan',
      allow: USE,
      replies: { 200: Type.Unknown() },
      handle: async ({ tenantId }) => entitlements?.of(tenantId),
    }),
    route({
      method: 'get',
      path: '/probe/standing/:key',
      allow: USE,
      replies: { 200: Type.Unknown() },
      handle: async ({ tenantId, params }) => entitlements?.standing(tenantId, params.key, 5),
    }),
  ],
})
