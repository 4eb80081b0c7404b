/** Writes the recipe's plans and entitlements to the database. Plans with subscribers outlive the recipe. */
import type { Deps, RecipeView, Unit } from '@larder-dev/larder/kernel'
import { declaredPlans } from '../domain/plans.ts'
import {
  diffEntitlements,
  diffPlans,
  type EntitlementDiff,
  type EntitlementRow,
  type PlanDiff,
  type PlanRow,
} from './diff.ts'
import type { Sections } from './sections.ts'

export async function readPlanDiff(unit: Unit, plans: Sections['plans'] | undefined): Promise<PlanDiff> {
  const { rows } = await unit.query<PlanRow>(
    `select p.key, p.definition, p.hash, p.retired,
       (select count(*)::int from billing_subscriptions s where s.plan_key = p.key) as subscribers
     from billing_plans p order by p.key`,
  )
  return diffPlans(rows, plans)
}

export async function readEntitlementDiff(
  unit: Unit,
  entitlements: Sections['entitlements'] | undefined,
): Promise<EntitlementDiff> {
  const { rows } = await unit.query<EntitlementRow>(
    `select e.key, e.definition, (select count(distinct tenant_id)::int from billing_credit_lots l
       where l.key = e.key and l.remaining > 0) as holders
     from billing_entitlements e order by e.key`,
  )
  return diffEntitlements(rows, entitlements)
}

export async function apply(
  { systemDatabase, clock }: Deps<'systemDatabase' | 'clock'>,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): Promise<void> {
  const system = systemDatabase.acrossTenants('plans and entitlements of the recipe belong to no tenant')
  await system.transaction(async unit => {
    const now = new Date(clock.now())
    await applyEntitlements(unit, await readEntitlementDiff(unit, sections.entitlements), now)
    await applyPlans(unit, await readPlanDiff(unit, declaredPlans(sections)), now)
  })
}

async function applyEntitlements(unit: Unit, { add, change, remove }: EntitlementDiff, now: Date): Promise<void> {
  for (const { key, definition } of [...add, ...change.map(({ wanted }) => wanted)])
    await unit.query(
      `insert into billing_entitlements (key, definition, created_at, updated_at) values ($1, $2, $3, $3)
       on conflict (key) do update set definition = excluded.definition, updated_at = excluded.updated_at`,
      [key, JSON.stringify(definition), now],
    )
  await unit.query('delete from billing_entitlements where key = any ($1)', [remove.map(({ key }) => key)])
}

async function applyPlans(unit: Unit, { add, change, remove }: PlanDiff, now: Date): Promise<void> {
  for (const { key, definition, hash } of [...add, ...change.map(({ wanted }) => wanted)])
    await unit.query(
      `insert into billing_plans (key, definition, hash, created_at, updated_at) values ($1, $2, $3, $4, $4)
       on conflict (key) do update set definition = excluded.definition, hash = excluded.hash, retired = false,
         updated_at = excluded.updated_at`,
      [key, JSON.stringify(definition), hash, now],
    )
  for (const { key } of remove)
    await unit.query(
      `with retired as (update billing_plans set retired = true, updated_at = $2
         where key = $1 and exists (select 1 from billing_subscriptions where plan_key = $1) returning key)
       delete from billing_plans where key = $1 and not exists (select 1 from retired)`,
      [key, now],
    )
}
