/** Pages of conversations. They work without JavaScript. */
import {
  type Caller,
  type Deps,
  defineTexts,
  HOUR,
  missingPermission,
  newId,
  type PageResult,
  Problem,
  page,
  together,
  type Wording,
} from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'
import type { ConversationPatch, Kind } from '../domain/conversation-status.ts'
import { SYSTEM_SENDER } from '../domain/system-sender.ts'
import { type MessagingOptions, supportOf } from '../options.ts'
import type { ListedConversation } from '../records/conversation.ts'
import { MAX_BODY_CHARACTERS, NewMessage } from '../records/message.ts'
import type { MessagingServices } from '../services.ts'
import { contactSupportPage } from './contact-support.ts'
import { messageErrorText, newConversationPage } from './new-conversation.ts'
import { seenBy, toMessages } from './thread-view.ts'

const HEADERS = { 'cache-control': 'no-store' }
const PAGE_SIZE = 50
/** Participants whom the list names. */
const MAX_LISTED_NAMES = 3
/** Choices of the form that snoozes a conversation. */
const SNOOZE_HOURS = [1, 24, 7 * 24]
const FORMER_MEMBER = defineTexts('Former member')
const SUPPORT = defineTexts('Support')

type Needs = Deps<'people' | 'clock' | 'product' | 'theme'> &
  Pick<
    MessagingServices,
    'conversations' | 'messages' | 'participants' | 'posting' | 'readStates' | 'startConversation' | 'supportDesk'
  >

interface Input {
  readonly tenantId: string
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly locale: string
}
type NameOf = (userId: string) => string

/** Who left the workspace takes part in nothing any more, but may have written the last message. */
function othersIn(
  { participantIds, lastMessage }: Pick<ListedConversation, 'participantIds' | 'lastMessage'>,
  userId: string | undefined,
): readonly string[] {
  const others = participantIds.filter(each => each !== userId)
  const sender = lastMessage?.senderId
  return others.length === 0 && sender !== undefined && sender !== userId && sender !== SYSTEM_SENDER
    ? [sender]
    : others
}

export function messagingPages(deps: Needs, options: MessagingOptions) {
  const { conversations, messages, participants, posting, readStates, people, clock, product, theme, supportDesk } =
    deps
  const check = createValidator().body(NewMessage)

  /** @param locale for words in place of names that nobody has. */
  async function namesOf(tenantId: string, userIds: readonly string[], locale: string): Promise<NameOf> {
    const known = await people.members(tenantId, [...new Set(userIds)])
    const names = new Map(known.map(({ userId, name, email }) => [userId, name ?? email]))
    return userId =>
      userId === SYSTEM_SENDER ? product.name : (names.get(userId) ?? theme.text(locale, FORMER_MEMBER))
  }

  /** Those who answer for the operator aren't members of the workspace, and their addresses are their own. */
  async function senderNamesOf(tenantId: string, kind: Kind, userIds: readonly string[], locale: string) {
    const nameOf = await namesOf(tenantId, userIds, locale)
    if (kind !== 'support' || supportDesk.of(tenantId) === tenantId) return nameOf
    const team = await people.members(supportDesk.of(tenantId), [...new Set(userIds)])
    const names = new Map(team.map(({ userId, name }) => [userId, name ?? theme.text(locale, SUPPORT)]))
    return (userId: string) => names.get(userId) ?? nameOf(userId)
  }

  /** The same names as in the conversations. */
  async function listedNamesOf(tenantId: string, listed: readonly ListedConversation[], locale: string) {
    const namesIn = (wanted: Kind) => {
      const idsOf = ({ kind, participantIds, lastMessage }: ListedConversation) =>
        kind === wanted ? [...participantIds, ...(lastMessage ? [lastMessage.senderId] : [])] : []
      return senderNamesOf(tenantId, wanted, listed.flatMap(idsOf), locale)
    }
    return together({ private: namesIn('private'), support: namesIn('support') })
  }

  const inbox = page({
    name: 'messaging.inbox',
    path: '/messages',
    title: 'Messages',
    allow: 'messaging.conversation.read',
    async load({ tenantId, caller, query, locale }) {
      const found = await conversations.list(tenantId, caller.userId, { limit: PAGE_SIZE, cursor: query.cursor })
      const names = await listedNamesOf(tenantId, found.data, locale)
      const rows = found.data.map(({ participantIds, lastMessage, ...conversation }) => {
        const { id, kind, subject, status, unread, lastActivityAt } = conversation
        const nameOf = names[kind]
        const others = othersIn({ participantIds, lastMessage }, caller.userId).map(nameOf)
        return {
          id,
          isSupport: kind === 'support',
          title: subject,
          others: others.slice(0, MAX_LISTED_NAMES).join(', '),
          more: Math.max(0, others.length - MAX_LISTED_NAMES),
          // A state that most conversations have tells nothing.
          status: status === 'open' ? null : status,
          unread,
          lastActivityAt,
          last: lastMessage && {
            isOwn: lastMessage.senderId === caller.userId,
            sender: nameOf(lastMessage.senderId),
            isGone: lastMessage.text === null,
            text: lastMessage.text?.replace(/\s+/g, ' ') ?? null,
          },
        }
      })
      const next = found.nextCursor && `/messages?cursor=${encodeURIComponent(found.nextCursor)}`
      const mayBegin = caller.can('messaging.conversation.create') && caller.can('messaging.message.create')
      const mayContactSupport = mayBegin && supportOf(options) !== null
      return { data: { conversations: rows, next, mayBegin, mayContactSupport }, headers: HEADERS }
    },
  })

  async function thread(
    { tenantId, caller, params, locale }: Input,
    before: string | undefined,
    draft: Draft = NO_DRAFT,
  ) {
    const id = String(params.id)
    const wanted = { limit: PAGE_SIZE, before: parseNumber(before), oldestFirst: false }
    const { conversation, newest, readers } = await together({
      conversation: conversations.get(tenantId, id, caller.userId),
      newest: messages.list(tenantId, { id, userId: caller.userId }, wanted),
      readers: participants.readers(tenantId, id),
    })
    const found = newest.data.toReversed()
    const { participantIds, subject, kind, status, snoozedUntil, lastSeq, unread } = conversation
    const { nameOf, buttons } = await together({
      buttons: messages.buttons(tenantId, found),
      nameOf: senderNamesOf(tenantId, kind, [...participantIds, ...found.map(({ senderId }) => senderId)], locale),
    })
    return {
      data: {
        id,
        tenantId,
        status,
        snoozedUntil,
        lastSeq,
        unread,
        ...draft,
        title: subject ?? (kind === 'support' ? null : participantIds.map(nameOf).join(', ')),
        people: participantIds.map(nameOf).join(', '),
        members: participantIds.map(userId => ({ userId, name: nameOf(userId) })),
        callerId: caller.userId,
        messages: toMessages(found, caller.userId, nameOf).map(each => ({
          ...each,
          buttons: buttons.get(each.id) ?? [],
        })),
        seen: before === undefined ? seenBy(found.at(-1), readers, caller.userId, nameOf) : null,
        isSupport: kind === 'support',
        mayManage: caller.can('messaging.conversation.update'),
        older: newest.nextCursor === null ? null : `/messages/${id}?before=${found[0]?.seq}`,
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
    if (!caller.can(permission)) throw missingPermission(permission)
    const { body = '', clientMessageId } = form
    try {
      const message = check({ body, ...(clientMessageId && { clientMessageId }) }) as NewMessage
      await posting.post(tenantId, String(params.id), message, caller.userId)
      return NO_DRAFT
    } catch (error) {
      if (!Problem.is(error) || (error.status !== 422 && error.status !== 409)) throw error
      return { body, error: messageErrorText(error) }
    }
  }

  async function changeStatus({ tenantId, caller, params }: Input, form: Readonly<Record<string, string>>) {
    const permission = 'messaging.conversation.update'
    if (!caller.can(permission)) throw missingPermission(permission)
    const hours = SNOOZE_HOURS.find(value => form.status === `snoozed-${value}`)
    const patch: ConversationPatch =
      hours === undefined
        ? { status: form.status === 'resolved' ? 'resolved' : 'open' }
        : { status: 'snoozed', snoozedUntil: new Date(clock.now() + hours * HOUR).toISOString() }
    await conversations.update(tenantId, String(params.id), patch, caller.userId)
  }

  const conversation = page({
    name: 'messaging.conversation',
    path: '/messages/:id',
    title: 'Conversation',
    allow: 'messaging.conversation.read',
    load: input => thread(input, input.query.before),
    /** Handles three forms: posting a message, marking messages up to `seq` as read, and changing the status. */
    async post({ form, ...input }): Promise<PageResult> {
      const { tenantId, caller, params } = input
      const id = String(params.id)
      if (form.seq !== undefined)
        await readStates.read(tenantId, id, { seq: parseNumber(form.seq) ?? 0 }, caller.userId)
      else if (form.status !== undefined) await changeStatus(input, form)
      else {
        const rejected = await post(input, form)
        if (rejected.error !== null) return thread(input, undefined, rejected)
      }
      return { redirect: `/messages/${id}#end` }
    },
  })

  return [inbox, newConversationPage(deps), contactSupportPage(deps, options), conversation]
}

/** A rejected message and its error. */
interface Draft {
  readonly body: string
  readonly error: Wording | null
}
const NO_DRAFT: Draft = { body: '', error: null }

const parseNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
