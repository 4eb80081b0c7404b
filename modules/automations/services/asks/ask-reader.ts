/** Questions for those who can answer them. */
import { common, type Deps, type LocalText, type PageOf, pickText } from '@larder-dev/larder/kernel'
import { type AskRecord, askTable } from '../../records/ask.ts'

export type ShownAsk = AskRecord & { readonly text: string }
export interface AskReader {
  /** Open questions of these roles, the newest first. */
  list(
    given: { readonly tenantId: string; readonly roles: readonly string[] },
    query: { readonly limit?: number; readonly cursor?: string },
    locale: string,
  ): Promise<PageOf<ShownAsk>>
  /** Throws `not_found`, also for a question to others. */
  get(
    given: { readonly tenantId: string; readonly roles: readonly string[] },
    id: string,
    locale: string,
  ): Promise<ShownAsk>
}

export function createAskReader({ database, product }: Deps<'database' | 'product'>): AskReader {
  const unitOf = (tenantId: string) => database.tenant(tenantId)
  async function withTexts(tenantId: string, asks: readonly AskRecord[], locale: string): Promise<ShownAsk[]> {
    if (asks.length === 0) return []
    const { rows } = await unitOf(tenantId).query<{ id: string; text: LocalText }>(
      'select id, text from automations_asks where tenant_id = $1 and id = any ($2)',
      [tenantId, asks.map(({ id }) => id)],
    )
    const texts = new Map(rows.map(({ id, text }) => [id, pickText(text, locale, product.locales.default)]))
    return asks.map(ask => ({ ...ask, text: texts.get(ask.id) ?? '' }))
  }

  return {
    async list({ tenantId, roles }, query, locale) {
      if (roles.length === 0) return { data: [], nextCursor: null }
      const { data, nextCursor } = await askTable.page(unitOf(tenantId), {
        ...query,
        where: { tenantId, role: roles },
        and: [['answered_at is null and expires_at > now()']],
      })
      return { data: await withTexts(tenantId, data, locale), nextCursor }
    },
    async get({ tenantId, roles }, id, locale) {
      const [ask] = await askTable.query<{ text: LocalText }>(
        unitOf(tenantId),
        `select ${askTable.columns()}, text from automations_asks where tenant_id = $1 and id = $2`,
        [tenantId, id],
      )
      if (!ask || !roles.includes(ask.role)) throw common.not_found({ what: 'question' })
      return { ...ask, text: pickText(ask.text, locale, product.locales.default) }
    },
  }
}
