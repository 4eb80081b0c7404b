import type { Language } from '../../locales/index.ts'

const en = {
  attention: 'Needs attention',
  allGood: 'Nothing needs your attention.',
  glance: 'At a glance',
  areas: 'All areas',
  unchecked: 'Some checks failed: {names}',
  'platform.dead-letters': 'Failed deliveries and jobs',
  'comms.failed': 'Emails that could not be sent',
  'comms.bounced': 'Bounced emails',
  'comms.complained': 'Spam complaints',
  'webhooks.paused': 'Paused webhook endpoints',
  'webhooks.dead': 'Webhooks that were not delivered',
  'media.rejected': 'Rejected files',
  'invitations.pending': 'Pending invitations',
  queueOld: 'The oldest event has waited for {seconds} seconds',
  pastDue: 'The last payment failed',
  cancelled: 'The plan ends on {date}',
  trial: 'The trial ends on {date}',
}
type Texts = Readonly<Record<keyof typeof en, string>>

export const texts: Readonly<Record<Language, Texts>> = {
  en,
  de: {
    attention: 'Handlungsbedarf',
    allGood: 'Kein Handlungsbedarf.',
    glance: 'Auf einen Blick',
    areas: 'Alle Bereiche',
    unchecked: 'Einige Prüfungen sind fehlgeschlagen: {names}',
    'platform.dead-letters': 'Fehlgeschlagene Zustellungen und Jobs',
    'comms.failed': 'Nicht gesendete E-Mails',
    'comms.bounced': 'Unzustellbare E-Mails',
    'comms.complained': 'Spam-Beschwerden',
    'webhooks.paused': 'Pausierte Webhook-Endpunkte',
    'webhooks.dead': 'Nicht zugestellte Webhooks',
    'media.rejected': 'Abgelehnte Dateien',
    'invitations.pending': 'Offene Einladungen',
    queueOld: 'Das älteste Ereignis wartet seit {seconds} Sekunden',
    pastDue: 'Die letzte Zahlung ist fehlgeschlagen',
    cancelled: 'Der Tarif endet am {date}',
    trial: 'Die Testphase endet am {date}',
  },
}
export type HomeText = keyof Texts
