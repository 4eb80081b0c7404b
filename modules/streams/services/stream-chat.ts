/** The chat beside a stream: who watches reads it, and writes with an account or a token of the stream. */
import {
  type Caller,
  common,
  type Deps,
  invalidField,
  missingPermission,
  type PageOf,
  type Static,
  wording,
} from '@larder-dev/larder/kernel'
import { CHAT_TOPIC } from '../domain/values.ts'
import type { StreamsOptions } from '../options.ts'
import type { Session } from '../ports.ts'
import { isFinished, stateProblems, streamNotFound } from '../problems.ts'
import type { ChatMessageRecord, NewChatMessage } from '../records/chat-message.ts'
import { mayIn, type RightsHolder, rightsOf, type StreamRights } from './stream-rights.ts'
import type { StreamTokens } from './token-service.ts'

const MODERATES = 'streams.stream.update'

type StreamChatMessage = Static<typeof ChatMessageRecord>
type ChatDeps = Deps<'sessions' | 'topics', 'chats'> & { readonly streamTokens: StreamTokens }
type Writer = Pick<Caller, 'userId' | 'isSuspended'> & RightsHolder

export type StreamChat = ReturnType<typeof createStreamChat>

export function createStreamChat(
  { sessions, topics, chats, streamTokens }: ChatDeps,
  { requireAccept = false }: StreamsOptions,
) {
  /** Undefined in a recipe without messaging. */
  const messages = () => {
    if (!chats) throw streamNotFound()
    return chats
  }

  /** Throws `not_found` for those who may not watch the stream, and `tenant_suspended`. */
  async function open(id: string, holder: RightsHolder | undefined, token: string | undefined) {
    const [session] = await sessions.getManyAcrossTenants([id])
    if (session?.mode !== 'stream') throw streamNotFound()
    const rights = await rightsOf(streamTokens, session, holder, token)
    const waits = requireAccept && session.status === 'created' && !rights.mayPublish
    // Who waits with the last use of a token has no connection yet that shows who used it.
    const mayWait = waits && rights.isUsedUp
    const mayWatch = rights.mayWatch || mayWait || (await streamTokens.isOpenToVisitors(id))
    if (!mayWatch) throw streamNotFound()
    if (waits) throw stateProblems.waiting()
    return { session, rights }
  }

  const channelOf = (session: Session) => ({ tenantId: session.workspace_id, key: session.id })

  return {
    isOffered: chats !== undefined,
    /** Newest first. */
    async list(
      id: string,
      { holder, token, ...query }: Reader & { readonly limit?: number; readonly cursor?: string },
    ): Promise<PageOf<StreamChatMessage>> {
      const { session } = await open(id, holder, token)
      const { data, nextCursor } = await messages().list(session.workspace_id, id, query)
      return { data: data.map(toRecord), nextCursor }
    },
    async post(
      id: string,
      writer: Writer | undefined,
      { join_token: token, name, body }: Static<typeof NewChatMessage>,
    ): Promise<StreamChatMessage> {
      const { session, rights } = await open(id, writer, token)
      if (isFinished(session.status)) throw stateProblems.chat_over()
      const message = {
        sender: senderOf(writer, rights, name),
        byHost: mayIn(session, writer, MODERATES),
        body,
      }
      const posted = toRecord(await messages().post(session.workspace_id, id, message))
      topics.publish(CHAT_TOPIC, channelOf(session), { change: 'created', message: posted })
      return posted
    },
    /** Throws `not_found`, and `forbidden` for those who may only watch. */
    async remove(id: string, messageId: string, { holder, token }: Reader): Promise<void> {
      const { session, rights } = await open(id, holder, token)
      if (!moderates(session, holder, rights)) throw missingPermission(MODERATES)
      await messages().remove(session.workspace_id, id, messageId)
      topics.publish(CHAT_TOPIC, channelOf(session), { change: 'removed', id: messageId })
    },
    /** The channel of the topic. Throws `not_found`, `invalid_state`, `tenant_suspended`. */
    async channel(id: string, { holder, token }: Reader) {
      const { session } = await open(id, holder, token)
      return chats && channelOf(session)
    },
  }
}

export interface Reader {
  readonly holder: RightsHolder | undefined
  readonly token: string | undefined
}

/** Everybody may have the token of a visitor. Others were given theirs by those who run the stream. */
const isGuest = ({ grant }: StreamRights): boolean =>
  grant !== undefined && (grant.kind === 'join' || grant.tokenId !== null)

function senderOf(writer: Writer | undefined, rights: StreamRights, name: string | undefined) {
  if (writer && !writer.isSuspended) {
    if (name !== undefined)
      throw invalidField('/name', 'not_allowed', wording('must be absent: the account has a name'))
    return { userId: writer.userId }
  }
  if (!isGuest(rights)) throw common.unauthenticated()
  if (name === undefined) throw invalidField('/name', 'required', wording('is required for guests'))
  return { name }
}

/** A join token says nothing about its holder: viewers join with the same one. */
const moderates = (session: Session, holder: RightsHolder | undefined, { grant }: StreamRights): boolean =>
  mayIn(session, holder, MODERATES) || (grant?.kind === 'publisher' && !isFinished(session.status))

const toRecord = ({
  id,
  name,
  isGuest: guest,
  byHost: host,
  body,
  createdAt,
}: Awaited<ReturnType<NonNullable<ChatDeps['chats']>['post']>>): StreamChatMessage => ({
  id,
  name,
  guest,
  host,
  body,
  created_at: createdAt,
})
