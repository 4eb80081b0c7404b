/** What a recipe changes of the entitlements that the last one had: read, told, done. */

import { fingerprint, type RecipeChange, type Unit } from 'larder/kernel'
import type { RecipeEntitlement, Sections } from './sections.ts'

export interface EntitlementRow {
  readonly key: string
  readonly says: RecipeEntitlement
  /** Tenants with credits of it that are left. */
  readonly holders: number
}
interface Wanted {
  readonly key: string
  readonly says: RecipeEntitlement
}
export interface EntitlementDiff {
  readonly add: readonly Wanted[]
  readonly change: readonly { readonly row: EntitlementRow; readonly says: RecipeEntitlement }[]
  readonly remove: readonly EntitlementRow[]
}

export async function readEntitlementDiff(
  unit: Unit,
  entitlements: Sections['entitlements'] | undefined,
): Promise<EntitlementDiff> {
  const { rows } = await unit.query<EntitlementRow>(
    `select e.key, e.says, (select count(distinct tenant_id)::int from billing_credit_lots l
       where l.key = e.key and l.remaining > 0) as holders
     from billing_entitlements e order by e.key`,
  )
  return diffEntitlements(rows, entitlements)
}

export function diffEntitlements(
  rows: readonly EntitlementRow[],
  entitlements: Sections['entitlements'] = {},
): EntitlementDiff {
  const there = new Map(rows.map(row => [row.key, row]))
  const wanted = Object.entries(entitlements).map(([key, says]) => ({ key, says }))
  return {
    add: wanted.filter(({ key }) => !there.has(key)),
    change: wanted.flatMap(({ key, says }) => {
      const row = there.get(key)
      return row && fingerprint(row.says) !== fingerprint(says) ? [{ row, says }] : []
    }),
    remove: rows.filter(({ key }) => !Object.hasOwn(entitlements, key)),
  }
}

export const entitlementChanges = ({ add, change, remove }: EntitlementDiff): RecipeChange[] => [
  ...add.map(({ key, says }) => ({ change: 'add' as const, subject: `entitlement ${key}`, detail: says.kind })),
  ...change.map(({ row, says }) => ({
    change: 'change' as const,
    subject: `entitlement ${row.key}`,
    detail: row.says.kind === says.kind ? 'what it says' : `kind ${row.says.kind} → ${says.kind}`,
    ...(row.says.kind !== says.kind && lost(row)),
  })),
  ...remove.map(row => ({
    change: 'remove' as const,
    subject: `entitlement ${row.key}`,
    ...(row.says.kind !== 'credit' && { detail: 'nobody is limited by it any more' }),
    ...lost(row),
  })),
]

const lost = ({ says, holders }: EntitlementRow): { breaks?: string } =>
  says.kind === 'credit' && holders > 0
    ? { breaks: `credits that ${holders === 1 ? '1 tenant has' : `${holders} tenants have`} cannot be drawn any more` }
    : {}

export async function reconcileEntitlements(unit: Unit, diff: EntitlementDiff, now: Date): Promise<void> {
  const wanted = [...diff.add, ...diff.change.map(({ row, says }) => ({ key: row.key, says }))]
  for (const { key, says } of wanted)
    await unit.query(
      `insert into billing_entitlements (key, says, created_at, updated_at) values ($1, $2, $3, $3)
       on conflict (key) do update set says = excluded.says, updated_at = excluded.updated_at`,
      [key, JSON.stringify(says), now],
    )
  await unit.query('delete from billing_entitlements where key = any ($1)', [diff.remove.map(({ key }) => key)])
}
