/** Generates the AsyncAPI 3.0 document of the mounted sockets. Pure. */
import {
  named,
  type Product,
  REALTIME_CLOSE_CODE,
  type SocketDocs,
  schemaFor,
  Type,
} from '@larder-dev/larder/kernel/internal'
import type { TProperties, TSchema } from 'typebox'
import type { Endpoint } from '../../types.ts'
import { type Components, createComponents, type Json, sorted } from './components.ts'
import { pascalCase } from './names.ts'
import { withPortablePatterns } from './portable-patterns.ts'

export interface AsyncApiInput {
  readonly product: Product
  readonly version: string
  readonly endpoints: readonly Endpoint[]
}

interface Channel {
  /** `streamsRealtime` for `/v1/streams/realtime`. */
  readonly id: string
  readonly endpoint: Endpoint
  readonly docs: SocketDocs
}
/** `client`: sent by clients, received by the product. */
type Sender = 'client' | 'server'

export const asyncApiDocument = (input: AsyncApiInput): Json => withPortablePatterns(createDocument(input))

function createDocument({ product, version, endpoints }: AsyncApiInput): Json {
  const schemas: Json = {}
  const messages: Json = {}
  const components = createComponents(schemas)
  const channels = endpoints.flatMap(toChannel)
  for (const channel of channels)
    for (const sender of ['client', 'server'] as const)
      for (const [type, data] of framesOf(channel, sender))
        messages[messageId(channel, sender, type)] = messageOf(components, channel, sender, type, data)
  const { host, protocol } = new URL(product.publicUrl)
  return {
    asyncapi: '3.0.0',
    info: { title: `${product.name} realtime API`, version, description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: { product: { host, protocol: protocol === 'https:' ? 'wss' : 'ws' } },
    channels: Object.fromEntries(channels.map(channel => [channel.id, channelOf(channel)])),
    operations: Object.fromEntries(channels.flatMap(operationsOf)),
    components: { messages, schemas: sorted(schemas) },
  }
}

const DESCRIPTION =
  'Frames are JSON objects with `type`, `data` and an optional `id`, which the reply repeats. The first frame of a ' +
  'client is `hello`. A client may reconnect after the close codes 4000 to 4399.'

function toChannel(endpoint: Endpoint): Channel[] {
  const { docs } = endpoint.socket ?? {}
  if (!docs) return []
  const name = pascalCase(endpoint.path.replace(/^\/v1\//, ''))
  const id = name.charAt(0).toLowerCase() + name.slice(1)
  return [{ id, endpoint, docs: typeof docs === 'function' ? docs() : docs }]
}

const framesOf = ({ docs }: Channel, sender: Sender): [type: string, data: TSchema][] =>
  Object.entries(sender === 'client' ? docs.receives : docs.sends)

/** `streamsRealtimeClientHello`. */
const messageId = ({ id }: Channel, sender: Sender, type: string): string => id + pascalCase(`${sender}_${type}`)

function messageOf(components: Components, channel: Channel, sender: Sender, type: string, data: TSchema): Json {
  const { members = {} } = channel.docs
  const more: TProperties = (sender === 'client' ? members.receives : members.sends) ?? {}
  const name = pascalCase(`${messageId(channel, sender, type)}Frame`)
  const frame = named(
    name,
    Type.Object({ type: Type.Literal(type), id: Type.Optional(Type.String({ maxLength: 128 })), ...more, data }),
  )
  const payload = schemaFor(components.reader(`the socket ${channel.endpoint.path}`, false), frame)
  return { name: type, title: `${sender}: ${type}`, payload }
}

function channelOf(channel: Channel): Json {
  const { endpoint, docs } = channel
  const ids = (['client', 'server'] as const).flatMap(sender =>
    framesOf(channel, sender).map(([type]) => messageId(channel, sender, type)),
  )
  return {
    address: endpoint.path,
    ...(endpoint.summary !== undefined && { description: endpoint.summary }),
    messages: Object.fromEntries(ids.map(id => [id, { $ref: `#/components/messages/${id}` }])),
    bindings: { ws: { method: 'GET' } },
    'x-close-codes': { ...REALTIME_CLOSE_CODE, ...docs.closeCodes },
  }
}

function operationsOf(channel: Channel): [string, Json][] {
  const { id } = channel
  return (['client', 'server'] as const).map(sender => [
    `${sender === 'client' ? 'receive' : 'send'}${pascalCase(id)}`,
    {
      action: sender === 'client' ? 'receive' : 'send',
      channel: { $ref: `#/channels/${id}` },
      messages: framesOf(channel, sender).map(([type]) => ({
        $ref: `#/channels/${id}/messages/${messageId(channel, sender, type)}`,
      })),
    },
  ])
}
