import { newId, type Unit } from 'larder/kernel'
import type { RedirectRule } from '../domain/redirect-rules.ts'
import { redirectPayload } from '../services/change-events.ts'
import { diffRedirects, type RedirectDiff, type RedirectRow } from './diff.ts'
import type { ReconcileDeps } from './apply.ts'

type Managed = RedirectRule & { readonly id: string; readonly managedBy: string }

/** @param held for who is going to change what it finds. */
export async function readRedirectDiff(unit: Unit, planned: readonly RedirectRule[], held: boolean): Promise<RedirectDiff> {
  const { rows } = await unit.query<RedirectRow>(
    `select id, source as "from", target as "to", status from content_redirects
     where managed_by is not null ${held ? 'for update' : ''}`,
  )
  return diffRedirects(planned, rows)
}

export async function reconcileRedirects(deps: ReconcileDeps, unit: Unit, planned: readonly RedirectRule[]): Promise<void> {
  const { changes, gone } = await readRedirectDiff(unit, planned, true)
  for (const row of gone) {
    await unit.query('delete from content_redirects where id = $1', [row.id])
    await tell(deps, 'deleted', { ...row, managedBy: 'recipe' })
  }
  for (const { rule, row } of changes) {
    const [id, what] = row ? ([row.id, 'updated'] as const) : ([newId('red', deps.clock.now()), 'created'] as const)
    await tell(deps, what, { ...rule, id: await write(deps, unit, id, rule), managedBy: 'recipe' })
  }
}

/** A redirect of the tenant's own from this path becomes the recipe's. */
async function write({ operator, clock }: ReconcileDeps, unit: Unit, id: string, rule: RedirectRule): Promise<string> {
  const { rows } = await unit.query<{ id: string }>(
    `insert into content_redirects (tenant_id, id, source, target, status, managed_by, editable, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'recipe', false, $6, $6)
     on conflict (tenant_id, source) do update set target = excluded.target, status = excluded.status,
       managed_by = 'recipe', editable = false, updated_at = excluded.updated_at
     returning id`,
    [operator.tenantId, id, rule.from, rule.to, rule.status, new Date(clock.now())],
  )
  return rows[0]?.id ?? id
}

async function tell(
  { events, content, operator }: ReconcileDeps,
  what: 'created' | 'updated' | 'deleted',
  redirect: Managed,
): Promise<void> {
  const payload = redirectPayload(redirect)
  await events.publish(`content.redirect.${what}`, { payload, subject: redirect.id, tenantId: operator.tenantId })
  content.changed(operator.tenantId)
}
