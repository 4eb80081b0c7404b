import { bilingual } from '../locales/bilingual.ts'

export const texts = bilingual({
  states: {
    free: 'Free',
    trialing: 'Trial',
    active: 'Active',
    past_due: 'Past due',
    canceled: 'Canceled',
  },
  paymentPaused: 'Payment paused',
  given: 'Given',
  usage: 'Usage',
  noUsage: ['The plan has no entitlements.', 'Der Tarif enthält keine Leistungen.'],
  unlimited: ['{used} used, unlimited', '{used} genutzt, unbegrenzt'],
  of: ['{used} of {limit} used', '{used} von {limit} genutzt'],
  remaining: ['{limit} remaining', 'Noch {limit}'],
  included: ['Included', 'Enthalten'],
  notIncluded: 'Not included',
})
