/** Begins a conversation, with or without JavaScript: with whom, about what, and what is said first. */
import {
  common,
  createValidator,
  type Deps,
  type FieldError,
  idPattern,
  newId,
  type PageInput,
  type PageResult,
  Problem,
  page,
} from 'larder/kernel'
import { MAX_BODY, NewConversation, NewMessage } from '../routes/schemas.ts'

const ALLOW = 'messaging.conversation.create'
const ALSO = 'messaging.message.create'
const QUIET = { 'cache-control': 'no-store' }
/** People on the page; who is not among them is looked for. */
const SHOWN = 100
/** Before the user id, in the name of a box: of two fields with one name only the last would come. */
const BOX = 'to:'

type Input = PageInput<typeof ALLOW>
type Form = Readonly<Record<string, string>>

export function newConversationPage({ messaging, people, clock }: Deps<'messaging' | 'people' | 'clock'>) {
  const validator = createValidator()
  const [checkTalk, checkMessage] = [validator.body(NewConversation), validator.body(NewMessage)]

  async function shown({ tenantId, caller }: Input, form: Form, error: string | null): Promise<PageResult> {
    const words = form.q?.trim() ?? ''
    const chosen = chosenOf(form)
    const [kept, found] = await Promise.all([
      people.members(tenantId, chosen),
      people.find(tenantId, { words, limit: SHOWN + 1 }),
    ])
    const others = [...kept, ...found.filter(({ userId }) => !chosen.includes(userId)).slice(0, SHOWN)]
    const boxes = others
      .filter(({ userId }) => userId !== caller.userId)
      .map(({ userId, name, email }) => ({
        ...{ id: `to-${userId}`, box: BOX + userId, name: name ?? email, email: name === null ? '' : email },
        checked: chosen.includes(userId),
      }))
    const { subject = '', body = '', clientMessageId = newId('web', clock.now()) } = form
    const data = { boxes, words, subject, body, clientMessageId, error, longest: MAX_BODY }
    return {
      data: { ...data, searches: found.length > SHOWN || words !== '' },
      headers: QUIET,
      ...(error !== null && { status: 422 }),
    }
  }

  async function begin({ tenantId, caller }: Input, form: Form): Promise<string> {
    const { subject = '', body = '', clientMessageId = '' } = form
    const conversation = { participantIds: chosenOf(form), ...(subject.trim() !== '' && { subject }) }
    const message = { body, clientMessageId: clientMessageId || newId('web', clock.now()) }
    checkTalk(conversation)
    checkMessage(message)
    return messaging.begin(tenantId, { conversation, ...message }, caller.userId)
  }

  return page({
    name: 'messaging.new',
    path: '/messages/new',
    title: 'New conversation',
    allow: ALLOW,
    load: async input => {
      mayPost(input)
      return shown(input, {}, null)
    },
    async post({ form, ...input }): Promise<PageResult> {
      mayPost(input)
      // The second button looks for more people; what was written stays.
      if (form.find !== undefined) return shown(input, form, null)
      try {
        return { redirect: `/messages/${await begin(input, form)}#end` }
      } catch (error) {
        if (!Problem.is(error) || (error.status !== 422 && error.status !== 409)) throw error
        return shown(input, form, wordsOf(error))
      }
    },
  })
}

function mayPost({ caller }: Input): void {
  if (!caller.can(ALSO)) throw common.forbidden({ permission: ALSO }, { requiredPermission: ALSO })
}

const USER = new RegExp(idPattern('usr'))
const chosenOf = (form: Form): string[] =>
  Object.keys(form).flatMap(name => {
    const userId = name.slice(BOX.length)
    return name.startsWith(BOX) && USER.test(userId) ? [userId] : []
  })

const FIELDS: Readonly<Record<string, string>> = { subject: 'The subject', body: 'The message' }
function wordsOf(problem: Problem): string {
  const [fault] = (problem.extras.errors ?? []) as readonly FieldError[]
  if (!fault) return problem.message
  return `${FIELDS[fault.pointer.split('/')[1] ?? ''] ?? 'One of these people'} ${fault.detail}.`
}
