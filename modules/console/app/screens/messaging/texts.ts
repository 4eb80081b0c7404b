import { bilingual, languageStore, useScreenTexts } from '../../public.ts'

const texts = bilingual({
  title: 'Support inbox',
  views: ['Filter conversations', 'Unterhaltungen filtern'],
  open: ['Open', 'Offen'],
  mine: ['Mine', 'Meine'],
  unassigned: ['Unassigned', 'Nicht zugewiesen'],
  snoozed: ['Snoozed', 'Zurückgestellt'],
  resolved: ['Resolved', 'Abgeschlossen'],
  search: ['Search conversations', 'Unterhaltungen durchsuchen'],
  conversations: 'Conversations',
  thread: 'Conversation',
  messages: 'Messages',
  back: ['All conversations', 'Alle Unterhaltungen'],
  noSubject: 'Support request',
  formerMember: 'Former member',
  somebody: 'Somebody',
  support: 'Support',
  notes: 'Notes to yourself',
  attachment: 'Attachment',
  noMessages: 'No messages yet.',
  unread: ['{count} unread', '{count} ungelesen'],
  status: 'Status',
  anyStatus: 'All statuses',
  noConversations: ['No conversations yet', 'Noch keine Unterhaltungen'],
  noConversationsText: [
    'Conversations that you start, and those that others start with you, appear here.',
    'Hier erscheinen Unterhaltungen, die Sie beginnen oder die andere mit Ihnen beginnen.',
  ],
  waiting: ['Waiting for an answer', 'Wartet auf Antwort'],
  older: 'Older messages',
  choose: ['No conversation selected', 'Keine Unterhaltung ausgewählt'],
  chooseText: [
    'Select a conversation from the list. J and K move to the next and the previous one.',
    'Wählen Sie eine Unterhaltung aus der Liste. Mit J und K wechseln Sie zur nächsten und vorherigen.',
  ],
  none: ['Nothing to answer', 'Nichts zu beantworten'],
  noneText: [
    'Requests that people start with “Contact support” on their messages page arrive here.',
    'Hier kommen Anfragen an, die Personen mit „Support kontaktieren“ auf ihrer Nachrichtenseite beginnen.',
  ],
  noneMine: ['Nothing assigned to you', 'Ihnen ist nichts zugewiesen'],
  noneMineText: [
    'Conversations that you take or that others assign to you appear here.',
    'Unterhaltungen, die Sie übernehmen oder die Ihnen zugewiesen werden, erscheinen hier.',
  ],
  noneUnassigned: ['Everything is assigned', 'Alles ist zugewiesen'],
  noneUnassignedText: [
    'New conversations appear here until someone takes them.',
    'Neue Unterhaltungen erscheinen hier, bis jemand sie übernimmt.',
  ],
  noneSnoozed: ['Nothing snoozed', 'Nichts zurückgestellt'],
  noneSnoozedText: [
    'Snoozed conversations return to the open ones at their time, or with a new message.',
    'Zurückgestellte Unterhaltungen werden zur angegebenen Zeit oder mit einer neuen Nachricht wieder geöffnet.',
  ],
  noneResolved: ['Nothing resolved yet', 'Noch nichts abgeschlossen'],
  noneResolvedText: [
    'Resolved conversations appear here. A new message of the member opens them again.',
    'Abgeschlossene Unterhaltungen erscheinen hier. Eine neue Nachricht des Mitglieds öffnet sie wieder.',
  ],
  workspace: 'Workspace',
  plan: 'Plan',
  suspended: 'Suspended',
  assignee: 'Assignee',
  nobody: ['Nobody', 'Niemand'],
  take: ['Assign to me', 'Mir zuweisen'],
  assigned: ['Assigned to {name}.', '{name} zugewiesen.'],
  unassignedDone: ['Assigned to nobody.', 'Niemandem zugewiesen.'],
  resolve: 'Resolve',
  resolvedDone: ['Conversation resolved.', 'Unterhaltung abgeschlossen.'],
  reopen: 'Reopen',
  reopened: ['Conversation reopened.', 'Unterhaltung wieder geöffnet.'],
  snooze: 'Snooze',
  hour: ['For one hour', 'Für eine Stunde'],
  tomorrow: ['Until tomorrow, {time}', 'Bis morgen, {time}'],
  monday: ['Until Monday, {time}', 'Bis Montag, {time}'],
  snoozedUntil: ['Snoozed until {time}', 'Zurückgestellt bis {time}'],
  snoozedDone: ['Conversation snoozed.', 'Unterhaltung zurückgestellt.'],
  you: 'You',
  edited: 'edited',
  deleted: 'This message was deleted.',
  answer: 'Answer',
  placeholder: ['Write an answer, or type / for a saved reply', 'Antwort schreiben, oder / für einen Textbaustein'],
  send: 'Send',
  sendAndResolve: ['Send and resolve', 'Senden und abschließen'],
  savedReplies: 'Saved replies',
  manageReplies: ['Manage saved replies', 'Textbausteine verwalten'],
  suggestions: ['Matching saved replies', 'Passende Textbausteine'],
  keys: [
    'J and K: next and previous conversation. R: answer. I: assign to me. H: snooze. E: resolve. Ctrl-Enter: send.',
    'J und K: nächste und vorherige Unterhaltung. R: antworten. I: mir zuweisen. H: zurückstellen. E: abschließen. Strg-Eingabe: senden.',
  ],
})
export type InboxTexts = (typeof texts)['en']

export const useInboxTexts = (): InboxTexts => useScreenTexts(texts)

const format = (instant: Date | string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(languageStore.get(), options).format(new Date(instant))

export const formatTime = (instant: Date | string): string => format(instant, { timeStyle: 'short' })
export const formatDay = (instant: Date | string): string => format(instant, { dateStyle: 'full' })
/** The time of today, or the day. */
export const formatActivity = (instant: string): string =>
  new Date(instant).toDateString() === new Date().toDateString()
    ? formatTime(instant)
    : format(instant, { day: 'numeric', month: 'short' })
