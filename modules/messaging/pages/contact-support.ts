/** Page that starts a support conversation: subject and first message. It works without JavaScript. */
import {
  common,
  type Deps,
  newId,
  type PageInput,
  type PageResult,
  page,
  type Wording,
} from '@larder-dev/larder/kernel'
import { type MessagingOptions, supportOf } from '../options.ts'
import type { NewConversation } from '../records/conversation.ts'
import { MAX_BODY_CHARACTERS } from '../records/message.ts'
import type { MessagingServices } from '../services.ts'
import { assertMayPost, createSubmit } from './new-conversation.ts'

const ALLOW = 'messaging.conversation.create'
const SUPPORT: Pick<NewConversation, 'kind' | 'participantIds'> = { kind: 'support', participantIds: [] }

export function contactSupportPage(
  { clock, startConversation }: Deps<'clock'> & Pick<MessagingServices, 'startConversation'>,
  options: MessagingOptions,
) {
  const submit = createSubmit({ startConversation, clock })

  function assertAvailable(input: PageInput<typeof ALLOW>): void {
    if (!supportOf(options)) throw common.not_found({ what: 'page' })
    assertMayPost(input)
  }

  const render = (form: Readonly<Record<string, string>>, error: Wording | null): PageResult => {
    const { subject = '', body = '', clientMessageId = newId('web', clock.now()) } = form
    return {
      data: { subject, body, clientMessageId, error, longest: MAX_BODY_CHARACTERS },
      headers: { 'cache-control': 'no-store' },
      ...(error !== null && { status: 422 }),
    }
  }

  return page({
    name: 'messaging.support',
    path: '/messages/support',
    title: 'Contact support',
    allow: ALLOW,
    load: async input => {
      assertAvailable(input)
      return render({}, null)
    },
    async post({ form, ...input }): Promise<PageResult> {
      assertAvailable(input)
      return submit(input, form, SUPPORT, error => render(form, error))
    },
  })
}
