import { bilingual } from '../../public.ts'

export const texts = bilingual({
  attention: ['Needs attention', 'Handlungsbedarf'],
  allGood: ['Nothing needs your attention.', 'Kein Handlungsbedarf.'],
  glance: ['At a glance', 'Auf einen Blick'],
  areas: ['All areas', 'Alle Bereiche'],
  trends: ['Trends', 'Verlauf'],
  wholeInstallation: ['whole installation', 'gesamte Installation'],
  thisWorkspace: ['this workspace', 'dieser Workspace'],
  lastDays: ['last 14 days', 'letzte 14 Tage'],
  lastHours: ['last 24 hours', 'letzte 24 Stunden'],
  oneProcess: ['one process', 'ein Prozess'],
  today: ['today', 'heute'],
  thisHour: ['this hour', 'diese Stunde'],
  trendText: [
    '{title}, {period}: at most {most} ({at}), most recently {last}',
    '{title}, {period}: höchstens {most} ({at}), zuletzt {last}',
  ],
  trendEmpty: ['{title}, {period}: no measurements', '{title}, {period}: keine Messwerte'],
  trendsFailed: ['Trends could not be loaded.', 'Der Verlauf konnte nicht geladen werden.'],
  unchecked: ['Some checks failed: {names}', 'Einige Prüfungen sind fehlgeschlagen: {names}'],
  'platform.dead-letters': ['Failed deliveries and jobs', 'Fehlgeschlagene Zustellungen und Jobs'],
  'comms.failed': ['Emails that could not be sent', 'Nicht gesendete E-Mails'],
  'comms.bounced': ['Bounced emails', 'Unzustellbare E-Mails'],
  'comms.complained': ['Spam complaints', 'Spam-Beschwerden'],
  'webhooks.paused': ['Paused webhook endpoints', 'Pausierte Webhook-Endpunkte'],
  'webhooks.dead': ['Webhooks that were not delivered', 'Nicht zugestellte Webhooks'],
  'media.rejected': ['Rejected files', 'Abgelehnte Dateien'],
  problem: ['{module}: {problem}', '{module}: {problem}'],
  queueOld: [
    'The oldest event has waited for {seconds} seconds',
    'Das älteste Ereignis wartet seit {seconds} Sekunden',
  ],
  pastDue: ['The last payment failed', 'Die letzte Zahlung ist fehlgeschlagen'],
  cancelled: ['The plan ends on {date}', 'Der Tarif endet am {date}'],
  trial: ['The trial ends on {date}', 'Die Testphase endet am {date}'],
})
export type HomeText = keyof (typeof texts)['en']
