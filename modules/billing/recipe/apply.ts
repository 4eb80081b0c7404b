/** Brings the recipe's plans into the database, where they outlive it while somebody has them. */
import type { Deps, RecipeView, Unit } from 'larder/kernel'
import { diffPlans, type PlanDiff, type PlanRow } from './diff.ts'
import { readEntitlementDiff, reconcileEntitlements } from './entitlements.ts'
import type { Sections } from './sections.ts'

export async function readPlanDiff(unit: Unit, plans: Sections['plans'] | undefined): Promise<PlanDiff> {
  const { rows } = await unit.query<PlanRow>(
    `select p.key, p.says, p.hash, p.retired,
       (select count(*)::int from billing_subscriptions s where s.plan_key = p.key) as subscribers
     from billing_plans p order by p.key`,
  )
  return diffPlans(rows, plans)
}

export async function reconcile(
  { database, clock }: Deps<'database' | 'clock'>,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): Promise<void> {
  await database.system("the recipe's plans belong to no tenant").transaction(async unit => {
    const now = new Date(clock.now())
    await reconcileEntitlements(unit, await readEntitlementDiff(unit, sections.entitlements), now)
    const { add, change, remove } = await readPlanDiff(unit, sections.plans)
    for (const { key, says, hash } of [...add, ...change.map(({ wanted }) => wanted)])
      await unit.query(
        `insert into billing_plans (key, says, hash, created_at, updated_at) values ($1, $2, $3, $4, $4)
         on conflict (key) do update set says = excluded.says, hash = excluded.hash, retired = false,
           updated_at = excluded.updated_at`,
        [key, JSON.stringify(says), hash, now],
      )
    for (const { key } of remove)
      await unit.query(
        `with kept as (update billing_plans set retired = true, updated_at = $2
           where key = $1 and exists (select 1 from billing_subscriptions where plan_key = $1) returning key)
         delete from billing_plans where key = $1 and not exists (select 1 from kept)`,
        [key, now],
      )
  })
}
