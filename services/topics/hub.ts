/** The sockets of this process and their subscriptions. */
import { type AnyTopic, type Deps, once, Problem, type RealtimeEndpoint } from '@larder-dev/larder/kernel/internal'
import { createTopicAuthorization } from './access.ts'
import { createChannels } from './channels.ts'
import { type Connection, createConnection } from './connection.ts'
import { createDeliveries } from './deliveries.ts'
import { createHello } from './hello.ts'
import { createHistory } from './history.ts'
import { FRAME_RATE, MAX_BUFFER_BYTES, MAX_FRAME_BYTES } from './limits.ts'
import { createMessageHandlers } from './message-handlers.ts'
import { createMessageLog } from './message-log.ts'
import type { TopicAccessChange } from './ports.ts'
import { createQuotas } from './quotas.ts'
import { registeredTopics } from './registered-topics.ts'
import type { ClientSubscription, SubscriptionOwner } from './subscription.ts'

export type HubDeps = Deps<
  'realtime' | 'bus' | 'clock' | 'log' | 'access' | 'operator' | 'registry' | 'settings' | 'tenantSuspension'
>

export interface TopicHub {
  readonly endpoint: RealtimeEndpoint
  /** The topics of all modules. Throws if a declaration is invalid. */
  topics(): ReadonlyMap<string, AnyTopic>
  /** Receives messages, also without sockets, so that clients of other processes can continue here. */
  listen(): void
  stop(): void
}

const INTERNAL_ERROR = 1011

export function createTopicHub(deps: HubDeps): TopicHub {
  const { realtime, bus, clock, log, access, operator, registry, settings } = deps
  const topics = once(() => registeredTopics(registry, access))
  const now = () => clock.now()
  const messages = createMessageLog<ClientSubscription>(now)
  const deliveries = createDeliveries(error => log.error({ err: error }, 'the view of a topic failed'))
  const channels = createChannels(messages, deliveries)
  const quotas = createQuotas(settings.realtimeLimits)
  const history = createHistory({ bus, log, messages, now })
  const authorizeTopic = createTopicAuthorization(deps)
  let accessVersion = 0
  let stops: (() => void)[] = []

  const ownerOf = (connection: Connection): SubscriptionOwner => ({
    socket: connection.socket,
    subscriber: connection.subscriber,
    paused: channels.addSlowClient,
    ended: subscription => remove(connection, subscription),
  })

  function remove({ subscriptions }: Connection, subscription: ClientSubscription): void {
    subscription.closed = true
    subscriptions.delete(subscription.id)
    channels.detach(subscription)
    subscription.release()
    subscription.feed?.close()
  }

  /**
   * Ends the subscription if the client has lost access. Rejects if that can't be determined. The result of an earlier
   * authorization that ends later is ignored: it may grant rights that were revoked meanwhile.
   */
  async function reauthorize(connection: Connection, subscription: ClientSubscription): Promise<void> {
    const { topic, params } = subscription
    const authorization = ++subscription.authorizations
    const grant = await authorizeTopic(topic, connection.subscriber, params).catch(error => {
      // Parameters can become invalid, for example if they name something that the client may no longer read.
      if (Problem.is(error) && error.status < 500) return error.code
      throw error
    })
    if (subscription.closed || subscription.authorizations !== authorization) return
    if (typeof grant === 'string') return subscription.end(grant)
    subscription.grant = grant
    await subscription.feed?.refresh?.()
    if (subscription.channel && !channels.isCurrent(subscription, grant)) channels.move(subscription)
  }

  const isAffected = (
    { topic, grant }: ClientSubscription,
    { subscriber: { member } }: Connection,
    change: TopicAccessChange,
  ): boolean =>
    topic.name === change.topic &&
    grant.tenantId === change.tenantId &&
    (change.key === undefined || grant.key === change.key) &&
    (change.userId === undefined || member?.userId === change.userId)

  function handleAccessChange(change: TopicAccessChange): void {
    accessVersion++
    for (const connection of server.connections())
      for (const subscription of connection.subscriptions.values())
        if (isAffected(subscription, connection, change))
          reauthorize(connection, subscription).catch(error => closeUnverified(connection, error))
  }

  function closeUnverified({ socket }: Connection, error: unknown): void {
    log.warn({ err: error }, 'failed to authorize a subscription again')
    socket.close(INTERNAL_ERROR, 'internal')
  }

  /** Messages about changed rights may have been missed, too. The server itself verifies members after a gap. */
  function handleGap(): void {
    channels.markGap()
    history.request()
    reauthorizeAnonymous()
  }

  function reauthorizeAnonymous(): void {
    accessVersion++
    for (const connection of server.connections())
      if (!connection.socket.member) verified(connection).catch(error => closeUnverified(connection, error))
  }

  async function verified(connection: Connection): Promise<void> {
    connection.verifications++
    for (const subscription of [...connection.subscriptions.values()]) await reauthorize(connection, subscription)
  }

  const server = realtime.createServer<Connection>({
    maxFrameBytes: MAX_FRAME_BYTES,
    maxBufferBytes: MAX_BUFFER_BYTES,
    frameRate: FRAME_RATE,
    onRevoked: 'verify',
    open: socket => createConnection(socket, operator.tenantId, clock.now()),
    hello: createHello({ log, quotas }),
    message: createMessageHandlers({
      topics,
      authorizeTopic,
      channels,
      history,
      quotas,
      accessVersion: () => accessVersion,
      ownerOf,
      clock,
      log,
    }),
    verified,
    closed(connection) {
      connection.release()
      for (const subscription of [...connection.subscriptions.values()]) remove(connection, subscription)
    },
  })

  return {
    endpoint: server.endpoint,
    topics,
    listen() {
      stops = [
        bus.subscribe('topics.messages', channels.receive, handleGap),
        bus.subscribe('topics.access', handleAccessChange),
        bus.subscribe('tenants.suspended', reauthorizeAnonymous),
        history.listen(),
      ]
      channels.markGap()
      history.request()
    },
    stop() {
      for (const stop of stops) stop()
      channels.stop()
    },
  }
}
