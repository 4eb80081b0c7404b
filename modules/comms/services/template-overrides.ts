/** Texts that tenants write to override the product's mail templates. */
import { type Deps, type MailText, Problem, statement } from '@larder-dev/larder/kernel'
import type { LocalMailText } from '@larder-dev/larder/kernel/internal'
import { problems } from '../problems.ts'

export interface TemplateOverride extends LocalMailText {
  readonly template: string
  readonly createdAt: Date
  readonly updatedAt: Date
}
export interface TemplateOverrides {
  /** Overrides of one template in every locale. */
  forTemplate(tenantId: string, template: string): Promise<TemplateOverride[]>
  /** Template → locales of the tenant's overrides. */
  locales(tenantId: string): Promise<ReadonlyMap<string, readonly string[]>>
  write(
    tenantId: string,
    template: string,
    locale: string,
    text: MailText,
  ): Promise<{ override: TemplateOverride; created: boolean }>
  /** Throws `not_overridden`. */
  remove(tenantId: string, template: string, locale: string): Promise<void>
}

const COLUMNS = `template, locale, subject, preheader, html, text, created_at as "createdAt", updated_at as "updatedAt"`

const WRITE = statement(
  `insert into comms_templates (tenant_id, template, locale, subject, preheader, html, text, created_at, updated_at)
   values ($tenantId, $template, $locale, $subject, $preheader, $html, $text, $now, $now)
   on conflict (tenant_id, template, locale) do update set subject = excluded.subject,
     preheader = excluded.preheader, html = excluded.html, text = excluded.text, updated_at = excluded.updated_at
   -- An updated row was locked, so its xmax isn't 0.
   returning ${COLUMNS}, xmax = 0 as created`,
)

export function createTemplateOverrides({ database, clock }: Deps<'database' | 'clock'>): TemplateOverrides {
  return {
    async forTemplate(tenantId, template) {
      const { rows } = await database
        .tenant(tenantId)
        .query<TemplateOverride>(`select ${COLUMNS} from comms_templates where template = $1`, [template])
      return rows
    },
    async locales(tenantId) {
      const { rows } = await database
        .tenant(tenantId)
        .query<{ template: string; locales: string[] }>(
          'select template, array_agg(locale order by locale) as locales from comms_templates group by template',
        )
      return new Map(rows.map(({ template, locales }) => [template, locales]))
    },
    async write(tenantId, template, locale, { subject, preheader, html, text }) {
      const values = { tenantId, template, locale, subject, preheader, html, text, now: new Date(clock.now()) }
      const { rows } = await database.tenant(tenantId).query<TemplateOverride & { created: boolean }>(...WRITE(values))
      const { created, ...override } = rows[0] as TemplateOverride & { created: boolean }
      return { override, created }
    },
    async remove(tenantId, template, locale) {
      const { rowCount } = await database
        .tenant(tenantId)
        .query('delete from comms_templates where template = $1 and locale = $2', [template, locale])
      if (rowCount === 0) throw problems.not_overridden({ template })
    },
  }
}

/**
 * Renders with the tenant's overrides, and with the product's template if they fail: an error in an override must not
 * prevent an email. `overrideError` holds that error.
 */
export async function withOverrides<T>(
  overrides: readonly LocalMailText[],
  render: (overrides: readonly LocalMailText[]) => Promise<T>,
): Promise<{ result: T; overrideError?: string }> {
  if (overrides.length === 0) return { result: await render([]) }
  try {
    return { result: await render(overrides) }
  } catch (error) {
    if (!Problem.is(error) || (error.code !== 'template_failed' && error.code !== 'template_invalid')) throw error
    return { result: await render([]), overrideError: `the override was ignored: ${error.message}` }
  }
}
