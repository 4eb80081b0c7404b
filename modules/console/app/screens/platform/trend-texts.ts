import { bilingual } from '../../public.ts'

export const trendTexts = bilingual({
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
})
