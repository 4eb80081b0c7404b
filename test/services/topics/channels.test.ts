import test from 'ava'
import { createChannels } from '../../../services/topics/channels.ts'
import type { ClientSubscription } from '../../../services/topics/subscription.ts'

function subscriptionTo(key: string) {
  const gaps: (string | null | undefined)[] = []
  const subscription = {
    ...{ topic: { name: 'cards' }, grant: { tenantId: 'ten_1', key }, after: undefined, closed: false },
    isReady: () => true,
    gap: (position?: string | null) => gaps.push(position),
  }
  return { gaps, subscription: subscription as unknown as ClientSubscription }
}

test('subscriptions receive a gap if the renewal of their channel returns another epoch', async t => {
  let epochs = new Map<string, string>()
  const renewed: string[][] = []
  const channels = createChannels(() => 1_000_000, {
    subscribe: async () => 'first',
    renew: async ids => {
      renewed.push([...ids])
      return epochs
    },
  })
  const [kept, changed] = [subscriptionTo('kept'), subscriptionTo('changed')]
  for (const { subscription } of [kept, changed])
    channels.attach(subscription, await channels.prepare('cards', subscription.grant), 0)
  epochs = new Map([
    ['cards\nten_1\nkept', 'first'],
    ['cards\nten_1\nchanged', 'second'],
  ])
  await channels.renew()
  t.deepEqual(renewed, [[...epochs.keys()]])
  t.deepEqual(kept.gaps, [])
  t.is(changed.gaps.length, 1)
  t.regex(changed.gaps[0] ?? '', /\.second$/)
  channels.detach(kept.subscription)
  channels.detach(changed.subscription)
  await channels.renew()
  t.is(renewed.length, 1)
})
