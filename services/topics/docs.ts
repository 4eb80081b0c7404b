/** Documentation of the socket `/v1/realtime` with the parameters and messages of all topics. */
import { type AnyTopic, named, nameOf, type SocketDocs, type TSchema, Type } from '@larder-dev/larder/kernel/internal'
import { clientFrames, serverFrames } from './schemas.ts'

export function socketDocs(topics: ReadonlyMap<string, AnyTopic>): SocketDocs {
  const all = [...topics.values()]
  const messages = all.map(topic => withName(topic, 'Message', topic.message))
  const inputs = all.flatMap(topic => (topic.input ? [withName(topic, 'Input', topic.input)] : []))
  const { properties: subscribe } = clientFrames.subscribe
  const subscriptions = all.map(topic => {
    const params = Object.keys((topic.params as { properties?: object }).properties ?? {}).length > 0
    return named(
      `Subscribe${nameFor(topic)}`,
      Type.Object(
        {
          ...subscribe,
          topic: Type.Literal(topic.name),
          params: params ? topic.params : Type.Optional(topic.params),
        },
        { description: topic.summary },
      ),
    )
  })
  return {
    receives: {
      ...clientFrames,
      ...(all.length > 0 && { subscribe: Type.Union(subscriptions) }),
      ...(inputs.length > 0 && {
        send: Type.Object({ ...clientFrames.send.properties, input: Type.Union(inputs) }),
      }),
    },
    sends: {
      ...serverFrames,
      ...(all.length > 0 && {
        message: Type.Object({ ...serverFrames.message.properties, message: Type.Union(messages) }),
      }),
    },
  }
}

/** `messaging.conversation` → `MessagingConversation`. */
const nameFor = ({ name }: AnyTopic): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const withName = (topic: AnyTopic, suffix: string, schema: TSchema): TSchema =>
  nameOf(schema) === undefined ? named(`${nameFor(topic)}${suffix}`, schema) : schema
