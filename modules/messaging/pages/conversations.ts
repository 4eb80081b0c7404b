/** Pages of conversations. They work without JavaScript. */
import {
  type Caller,
  common,
  createValidator,
  type Deps,
  defineTexts,
  type FieldError,
  newId,
  type PageResult,
  Problem,
  page,
} from 'larder/kernel'
import { MAX_BODY_CHARACTERS, type Message, NewMessage } from '../routes/message-schemas.ts'
import { newConversationPage } from './new-conversation.ts'

const HEADERS = { 'cache-control': 'no-store' }
const PAGE_SIZE = 50
const NO_LIMIT = Number.POSITIVE_INFINITY
const FORMER_MEMBER = defineTexts('Former member')

interface Input {
  readonly tenantId: string
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
}

export function messagingPages(deps: Deps<'messaging' | 'people' | 'clock'>) {
  const { messaging, people, clock } = deps
  const { conversations, messages, posting, readStates } = messaging
  const check = createValidator().body(NewMessage)

  async function namesOf(tenantId: string, userIds: readonly string[]): Promise<(userId: string) => string> {
    const known = await people.members(tenantId, [...new Set(userIds)])
    const names = new Map(known.map(({ userId, name, email }) => [userId, name ?? email]))
    return userId => names.get(userId) ?? FORMER_MEMBER
  }

  const inbox = page({
    name: 'messaging.inbox',
    path: '/messages',
    title: 'Messages',
    allow: 'messaging.conversation.read',
    async load({ tenantId, caller, query }) {
      const found = await conversations.list(tenantId, caller.userId, { limit: PAGE_SIZE, cursor: query.cursor })
      const nameOf = await namesOf(
        tenantId,
        found.data.flatMap(({ participantIds }) => participantIds),
      )
      const rows = found.data.map(({ id, subject, status, unread, participantIds, lastActivityAt }) => {
        const others = participantIds.filter(userId => userId !== caller.userId).map(nameOf)
        return { id, title: subject ?? others.join(', '), status, unread, lastActivityAt }
      })
      const next = found.nextCursor && `/messages?cursor=${encodeURIComponent(found.nextCursor)}`
      const mayBegin = caller.can('messaging.conversation.create') && caller.can('messaging.message.create')
      return { data: { conversations: rows, next, mayBegin }, headers: HEADERS }
    },
  })

  async function thread({ tenantId, caller, params }: Input, before: string | undefined, draft: Draft = NO_DRAFT) {
    const id = String(params.id)
    const conversation = await conversations.get(tenantId, id, caller.userId)
    const to = Math.min(parseNumber(before) ?? NO_LIMIT, conversation.lastSeq + 1)
    const after = Math.max(0, to - 1 - PAGE_SIZE)
    const wanted = { limit: to - 1 - after, after, oldestFirst: true }
    const found = to > 1 ? (await messages.list(tenantId, { id, userId: caller.userId }, wanted)).data : []
    const { participantIds, subject, status, lastSeq, unread } = conversation
    const nameOf = await namesOf(tenantId, [...participantIds, ...found.map(({ senderId }) => senderId)])
    const toViewModel = (message: Message) => ({
      ...message,
      sender: nameOf(message.senderId),
      gone: message.deletedAt !== null,
    })
    return {
      data: {
        ...{ id, tenantId, status, lastSeq, unread, ...draft },
        title: subject ?? participantIds.map(nameOf).join(', '),
        people: participantIds.map(nameOf).join(', '),
        messages: found.map(toViewModel),
        older: after > 0 ? `/messages/${id}?before=${after + 1}` : null,
        mayPost: caller.can('messaging.message.create'),
        longest: MAX_BODY_CHARACTERS,
        // Makes a repeated submit idempotent.
        clientMessageId: newId('web', clock.now()),
      },
      headers: HEADERS,
      ...(draft.error !== null && { status: 422 }),
    }
  }

  async function post({ tenantId, caller, params }: Input, form: Readonly<Record<string, string>>): Promise<Draft> {
    const permission = 'messaging.message.create'
    if (!caller.can(permission)) throw common.forbidden({ permission }, { requiredPermission: permission })
    const { body = '', clientMessageId } = form
    try {
      const message = check({ body, ...(clientMessageId && { clientMessageId }) }) as NewMessage
      await posting.post(tenantId, String(params.id), message, caller.userId)
      return NO_DRAFT
    } catch (error) {
      if (!Problem.is(error) || (error.status !== 422 && error.status !== 409)) throw error
      const [fieldError] = (error.extras.errors ?? []) as readonly FieldError[]
      return { body, error: fieldError ? `The message ${fieldError.detail}.` : error.message }
    }
  }

  const conversation = page({
    name: 'messaging.conversation',
    path: '/messages/:id',
    title: 'Conversation',
    allow: 'messaging.conversation.read',
    load: input => thread(input, input.query.before),
    /** Handles two forms: posting a message, and marking messages up to `seq` as read. */
    async post({ form, ...input }): Promise<PageResult> {
      const { tenantId, caller, params } = input
      const id = String(params.id)
      if (form.seq !== undefined)
        await readStates.read(tenantId, id, { seq: parseNumber(form.seq) ?? 0 }, caller.userId)
      else {
        const rejected = await post(input, form)
        if (rejected.error !== null) return thread(input, undefined, rejected)
      }
      return { redirect: `/messages/${id}#end` }
    },
  })

  return [inbox, newConversationPage(deps), conversation]
}

/** A rejected message and its error. */
interface Draft {
  readonly body: string
  readonly error: string | null
}
const NO_DRAFT: Draft = { body: '', error: null }

const parseNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
