import type { Deps, RecipeChange } from 'larder/kernel'

const WHY = 'a recipe is planned for every tenant'

/** What hangs on templates that the recipe no longer has: own texts of tenants, and mail that waits. */
export async function plan({
  database,
  mailTemplates,
}: Deps<'database' | 'mailTemplates'>): Promise<readonly RecipeChange[]> {
  const known = mailTemplates.list().map(({ key }) => key)
  const { rows } = await database.system(WHY).query<{ template: string; tenants: number; waiting: number }>(
    `select template, sum(tenants)::int as tenants, sum(waiting)::int as waiting
       from (select template, count(distinct tenant_id) as tenants, 0 as waiting
               from comms_templates where template <> all ($1) group by template
             union all
             select template, 0, count(*)
               from comms_messages where status = any ($2) and template <> all ($1) group by template) as gone
      group by template order by template`,
    [known, ['queued', 'sending']],
  )
  return rows.map(({ template, tenants, waiting }) => ({
    change: 'remove',
    subject: `mail template ${template}, where it is in use`,
    detail: 'no module and no recipe brings it',
    breaks: [
      ...(tenants > 0 ? [`${count(tenants, 'tenant')} wrote an own text of it, which stays unused`] : []),
      ...(waiting > 0 ? [`${count(waiting, 'mail')} that ${waiting === 1 ? 'waits' : 'wait'} cannot be sent`] : []),
    ].join('; '),
  }))
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`
