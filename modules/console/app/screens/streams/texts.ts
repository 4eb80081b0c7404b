import { bilingual, useScreenTexts } from '../../public.ts'

/** Milliseconds between two loads of a state that changes by itself. */
export const REFRESH_MS = 5000
export const LAYOUTS = ['single', 'horizontal', 'vertical', 'grid', 'focus'] as const
export const isOver = (status: string): boolean => status === 'ended' || status === 'expired'

const texts = bilingual({
  sources: 'Sources',
  watch: 'Watch',
  end: 'End',
  endTitle: ['End {code}?', '{code} beenden?'],
  endText: [
    'Everyone is disconnected. This can’t be undone.',
    'Alle Verbindungen werden getrennt. Das lässt sich nicht rückgängig machen.',
  ],
  endDone: ['Ended.', 'Beendet.'],
  noSources: ['No sources yet.', 'Noch keine Quellen.'],
  layout: 'Layout',
  arrangement: ['Arrangement', 'Anordnung'],
  mainSource: ['Main source', 'Hauptquelle'],
  firstSource: ['First source', 'Erste Quelle'],
  saveLayout: ['Save layout', 'Layout speichern'],
  layoutSaved: ['The layout was saved.', 'Das Layout wurde gespeichert.'],
  tokens: 'Tokens',
  noTokens: ['No tokens yet.', 'Noch keine Tokens.'],
  viewer: 'Watch',
  publisher: ['Send a stream', 'Stream senden'],
  purpose: 'For',
  label: 'Label',
  validFor: ['Valid for', 'Gültig für'],
  wholeStream: ['The whole stream', 'Den gesamten Stream'],
  hours: ['{count} h', '{count} Std.'],
  createToken: ['Create token', 'Token erstellen'],
  used: ['used once || used {count} times', '{count}-mal verwendet'],
  until: ['until {date}', 'bis {date}'],
  revoke: 'Revoke',
  revokeTitle: ['Revoke this token?', 'Dieses Token widerrufen?'],
  revokeText: [
    'It can’t open new connections, and open ones are closed.',
    'Es kann keine neuen Verbindungen öffnen, offene werden getrennt.',
  ],
  revokedDone: ['The token was revoked.', 'Das Token wurde widerrufen.'],
  shownOnce: [
    'Copy the token now. It is shown only once.',
    'Kopieren Sie das Token jetzt. Es wird nur einmal angezeigt.',
  ],
  goLive: 'Go live',
  share: 'Share',
  viewerLink: 'Viewer link',
  anyoneWatches: 'Anyone with this link can watch.',
  embedCode: 'Embed code',
  encoders: 'OBS and other encoders',
  createAddress: 'Create address for OBS',
  server: 'Server (WHIP)',
  bearerToken: 'Bearer token',
  anyoneBroadcasts: 'Anyone with this token can broadcast.',
  noEdge: [
    'OBS needs a media server, which this installation doesn’t have.',
    'OBS braucht einen Medienserver, den diese Installation nicht hat.',
  ],
  sharedLink: 'Shared link',
  openStream: ['Open the stream', 'Stream öffnen'],
  rotate: ['New join token', 'Neues Beitrittstoken'],
  rotateTitle: ['Create a new join token?', 'Neues Beitrittstoken erstellen?'],
  rotateText: ['The previous token stops working.', 'Das bisherige Token wird ungültig.'],
})

export const useStreamTexts = () => useScreenTexts(texts)
