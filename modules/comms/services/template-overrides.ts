/** Texts that tenants write to override the product's mail templates. */
import { type Deps, type MailText, Problem } from '@larder-dev/larder/kernel'
import type { LocalMailText } from '@larder-dev/larder/kernel/internal'
import { problems } from '../problems.ts'
import { overrideTable, type TemplateOverride } from '../records/template-override.ts'

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

/** An updated row was locked, so its xmax isn't 0. */
const REPLACE = `${overrideTable.replacing(['tenantId', 'template', 'locale'], ['createdAt'])}
  returning ${overrideTable.columns()}, xmax = 0 as created`

export function createTemplateOverrides({ database, clock }: Deps<'database' | 'clock'>): TemplateOverrides {
  return {
    forTemplate: (tenantId, template) => overrideTable.findMany(database.tenant(tenantId), { template }),
    async locales(tenantId) {
      const { rows } = await database
        .tenant(tenantId)
        .query<{ template: string; locales: string[] }>(
          'select template, array_agg(locale order by locale) as locales from comms_templates group by template',
        )
      return new Map(rows.map(({ template, locales }) => [template, locales]))
    },
    async write(tenantId, template, locale, text) {
      const now = new Date(clock.now())
      const values = { ...text, tenantId, template, locale, createdAt: now, updatedAt: now }
      const step = overrideTable.insertStep(values, REPLACE)
      const [written] = await overrideTable.query<{ created: boolean }>(database.tenant(tenantId), ...step)
      const { created, ...override } = written as TemplateOverride & { created: boolean }
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
