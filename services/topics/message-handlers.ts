/** Handles the frames that clients send after their hello. */
import {
  type AnyTopic,
  allowValues,
  type ClientFrame,
  createValidator,
  type Deps,
  once,
  type TopicGrant,
  takeToken,
  type ValueCheck,
  wording,
} from '@larder-dev/larder/kernel/internal'
import type { AuthorizeTopic } from './access.ts'
import type { Channels } from './channels.ts'
import type { Connection } from './connection.ts'
import { errorOf, FrameProblem, refusals } from './errors.ts'
import type { History } from './history.ts'
import { ANONYMOUS_RATE, MAX_ANONYMOUS_SUBSCRIPTIONS, MAX_SUBSCRIPTIONS } from './limits.ts'
import type { Quotas } from './quotas.ts'
import { clientFrames, type SendData, type SubscribeData } from './schemas.ts'
import { ClientSubscription, type SubscriptionOwner, type SubscriptionRequest } from './subscription.ts'

export interface MessageHandlersDeps extends Deps<'clock' | 'log'> {
  readonly topics: () => ReadonlyMap<string, AnyTopic>
  readonly authorizeTopic: AuthorizeTopic
  readonly channels: Channels
  readonly history: Pick<History, 'received'>
  readonly quotas: Pick<Quotas, 'addSubscription'>
  /** Increases whenever rights to topics may have changed. */
  readonly accessVersion: () => number
  readonly ownerOf: (connection: Connection) => SubscriptionOwner
}

interface TopicChecks {
  readonly params: ValueCheck
  readonly input: ValueCheck | undefined
}

export function createMessageHandlers(deps: MessageHandlersDeps) {
  const { topics, authorizeTopic, channels, history, quotas, accessVersion, ownerOf, clock, log } = deps
  const validator = createValidator()
  const checkSubscribe = validator.body(clientFrames.subscribe)
  const checkUnsubscribe = validator.body(clientFrames.unsubscribe)
  const checkSend = validator.body(clientFrames.send)
  const checks = once(() => new Map([...topics()].map(([name, topic]) => [name, checksOf(topic)])))
  const checksOf = ({ params, input }: AnyTopic): TopicChecks => ({
    params: validator.body(params),
    input: input && validator.body(input),
  })

  function assertCapacity({ socket, subscriptions, bucket }: Connection, id: string): void {
    if (subscriptions.has(id))
      throw new FrameProblem('subscription_exists', wording('A subscription with this ID exists.'))
    const max = socket.member ? MAX_SUBSCRIPTIONS : MAX_ANONYMOUS_SUBSCRIPTIONS
    if (subscriptions.size >= max)
      throw new FrameProblem(
        'too_many_subscriptions',
        wording('A socket can have at most {max} subscriptions.', { max }),
      )
    if (!socket.member && !takeToken(bucket, ANONYMOUS_RATE, clock.now()))
      throw new FrameProblem('rate_limited', wording('Too many subscriptions in a short time.'), true)
  }

  /** Repeats the check if rights changed meanwhile. Undefined if the socket has closed. */
  async function authorize(
    connection: Connection,
    topic: AnyTopic,
    params: unknown,
  ): Promise<TopicGrant<unknown> | undefined> {
    const version = () => accessVersion() + connection.verifications
    for (let before = version(); !connection.socket.closed; before = version()) {
      const grant = await authorizeTopic(topic, connection.subscriber, params)
      if (version() !== before) continue
      if (grant === 'forbidden') throw refusals.forbidden(allowValues(topic.allow)[0] ?? '')
      if (typeof grant === 'string') throw refusals[grant]()
      return connection.socket.closed ? undefined : grant
    }
    return undefined
  }

  async function subscribe(connection: Connection, frame: ClientFrame): Promise<void> {
    const { subscription: id, topic: name, params: given = {}, after } = checkSubscribe(frame.data) as SubscribeData
    const topic = topics().get(name)
    if (!topic) throw new FrameProblem('unknown_topic', wording('No topic has this name.'))
    assertCapacity(connection, id)
    const params = checks().get(name)?.params(given)
    const release = quotas.addSubscription(connection)
    try {
      await admit(connection, frame, { id, topic, params, after, release })
    } catch (error) {
      if (!connection.subscriptions.has(id)) release()
      throw error
    }
  }

  async function admit(connection: Connection, frame: ClientFrame, request: SubscriptionRequest): Promise<void> {
    const { id, topic, params, after, release } = request
    if (after !== undefined) await history.received()
    const grant = await authorize(connection, topic, params)
    if (!grant) {
      release()
      return
    }
    const subscription = new ClientSubscription(ownerOf(connection), request, grant)
    connection.subscriptions.set(id, subscription)
    if (topic.open) return openFeed(connection, topic, subscription, frame.id)
    const attached = channels.attach(subscription, connection.lastPing)
    subscription.confirm({ position: attached.position, resumed: attached.missed !== undefined }, frame.id)
    channels.replay(subscription, attached)
  }

  async function openFeed(
    { subscriptions }: Connection,
    topic: AnyTopic,
    subscription: ClientSubscription,
    frameId: string | undefined,
  ): Promise<void> {
    try {
      const feed = await topic.open?.(subscription)
      if (subscription.closed) return feed?.close()
      subscription.feed = feed
      subscription.confirm({ position: feed?.position ?? null, resumed: feed?.resumed ?? false }, frameId)
    } catch (error) {
      subscription.closed = true
      subscriptions.delete(subscription.id)
      throw error
    }
  }

  const find = ({ subscriptions }: Connection, id: string): ClientSubscription => {
    const subscription = subscriptions.get(id)
    if (!subscription) throw new FrameProblem('unknown_subscription', wording('No subscription has this ID.'))
    return subscription
  }

  function unsubscribe(connection: Connection, frame: ClientFrame): void {
    const { subscription: id } = checkUnsubscribe(frame.data) as { subscription: string }
    find(connection, id).end('requested', frame.id)
  }

  async function send(connection: Connection, frame: ClientFrame): Promise<void> {
    const { subscription: id, input: given } = checkSend(frame.data) as SendData
    const { topic, feed } = find(connection, id)
    const check = checks().get(topic.name)?.input
    if (!check || !feed?.receive)
      throw new FrameProblem('read_only', wording('This topic receives nothing from clients.'))
    await feed.receive(check(given))
    if (frame.id !== undefined) connection.socket.sendFrame('accepted', { subscription: id }, frame.id)
  }

  const handlers: Readonly<Record<string, (connection: Connection, frame: ClientFrame) => void | Promise<void>>> = {
    subscribe,
    unsubscribe,
    send,
  }

  return async (connection: Connection, frame: ClientFrame): Promise<void> => {
    try {
      const handle = Object.hasOwn(handlers, frame.type) ? handlers[frame.type] : undefined
      if (frame.type === 'hello')
        throw new FrameProblem('greeted', wording('This connection has already had its hello.'))
      if (!handle) throw new FrameProblem('unknown_type', wording('Unknown frame type.'))
      await handle(connection, frame)
    } catch (error) {
      const { subscription } = frame.data
      const about = typeof subscription === 'string' ? { subscription: subscription.slice(0, 64) } : {}
      connection.socket.sendError({ ...errorOf(error, log), ...about }, frame.id)
    }
  }
}
