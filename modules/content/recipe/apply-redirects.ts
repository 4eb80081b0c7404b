import { type Deps, newId, type Unit } from '@larder-dev/larder/kernel'
import type { RedirectRule } from '../domain/redirect-rules.ts'
import { RULE_COLUMNS, redirectTable } from '../records/redirect.ts'
import { redirectPayload } from '../services/change-events.ts'
import type { ContentServices } from '../services.ts'
import { diffRedirects, type RedirectDiff, type RedirectRow } from './diff.ts'

type ApplyDeps = Deps<'clock' | 'events' | 'operator'> & Pick<ContentServices, 'siteCache'>

/** @param lock locks the rows until the unit ends. */
export async function readRedirectDiff(
  unit: Unit,
  declared: readonly RedirectRule[],
  { lock }: { readonly lock: boolean },
): Promise<RedirectDiff> {
  const { rows } = await unit.query<RedirectRow>(
    `select ${redirectTable.columns(undefined, RULE_COLUMNS)} from content_redirects
     where managed_by is not null ${lock ? 'for update' : ''}`,
  )
  return diffRedirects(declared, rows)
}

export async function applyRedirects(deps: ApplyDeps, unit: Unit, declared: readonly RedirectRule[]): Promise<void> {
  const { writes, gone } = await readRedirectDiff(unit, declared, { lock: true })
  for (const row of gone) {
    await unit.query('delete from content_redirects where id = $1', [row.id])
    await publishChange(deps, 'deleted', row)
  }
  for (const { rule, row } of writes) {
    const [id, change] = row ? ([row.id, 'updated'] as const) : ([newId('red', deps.clock.now()), 'created'] as const)
    await publishChange(deps, change, { ...rule, id: await writeRedirect(deps, unit, id, rule) })
  }
}

/** A redirect of the tenant from this path becomes the recipe's. Returns the id of the row. */
async function writeRedirect(
  { operator, clock }: ApplyDeps,
  unit: Unit,
  id: string,
  rule: RedirectRule,
): Promise<string> {
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

async function publishChange(
  { events, siteCache, operator }: ApplyDeps,
  change: 'created' | 'updated' | 'deleted',
  redirect: RedirectRow,
): Promise<void> {
  const { tenantId } = operator
  await events.publish(`content.redirect.${change}`, {
    payload: redirectPayload(redirect),
    subject: redirect.id,
    tenantId,
  })
  siteCache.invalidateAfterCommit(tenantId)
}
