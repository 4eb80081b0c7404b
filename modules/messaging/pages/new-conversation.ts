/** Page that starts a conversation: participants, subject and first message. It works without JavaScript. */
import {
  type Deps,
  type FieldError,
  idPattern,
  missingPermission,
  newId,
  type PageInput,
  type PageResult,
  Problem,
  page,
  type Wording,
  wording,
} from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'
import { MAX_SUBJECT_CHARACTERS, NewConversation } from '../records/conversation.ts'
import { MAX_BODY_CHARACTERS, NewMessage } from '../records/message.ts'
import type { MessagingServices } from '../services.ts'

const ALLOW = 'messaging.conversation.create'
const POST_PERMISSION = 'messaging.message.create'
const HEADERS = { 'cache-control': 'no-store' }
/** Members on the page. Others can be found with the search field. */
const MAX_MEMBERS = 100
/** Prefix of checkbox names. Each checkbox needs its own name, because the form keeps one value per name. */
const CHECKBOX_PREFIX = 'to:'

type Input = PageInput<typeof ALLOW>
type Needs = Deps<'clock'> & Pick<MessagingServices, 'startConversation'>
type Form = Readonly<Record<string, string>>

export function newConversationPage(deps: Needs & Deps<'people'>) {
  const { people, clock } = deps
  const submit = createSubmit(deps)

  async function render({ tenantId, caller }: Input, form: Form, error: Wording | null): Promise<PageResult> {
    const words = form.q?.trim() ?? ''
    const selected = selectedUserIds(form)
    const [alreadySelected, found] = await Promise.all([
      people.members(tenantId, selected, { by: caller.userId }),
      people.find(tenantId, { words, limit: MAX_MEMBERS + 1, by: caller.userId }),
    ])
    const others = [
      ...alreadySelected,
      ...found.filter(({ userId }) => !selected.includes(userId)).slice(0, MAX_MEMBERS),
    ]
    const boxes = others
      .filter(({ userId }) => userId !== caller.userId)
      .map(({ userId, name, email }) => ({
        id: `to-${userId}`,
        box: CHECKBOX_PREFIX + userId,
        name: name ?? email,
        email: name === null ? '' : email,
        checked: selected.includes(userId),
      }))
    const { subject = '', body = '', clientMessageId = newId('web', clock.now()) } = form
    const data = { boxes, words, subject, body, clientMessageId, error, longest: MAX_BODY_CHARACTERS }
    return {
      data: { ...data, searches: found.length > MAX_MEMBERS || words !== '' },
      headers: HEADERS,
      ...(error !== null && { status: 422 }),
    }
  }

  return page({
    name: 'messaging.new',
    path: '/messages/new',
    title: 'New conversation',
    allow: ALLOW,
    load: async input => {
      assertMayPost(input)
      return render(input, {}, null)
    },
    async post({ form, ...input }): Promise<PageResult> {
      assertMayPost(input)
      // The search button keeps the entered text and selection.
      if (form.find !== undefined) return render(input, form, null)
      const participantIds = selectedUserIds(form)
      return submit(input, form, { participantIds }, error => render(input, form, error))
    },
  })
}

/** Starts the conversation of a form and redirects to it, or shows the form with the error. */
export function createSubmit({ startConversation, clock }: Needs) {
  const validator = createValidator()
  const [checkConversation, checkMessage] = [validator.body(NewConversation), validator.body(NewMessage)]
  return async (
    { tenantId, caller }: Pick<Input, 'tenantId' | 'caller'>,
    { subject = '', body = '', clientMessageId = '' }: Form,
    input: Pick<NewConversation, 'kind' | 'participantIds'>,
    render: (error: Wording) => PageResult | Promise<PageResult>,
  ): Promise<PageResult> => {
    const conversation = { ...input, ...(subject.trim() !== '' && { subject }) }
    const message = { body, clientMessageId: clientMessageId || newId('web', clock.now()) }
    try {
      checkConversation(conversation)
      checkMessage(message)
      const id = await startConversation(tenantId, { conversation, ...message }, caller.userId)
      return { redirect: `/messages/${id}#end` }
    } catch (error) {
      if (!Problem.is(error) || (error.status !== 422 && error.status !== 409)) throw error
      return render(messageErrorText(error))
    }
  }
}

export function assertMayPost({ caller }: Pick<Input, 'caller'>): void {
  if (!caller.can(POST_PERMISSION)) throw missingPermission(POST_PERMISSION)
}

const USER_ID = new RegExp(idPattern('usr'))
const selectedUserIds = (form: Form): string[] =>
  Object.keys(form).flatMap(name => {
    const userId = name.slice(CHECKBOX_PREFIX.length)
    return name.startsWith(CHECKBOX_PREFIX) && USER_ID.test(userId) ? [userId] : []
  })

/** By field and code. */
const ERRORS: Readonly<Record<string, Wording>> = {
  'subject too_long': wording('The subject must have at most {count} characters.', { count: MAX_SUBJECT_CHARACTERS }),
  subject: wording('The subject contains characters that are not allowed.'),
  'body too_long': wording('The message must have at most {count} characters.', { count: MAX_BODY_CHARACTERS }),
  'body too_short': wording('Enter a message.'),
  body: wording('The message contains characters that are not allowed.'),
}
/** Why a conversation or a message was refused, as a sentence of its own. */
export function messageErrorText(problem: Problem): Wording {
  const [error] = (problem.extras.errors ?? []) as readonly FieldError[]
  if (!error) return problem.wording
  const field = error.pointer.split('/')[1] ?? ''
  return (
    ERRORS[`${field} ${error.code}`] ??
    ERRORS[field] ??
    wording("One of these people isn't a member of this workspace.")
  )
}
