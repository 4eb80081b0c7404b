import type { Deps, RecipeChange } from '@larder-dev/larder/kernel'

/** Lists overrides and queued messages that use templates which no longer exist. */
export async function plan({
  systemDatabase,
  mailTemplates,
}: Deps<'systemDatabase' | 'mailTemplates'>): Promise<readonly RecipeChange[]> {
  const known = mailTemplates.list().map(({ key }) => key)
  const { rows } = await systemDatabase
    .acrossTenants('uses of removed templates are counted in every tenant')
    .query<{ template: string; tenants: number; queued: number }>(
      `select template, sum(tenants)::int as tenants, sum(queued)::int as queued
       from (select template, count(distinct tenant_id) as tenants, 0 as queued
               from comms_templates where template <> all ($1) group by template
             union all
             select template, 0, count(*)
               from comms_messages where status = any ($2) and template <> all ($1) group by template) as removed
      group by template order by template`,
      [known, ['queued', 'sending']],
    )
  return rows.map(({ template, tenants, queued }) => ({
    change: 'remove',
    subject: `mail template ${template} in use`,
    detail: 'no module or recipe provides it',
    breaks: [
      ...(tenants > 0
        ? [`${count(tenants, 'tenant')} ${tenants === 1 ? 'has' : 'have'} an override that stays unused`]
        : []),
      ...(queued > 0 ? [`${count(queued, 'queued message')} can't be sent`] : []),
    ].join('; '),
  }))
}

const count = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? '' : 's'}`
