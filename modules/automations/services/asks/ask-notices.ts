/** Tells those who can answer a question: by email, and in their messages. */
import { type Deps, type Event, type LocalText, pickText } from '@larder-dev/larder/kernel'
import { TENANT_PARAMETER } from '@larder-dev/larder/kernel/internal'
import { choiceTitle } from '../../domain/choice-title.ts'

/** Others find the question in the console. */
const MAX_TOLD = 200
/** Characters in a message and an email. The page of the link has the whole question. */
const MAX_QUESTION = 2000
export const ASK_PATH = '/questions'
/** Query parameter of the link: the user whom it was sent to. */
export const FOR_PARAMETER = 'for'

export interface AskNotices {
  /** In the surrounding unit. */
  send(event: Event<'automations.ask.opened'>): Promise<void>
}

export function createAskNotices({
  database,
  product,
  people,
  mailer,
  memberNotices,
}: Deps<'database' | 'product', 'people' | 'mailer' | 'memberNotices'>): AskNotices {
  return {
    async send({ tenantId, payload: { askId, role } }) {
      if (!people) return
      const { rows } = await database
        .tenant(tenantId)
        .query<{ text: LocalText; choices: readonly string[] }>(
          'select text, choices from automations_asks where tenant_id = $1 and id = $2',
          [tenantId, askId],
        )
      const [ask] = rows
      if (!ask) return
      const standard = product.locales.default
      for (const { userId, email, locale } of await people.withRole(tenantId, role, { limit: MAX_TOLD })) {
        const question = shortened(pickText(ask.text, locale ?? standard, standard))
        const query = new URLSearchParams({ [TENANT_PARAMETER]: tenantId, [FOR_PARAMETER]: userId })
        const link = `${product.publicUrl}${ASK_PATH}/${askId}?${query}`
        const path = `${ASK_PATH}/${askId}?${new URLSearchParams({ [FOR_PARAMETER]: userId })}`
        const buttons = ask.choices.map(value => ({ path, name: 'choice', value, title: choiceTitle(value) }))
        await memberNotices?.send(tenantId, [userId], question, buttons)
        await mailer?.send({
          template: 'automations.ask',
          to: email,
          tenantId,
          key: `${askId} ${userId}`,
          data: { question, link },
          ...(locale !== null && { locale }),
        })
      }
    },
  }
}

const shortened = (text: string): string =>
  text.length <= MAX_QUESTION ? text : `${text.slice(0, MAX_QUESTION - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
