/** The page that emails about questions link to. Programs that follow links answer nothing: a person presses a button. */
import {
  type Caller,
  common,
  type Deps,
  type PageInput,
  type PageResult,
  Problem,
  page,
  type Wording,
} from '@larder-dev/larder/kernel'
import { choiceTitle } from '../domain/choice-title.ts'
import { ASK_PATH, FOR_PARAMETER } from '../services/asks/ask-notices.ts'
import type { AutomationServices } from '../services.ts'

const HEADERS = { 'cache-control': 'no-store' }

export function askPage({
  people,
  asks,
  askReader,
}: Deps<never, 'people'> & Pick<AutomationServices, 'asks' | 'askReader'>) {
  /** The link belongs to the person whom it was sent to. */
  async function find({ params, query, caller, tenantId, locale }: Input) {
    const owner = query[FOR_PARAMETER]
    if (tenantId === undefined || (owner !== undefined && owner !== caller.userId))
      throw common.not_found({ what: 'question' })
    const ask = await askReader.get({ tenantId, roles: caller.roles }, String(params.id), locale)
    return { ask, tenantId }
  }

  async function render(input: Input, error: Wording | null, status?: number): Promise<PageResult> {
    const { ask, tenantId } = await find(input)
    const { text: question, choices, choice, answeredBy } = ask
    const isOpen = ask.answeredAt === null && ask.expiresAt > new Date()
    const [person] = answeredBy === null || !people ? [] : await people.members(tenantId, [answeredBy])
    const isOwn = answeredBy === input.caller.userId
    return {
      data: {
        question,
        choices: choices.map(value => ({ value, title: choiceTitle(value) })),
        answer: choice === null ? null : choiceTitle(choice),
        isOwn,
        // Left out for a person who has left the workspace.
        answeredBy: isOwn ? null : (person?.name ?? person?.email ?? null),
        isOpen,
        error,
      },
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
