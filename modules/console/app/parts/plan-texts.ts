import { bilingual } from '../locales/bilingual.ts'

export const texts = bilingual({
  states: {
    free: ['Free', 'Kostenlos'],
    trialing: ['Trial', 'Testphase'],
    active: ['Active', 'Aktiv'],
    past_due: ['Past due', 'Überfällig'],
    canceled: ['Canceled', 'Gekündigt'],
  },
  paymentPaused: ['Payment paused', 'Zahlung ausgesetzt'],
  usage: ['Usage', 'Nutzung'],
  noUsage: ['The plan has no entitlements.', 'Der Tarif enthält keine Leistungen.'],
  unlimited: ['{used} used, unlimited', '{used} genutzt, unbegrenzt'],
  of: ['{used} of {limit} used', '{used} von {limit} genutzt'],
  remaining: ['{limit} remaining', 'Noch {limit}'],
  included: ['Included', 'Enthalten'],
  notIncluded: ['Not included', 'Nicht enthalten'],
})
