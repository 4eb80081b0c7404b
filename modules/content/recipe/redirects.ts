/** The redirects of the recipe. One of the operator from the same path becomes the recipe's. */
import {
  type Deps,
  diffManagedRows,
  fingerprint,
  type ManagedContext,
  type ManagedRow,
  type ManagedRowsDiff,
  managedSection,
  newId,
} from '@larder-dev/larder/kernel'
import type { RedirectRule } from '../domain/redirect-rules.ts'
import type { ContentOptions } from '../options.ts'
import { RULE_COLUMNS, redirectTable } from '../records/redirect.ts'
import { redirectPayload } from '../services/change-events.ts'
import type { ContentServices } from '../services.ts'
import { redirectsOf } from './declarations.ts'
import type { Sections } from './sections.ts'

type Context = ManagedContext<
  Deps<'clock' | 'database' | 'events' | 'operator'> & Pick<ContentServices, 'siteCache'>,
  ContentOptions,
  Sections
>
interface DeclaredRedirect extends RedirectRule {
  readonly hash: string
}
interface RedirectRow extends RedirectRule, ManagedRow {
  readonly id: string
}

export const diffRedirects = (
  declared: readonly RedirectRule[],
  rows: readonly RedirectRow[],
): ManagedRowsDiff<DeclaredRedirect, RedirectRow> =>
  diffManagedRows<DeclaredRedirect, RedirectRow>(
    declared.map(rule => ({ ...rule, hash: hashOf(rule) })),
    rows,
    { keyOf: ({ from }) => from, isCurrent: (row, { hash }) => hashOf(row) === hash },
  )

const hashOf = ({ from, to, status }: RedirectRule): string => fingerprint({ from, to, status })

const REPLACE = `${redirectTable.replacing(['tenantId', 'from'], ['id', 'createdAt'])} returning id`

export const redirects = managedSection<Context, DeclaredRedirect, RedirectRow>({
  subject: ({ from }) => `redirect ${from}`,
  async diff({ unit, options, recipe }, lock) {
    const { rows } = await unit.query<RedirectRow>(
      `select ${redirectTable.columns(undefined, RULE_COLUMNS)} from content_redirects
       where managed_by is not null ${lock ? 'for update' : ''}`,
    )
    return diffRedirects(redirectsOf(options, recipe), rows)
  },
  describeWrite: ({ declared, row }) => ({
    detail: row ? `${describeTarget(row)} → ${describeTarget(declared)}` : `to ${describeTarget(declared)}`,
  }),
  describeRemoval: ({ row: { from } }) => ({ breaks: `${from} returns 404` }),
  async write(context, { declared, row }) {
    const { clock, operator } = context.deps
    const [id, now] = [row?.id ?? newId('red', clock.now()), new Date(clock.now())]
    const stored = { ...declared, id, tenantId: operator.tenantId, managedBy: 'recipe', createdAt: now, updatedAt: now }
    const { rows } = await context.unit.query<{ id: string }>(...redirectTable.insertStep(stored, REPLACE))
    await publishChange(context, row ? 'updated' : 'created', { ...declared, id: rows[0]?.id ?? id })
  },
  async remove(context, { row }) {
    await context.unit.query(...redirectTable.deleteStep({ id: row.id }))
    await publishChange(context, 'deleted', row)
  },
})

const describeTarget = ({ to, status }: RedirectRule): string => (to === null ? `${status}` : `${to} (${status})`)

async function publishChange(
  { deps: { events, siteCache, operator } }: Context,
  change: 'created' | 'updated' | 'deleted',
  redirect: RedirectRow,
): Promise<void> {
  const { tenantId } = operator
  const payload = redirectPayload(redirect)
  await events.publish(`content.redirect.${change}`, { payload, subject: redirect.id, tenantId })
  siteCache.invalidateAfterCommit(tenantId)
}
