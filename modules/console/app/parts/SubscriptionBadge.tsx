import { Badge } from '../components/Badge.tsx'
import type { Subscription } from '../data/api-types.ts'
import { useScreenTexts } from '../locales/index.ts'
import { texts } from './plan-texts.ts'

export function SubscriptionBadge({ state, paymentPaused }: Pick<Subscription, 'state' | 'paymentPaused'>) {
  const c = useScreenTexts(texts)
  return <Badge text={paymentPaused ? 'paused' : state} label={paymentPaused ? c.paymentPaused : c.states[state]} />
}
