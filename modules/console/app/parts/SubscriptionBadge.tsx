import { Badge } from '../components/Badge.tsx'
import type { Subscription } from '../data/api-types.ts'
import { useScreenTexts } from '../locales/index.ts'
import { texts } from './plan-texts.ts'

export function SubscriptionBadge({
  state,
  paymentPaused,
  given,
}: Pick<Subscription, 'state' | 'paymentPaused' | 'given'>) {
  const c = useScreenTexts(texts)
  if (paymentPaused) return <Badge text="paused" label={c.paymentPaused} />
  return <Badge text={state} label={given && state === 'active' ? c.given : c.states[state]} />
}
