/** The sockets of this process and their subscriptions. */
import { type AnyTopic, type Deps, once, Problem, type RealtimeEndpoint } from 'larder/kernel'
import { authorizeTopic } from './access.ts'
import { createChannels } from './channels.ts'
import { type Connection, createConnection } from './connection.ts'
import { createHello } from './hello.ts'
import { FRAME_RATE, MAX_BUFFER_BYTES, MAX_FRAME_BYTES } from './limits.ts'
import { createMessageHandlers } from './message-handlers.ts'
import type { TopicAccessChange } from './ports.ts'
import { registeredTopics } from './registered-topics.ts'
import { RENEW_INTERVAL_MS, type SubscribedChannels } from './subscribed-channels.ts'
import type { ClientSubscription, SubscriptionHost } from './subscription.ts'

export interface HubDeps extends Deps<'realtime' | 'bus' | 'clock' | 'log' | 'access' | 'operator' | 'registry'> {
  readonly subscribedChannels: SubscribedChannels
}

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
  const { realtime, bus, clock, log, access, operator, registry, subscribedChannels } = deps
  const topics = once(() => registeredTopics(registry, access))
  const channels = createChannels(() => clock.now(), subscribedChannels)
  let accessVersion = 0
  let stops: (() => void)[] = []
  let renewals: NodeJS.Timeout | undefined

  const hostOf = (connection: Connection): SubscriptionHost => ({
    socket: connection.socket,
    subscriber: connection.subscriber,
    fellBehind: channels.fallBehind,
    failed: ({ topic: { name: topic } }, error) => log.error({ err: error, topic }, 'the view of a topic failed'),
    ended: subscription => remove(connection, subscription),
  })

  function remove({ subscriptions }: Connection, subscription: ClientSubscription): void {
    subscription.closed = true
    subscriptions.delete(subscription.id)
    channels.detach(subscription)
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
    const isOutdated = () => subscription.closed || subscription.authorizations !== authorization
    if (isOutdated()) return
    if (typeof grant === 'string') return subscription.end(grant)
    subscription.grant = grant
    await subscription.feed?.refresh?.()
    if (!subscription.channel || channels.isCurrent(subscription, grant)) return
    const epoch = await channels.prepare(topic.name, grant)
    if (!isOutdated()) channels.move(subscription, epoch)
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
    channels.lose()
    renew()
    accessVersion++
    for (const connection of server.connections())
      if (!connection.socket.member) verified(connection).catch(error => closeUnverified(connection, error))
  }

  function renew(): void {
    channels.renew().catch(error => log.warn({ err: error }, 'the subscribed channels could not be renewed'))
  }

  async function verified(connection: Connection): Promise<void> {
    connection.verifications++
    for (const subscription of [...connection.subscriptions.values()]) await reauthorize(connection, subscription)
  }

  const server = realtime.createServer<Connection>({
    ...{ maxFrameBytes: MAX_FRAME_BYTES, maxBufferBytes: MAX_BUFFER_BYTES, frameRate: FRAME_RATE },
    onRevoked: 'verify',
    open: socket => createConnection(socket, operator.tenantId, clock.now()),
    hello: createHello({ log }),
    message: createMessageHandlers({ topics, channels, accessVersion: () => accessVersion, hostOf, clock, log }),
    verified,
    closed(connection) {
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
      ]
      channels.lose()
      renewals = setInterval(renew, RENEW_INTERVAL_MS).unref()
    },
    stop() {
      for (const stop of stops) stop()
      clearInterval(renewals)
      channels.stop()
    },
  }
}
