/** Topics of the socket `/v1/realtime`. */
import { type Deps, idPattern, Nullable, OneOf, Timestamp, Type, topic } from '@larder-dev/larder/kernel'
import { CHAT_TOPIC, LIVE_STATUSES, PUBLIC_CHANNEL_TENANT, STATUSES } from '../domain/values.ts'
import { ChatMessageRecord } from '../records/chat-message.ts'
import { LayoutRecord, SourceRecord } from '../records/source.ts'
import type { StreamChat } from '../services/stream-chat.ts'
import type { StreamTokens } from '../services/token-service.ts'

const LiveChange = Type.Object({
  change: OneOf(['live']),
  live_status: OneOf(LIVE_STATUSES),
  live_at: Nullable(Timestamp),
})
const StatusChange = Type.Object({ change: OneOf(['status']), status: OneOf(STATUSES) })
const SourceChange = Type.Object({
  change: OneOf(['source']),
  source: Type.Union([SourceRecord, Type.Object({ source_id: Type.String(), removed: Type.Literal(true) })]),
})
const LayoutChange = Type.Object({ change: OneOf(['layout']), layout: LayoutRecord })
const params = Type.Object({ stream_id: Type.String({ pattern: idPattern('ses') }) })

const JoinToken = Type.Optional(Type.String({ maxLength: 256 }))

type TopicDeps = Deps<'streams'> & { readonly streamTokens: StreamTokens; readonly streamChat: StreamChat }

export const streamTopics = ({ streams, streamTokens, streamChat }: TopicDeps) => [
  topic({
    name: 'streams.stream',
    summary: 'Changes of the status, live status, sources and layout of a stream.',
    allow: 'streams.stream.read',
    params,
    message: Type.Union([StatusChange, LiveChange, SourceChange, LayoutChange]),
    async authorize({ tenantId }, { stream_id }) {
      // Throws `not_found`, which denies access.
      await streams.get(tenantId, stream_id)
      return { tenantId, key: stream_id }
    },
  }),
  topic({
    name: 'streams.public',
    summary: 'Changes of the status and live status of a stream that is public or for which the client has a token.',
    allow: 'public',
    params: Type.Object({ ...params.properties, join_token: JoinToken }),
    message: Type.Union([StatusChange, LiveChange]),
    async authorize(_subscriber, { stream_id, join_token: token }) {
      const grant = token === undefined ? undefined : await streamTokens.authenticate(token)
      const mayWatch = grant?.session.id === stream_id || (await streams.getPublic(stream_id)) !== null
      return mayWatch ? { tenantId: PUBLIC_CHANNEL_TENANT, key: stream_id } : undefined
    },
  }),
  ...(streamChat.isOffered ? [chatTopic(streamChat)] : []),
]

const chatTopic = (streamChat: StreamChat) =>
  topic({
    name: CHAT_TOPIC,
    summary: 'Messages beside a stream, for those who may watch it.',
    allow: 'public',
    params: Type.Object({ ...params.properties, join_token: JoinToken }),
    message: Type.Union([
      Type.Object({ change: OneOf(['created']), message: ChatMessageRecord }),
      Type.Object({ change: OneOf(['removed']), id: Type.String() }),
    ]),
    authorize: ({ member }, { stream_id, join_token: token }) =>
      streamChat.channel(stream_id, { holder: member, token }),
  })
