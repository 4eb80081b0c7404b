import { type Deps, defineModule, route, Type } from '../../kernel/index.ts'
import type {} from '../../modules/billing/ports.ts'

const INSERT = 'insert into metered_log (tenant_id) values ($1)'
/** The number of seats of a team. It stays the same in every round. */
const THINGS = 20

/** Milliseconds of a transaction, with or without an entitlement check. */
async function timed({ database, entitlements }: Deps<'database', 'entitlements'>, tenantId: string, key?: string) {
  const began = performance.now()
  await database.tenant(tenantId).transaction(async unit => {
    if (key !== undefined) await entitlements?.require(tenantId, key)
    await unit.query(INSERT, [tenantId])
  })
  return performance.now() - began
}

/** The module of the billing benchmark: a transaction that adds a row, measured in the handler. */
export default defineModule({
  name: 'metered',
  needs: ['database'],
  optional: ['entitlements'],
  permissions: { 'metered.thing.create': 'Make things' },
  usage: {
    'metered.things': async ({ database }, tenantId) => {
      const { rows } = await database
        .tenant(tenantId)
        .query<{ count: string }>('select count(*) as count from metered_things where tenant_id = $1', [tenantId])
      return Number(rows[0]?.count)
    },
  },
  routes: deps => [
    route({
      method: 'post',
      path: '/metered/measure',
      allow: 'metered.thing.create',
      body: Type.Object({ rounds: Type.Integer() }),
      replies: { 200: Type.Record(Type.String(), Type.Array(Type.Number())) },
      unit: 'own',
      async handle({ tenantId, body }) {
        const took = { without: [] as number[], gauge: [] as number[], unlimited: [] as number[] }
        await deps.database.tenant(tenantId).query(
          `insert into metered_things (tenant_id) select $1 from generate_series(1, $2)
             where not exists (select 1 from metered_things)`,
          [tenantId, THINGS],
        )
        // Alternates, so that other load of the machine affects all variants.
        for (let round = 0; round < body.rounds; round++) {
          took.without.push(await timed(deps, tenantId))
          took.gauge.push(await timed(deps, tenantId, 'metered.things'))
          took.unlimited.push(await timed(deps, tenantId, 'metered.free'))
        }
        return took
      },
    }),
  ],
  migrations: new URL('./migrations/', import.meta.url),
})
