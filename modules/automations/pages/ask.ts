/** The page that emails about questions link to. Programs that follow links answer nothing: a person presses a button. */
import {
  type Caller,
  common,
  type PageInput,
  type PageResult,
  Problem,
  page,
  type Wording,
} from '@larder-dev/larder/kernel'
import { ASK_PATH, FOR_PARAMETER } from '../services/asks/ask-notices.ts'
import type { AutomationServices } from '../services.ts'

const HEADERS = { 'cache-control': 'no-store' }

export function askPage({ asks, askReader }: Pick<AutomationServices, 'asks' | 'askReader'>) {
  /** The link belongs to the person whom it was sent to, who must still have the role. */
  async function find({ params, query, caller, tenantId, locale }: Input) {
    const owner = query[FOR_PARAMETER]
    if (tenantId === undefined || (owner !== undefined && owner !== caller.userId))
      throw common.not_found({ what: 'question' })
    const ask = await askReader.get({ tenantId, roles: caller.roles }, String(params.id), locale)
    return { ask, tenantId }
  }

  async function render(input: Input, error: Wording | null, status?: number): Promise<PageResult> {
    const { ask } = await find(input)
    const isOpen = ask.answeredAt === null && ask.expiresAt > new Date()
    const { text: question, choices, choice } = ask
    return {
      data: { question, choices, choice, isOpen, error },
      headers: HEADERS,
      ...(status !== undefined && { status }),
    }
  }

  return page({
    name: 'automations.ask',
    path: `${ASK_PATH}/:id`,
    title: 'Question',
    allow: 'user',
    load: input => render(input, null),
    async post({ form, ...input }): Promise<PageResult> {
      const { ask, tenantId } = await find(input)
      const { userId, roles, impersonatedBy } = input.caller
      if (impersonatedBy !== undefined) throw common.impersonated()
      try {
        await asks.answer({ tenantId, askId: ask.id, userId, roles, choice: form.choice ?? '' })
      } catch (error) {
        if (!Problem.is(error) || error.status >= 500) throw error
        return render(input, error.wording, error.status)
      }
      const query = new URLSearchParams(input.query)
      return { redirect: `${ASK_PATH}/${ask.id}${query.size > 0 ? `?${query}` : ''}` }
    },
  })
}

type Input = PageInput<'user'> & { readonly caller: Caller }
