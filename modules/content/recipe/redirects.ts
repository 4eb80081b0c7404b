import { newId, type Unit } from '../../../kernel/contract.ts'
import type { Rule } from '../core/redirects.ts'
import { redirectNotice } from '../services/changes.ts'
import type { ReconcileDeps } from './reconcile.ts'

type Managed = Rule & { readonly id: string; readonly managedBy: string }

export async function reconcileRedirects(deps: ReconcileDeps, unit: Unit, planned: readonly Rule[]): Promise<void> {
  const { rows } = await unit.query<Managed>(
    `select id, source as "from", target as "to", status, managed_by as "managedBy" from content_redirects
     where managed_by is not null for update`,
  )
  const wanted = new Map(planned.map(rule => [rule.from, rule]))
  for (const row of rows)
    if (!wanted.has(row.from)) {
      await unit.query('delete from content_redirects where id = $1', [row.id])
      await tell(deps, 'deleted', row)
    }
  for (const rule of planned) {
    const row = rows.find(({ from }) => from === rule.from)
    if (row?.to === rule.to && row?.status === rule.status) continue
    const [id, what] = row ? ([row.id, 'updated'] as const) : ([newId('red', deps.clock.now()), 'created'] as const)
    await tell(deps, what, { ...rule, id: await write(deps, unit, id, rule), managedBy: 'recipe' })
  }
}

/** A redirect of the tenant's own from this path becomes the recipe's. */
async function write({ operator, clock }: ReconcileDeps, unit: Unit, id: string, rule: Rule): Promise<string> {
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
  const payload = redirectNotice(redirect)
  await events.publish(`content.redirect.${what}`, { payload, subject: redirect.id, tenantId: operator.tenantId })
  content.changed(operator.tenantId)
}
