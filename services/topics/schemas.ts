/** Schemas of all frames of `/v1/realtime`, by the value of `type`. */
import { type Static, type TSchema, Type } from '@larder-dev/larder/kernel'
import { MAX_POSITION_LENGTH } from './position.ts'

const FreeObject = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true })
const SubscriptionId = Type.String({ minLength: 1, maxLength: 64, description: 'Chosen by the client' })
const PositionText = Type.String({ minLength: 1, maxLength: MAX_POSITION_LENGTH })

/** The data of the frames that clients send. `pong` repeats the data of its `ping`. */
export const clientFrames = {
  hello: Type.Object({
    tenantId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          "ID or slug. Defaults to the caller's current workspace, and to that of the operator for anonymous clients",
      }),
    ),
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'Bearer token or API key. Defaults to the credential of the upgrade request',
      }),
    ),
    anonymous: Type.Optional(Type.Boolean({ description: 'Ignores the credential of the upgrade request' })),
    lastPing: Type.Optional(
      Type.Integer({ minimum: 0, description: '`t` of the last ping of the previous connection' }),
    ),
  }),
  subscribe: Type.Object({
    subscription: SubscriptionId,
    topic: Type.String({ minLength: 1, maxLength: 128 }),
    params: Type.Optional(FreeObject),
    after: Type.Optional(PositionText),
  }),
  unsubscribe: Type.Object({ subscription: SubscriptionId }),
  send: Type.Object({ subscription: SubscriptionId, input: FreeObject }),
  ping: FreeObject,
  pong: Type.Object({ t: Type.Integer() }),
} satisfies Record<string, TSchema>

/** The data of the frames that the server sends. */
export const serverFrames = {
  welcome: Type.Object({
    protocol: Type.Integer(),
    tenantId: Type.String(),
    userId: Type.Union([Type.String(), Type.Null()]),
    pingIntervalMs: Type.Integer(),
    limits: Type.Object({
      frameBytes: Type.Integer(),
      bufferBytes: Type.Integer(),
      framesPerSecond: Type.Integer(),
      burst: Type.Integer(),
      subscriptions: Type.Integer(),
    }),
  }),
  subscribed: Type.Object({
    subscription: Type.String(),
    position: Type.Union([PositionText, Type.Null()]),
    resumed: Type.Boolean({ description: 'True if every message after `after` follows' }),
  }),
  message: Type.Object({
    subscription: Type.String(),
    position: Type.Union([PositionText, Type.Null()]),
    message: FreeObject,
  }),
  gap: Type.Object({ subscription: Type.String(), position: Type.Union([PositionText, Type.Null()]) }),
  unsubscribed: Type.Object({ subscription: Type.String(), reason: Type.String() }),
  accepted: Type.Object({ subscription: Type.String() }),
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    retryable: Type.Boolean(),
    subscription: Type.Optional(Type.String()),
    requiredPermission: Type.Optional(
      Type.String({ description: 'Key of the permission that a `forbidden` client lacks' }),
    ),
    errors: Type.Optional(
      Type.Array(Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() })),
    ),
  }),
  ping: Type.Object({ t: Type.Integer({ description: 'Milliseconds since 1970' }) }),
  pong: FreeObject,
  closing: Type.Object({
    action: Type.Union([Type.Literal('resume'), Type.Literal('reconnect'), Type.Literal('stop')]),
    reason: Type.String(),
    retryAfterMs: Type.Union([Type.Integer(), Type.Null()]),
  }),
} satisfies Record<string, TSchema>

export type HelloData = Static<typeof clientFrames.hello>
export type SubscribeData = Static<typeof clientFrames.subscribe>
export type SendData = Static<typeof clientFrames.send>
