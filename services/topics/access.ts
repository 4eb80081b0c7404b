/** Decides whether a client may subscribe: `allow` of the topic first, then its `authorize`. */
import {
  type AnyTopic,
  allowValues,
  type Deps,
  Problem,
  type TopicGrant,
  type TopicSubscriber,
} from '@larder-dev/larder/kernel/internal'

export type Refusal = 'unauthenticated' | 'forbidden' | 'not_found'

/** Undefined if `allow` admits the subscriber. */
export function refusalOf({ allow }: AnyTopic, { member }: TopicSubscriber): Refusal | undefined {
  const words = allowValues(allow)
  if (words.includes('public')) return undefined
  if (!member) return 'unauthenticated'
  return words.some(word => word === 'user' || member.can(word)) ? undefined : 'forbidden'
}

/** Throws `tenant_suspended` for an anonymous subscriber. A member's socket verifies the membership. */
export type AuthorizeTopic = (
  topic: AnyTopic,
  subscriber: TopicSubscriber,
  params: unknown,
) => Promise<TopicGrant<unknown> | Refusal>

export function createTopicAuthorization({ tenantSuspension }: Deps<'tenantSuspension'>): AuthorizeTopic {
  return async (topic, subscriber, params) => {
    const refusal = refusalOf(topic, subscriber)
    if (refusal) return refusal
    try {
      const grant = await topic.authorize(subscriber, params)
      if (grant && !subscriber.member) await tenantSuspension.assertActive(grant.tenantId)
      return grant ?? 'not_found'
    } catch (error) {
      if (Problem.is(error) && error.status === NOT_FOUND) return 'not_found'
      throw error
    }
  }
}
const NOT_FOUND = 404
