/** What tenants write in the place of the product's mail templates. */
import { type Deps, type LocalMailText, type MailText, Problem } from 'larder/kernel'
import { problems } from '../problems.ts'

export interface OwnText extends LocalMailText {
  readonly template: string
  readonly createdAt: Date
  readonly updatedAt: Date
}
export interface OwnTexts {
  /** Of one template, in every locale. */
  of(tenantId: string, template: string): Promise<OwnText[]>
  /** Template → the locales in which the tenant wrote it. */
  locales(tenantId: string): Promise<ReadonlyMap<string, readonly string[]>>
  write(tenantId: string, template: string, locale: string, text: MailText): Promise<{ text: OwnText; fresh: boolean }>
  /** Throws problem `not_overridden`. */
  remove(tenantId: string, template: string, locale: string): Promise<void>
}

const COLUMNS = `template, locale, subject, preheader, html, text, created_at as "createdAt", updated_at as "updatedAt"`

export function createOwnTexts({ database, clock }: Deps<'database' | 'clock'>): OwnTexts {
  return {
    async of(tenantId, template) {
      const { rows } = await database
        .tenant(tenantId)
        .query<OwnText>(`select ${COLUMNS} from comms_templates where template = $1`, [template])
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
      const { rows } = await database.tenant(tenantId).query<OwnText & { fresh: boolean }>(
        `insert into comms_templates (tenant_id, template, locale, subject, preheader, html, text, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
         on conflict (tenant_id, template, locale) do update set subject = excluded.subject,
           preheader = excluded.preheader, html = excluded.html, text = excluded.text, updated_at = excluded.updated_at
         -- A row that was there before has a transaction that locked it.
         returning ${COLUMNS}, xmax = 0 as fresh`,
        [tenantId, template, locale, subject, preheader, html, text, new Date(clock.now())],
      )
      const { fresh, ...written } = rows[0] as OwnText & { fresh: boolean }
      return { text: written, fresh }
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
 * A mail in the tenant's own words where these can be filled, else in the product's: a slip in a text must not cost the
 * mail. `slip` says what was wrong with the tenant's.
 */
export function inOwnWords<T>(
  own: readonly LocalMailText[],
  make: (own: readonly LocalMailText[]) => T,
): { made: T; slip?: string } {
  if (own.length === 0) return { made: make([]) }
  try {
    return { made: make(own) }
  } catch (error) {
    if (!Problem.is(error) || (error.code !== 'template_failed' && error.code !== 'template_invalid')) throw error
    return { made: make([]), slip: `the own text was left out: ${error.message}` }
  }
}
