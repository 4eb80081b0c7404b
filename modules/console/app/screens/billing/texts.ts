import { bilingual } from '../../public.ts'

export const texts = bilingual({
  overview: ['Plan and usage', 'Tarif und Nutzung'],
  plan: 'Plan',
  pausedText: [
    'The payment provider collects no payments for now. Until it does again, the limits of the default plan apply.',
    'Der Zahlungsanbieter zieht vorerst keine Zahlungen ein. Bis dahin gelten die Grenzen des Standardtarifs.',
  ],
  periodEnd: ['Current period ends', 'Laufender Zeitraum endet'],
  planEnds: 'Plan ends',
  trialEnds: 'Trial ends',
  graceEnds: 'Grace period ends',
  cancel: 'Cancel plan',
  cancelText: [
    'The plan ends at the end of the paid period. Until then you can resume it.',
    'Der Tarif endet mit dem bezahlten Zeitraum. Bis dahin können Sie ihn fortsetzen.',
  ],
  cancelled: ['The plan ends at the end of the period.', 'Der Tarif endet mit dem laufenden Zeitraum.'],
  resume: ['Resume plan', 'Tarif fortsetzen'],
  resumed: ['The plan continues.', 'Der Tarif läuft weiter.'],
  clock: ['Development clock', 'Entwicklungsuhr'],
  clockText: [
    'Advances the time of this workspace: trials end, plans renew, payments are due.',
    'Stellt die Zeit dieses Workspace vor: Testphasen enden, Tarife verlängern sich, Zahlungen werden fällig.',
  ],
  days: ['Days', 'Tage'],
  payments: ['Payments', 'Zahlungen'],
  succeed: ['Succeed', 'Gelingen'],
  fail: ['Fail', 'Scheitern'],
  advance: ['Advance', 'Vorstellen'],
  advanced: ['Time advanced by {days} days.', 'Die Zeit wurde um {days} Tage vorgestellt.'],
})
