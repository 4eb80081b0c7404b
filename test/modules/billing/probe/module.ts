/** A module that uses entitlements as a team's module would. */
import { common, defineModule, reply, route, Type } from '../../../../kernel/index.ts'
import type {} from '../../../../modules/billing/ports.ts'

const USE = 'probe.thing.use'

export default defineModule({
  name: 'probe',
  needs: ['database', 'systemDatabase'],
  optional: ['entitlements'],
  permissions: { [USE]: 'Use things' },
  routes: ({ database, systemDatabase, entitlements }) => [
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
      problems: ['entitlement_exceeded', common.conflict],
      unit: 'own',
      async handle({ tenantId, params, body: { amount, fails, across } }) {
        const unit = across
          ? systemDatabase.acrossTenants('a test works outside any tenant')
          : database.tenant(tenantId)
        await unit.transaction(async () => {
          await entitlements?.require(tenantId, params.key, amount)
          if (fails) throw common.conflict()
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
      handle: async ({ tenantId, params }) => entitlements?.check(tenantId, params.key, 5),
    }),
  ],
})
