import { type Language, useScreenTexts } from '../../locales/index.ts'

/** Milliseconds between two loads of a state that changes by itself. */
export const REFRESH_MS = 5000
export type SessionStatus = 'created' | 'accepted' | 'ended' | 'expired'
export const LAYOUTS = ['single', 'horizontal', 'vertical', 'grid', 'focus'] as const
export const isOver = (status: string): boolean => status === 'ended' || status === 'expired'

export interface Session {
  readonly id: string
  readonly code: string
  readonly mode: 'screenshare' | 'stream'
  readonly status: SessionStatus
  readonly purpose: string | null
  readonly customer: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly accepted_at: string | null
  readonly ended_at: string | null
  readonly end_reason: 'owner' | 'max_duration' | null
  readonly viewer_protocols: readonly string[]
}
export interface Media {
  readonly enabled: boolean
  readonly whip_url?: string
  readonly ingest?: { readonly rtmp_url?: string; readonly rtsp_url?: string; readonly srt_url?: string }
}
export interface Stream extends Session {
  readonly title: string | null
  readonly description: string | null
  readonly visibility: 'private' | 'public'
  readonly live_status: string
  readonly live_at: string | null
  readonly viewer_count: number
  readonly playback: { readonly whep_url: string; readonly hls_url: string }
  readonly sources: readonly {
    readonly source_id: string
    readonly kind: 'screen' | 'window' | 'camera' | 'microphone' | 'game' | 'external'
    readonly label: string | null
    readonly width: number | null
    readonly height: number | null
    readonly fps: number | null
  }[]
  readonly layout: {
    readonly kind: (typeof LAYOUTS)[number]
    readonly slots: readonly { readonly source_id: string; readonly order: number }[]
    readonly focus_source_id: string | null
    readonly version: number
  }
}

const en = {
  code: 'Code',
  viewers: 'Viewers',
  sources: 'Sources',
  customer: 'Customer',
  private: 'Private',
  public: 'Public',
  liveSince: 'Live since',
  endedAt: 'Ended',
  watch: 'Watch',
  end: 'End',
  endTitle: 'End {code}?',
  endText: 'Everyone is disconnected. This can’t be undone.',
  endDone: 'Ended.',
  noSources: 'No sources yet.',
  screen: 'Screen',
  window: 'Window',
  camera: 'Camera',
  microphone: 'Microphone',
  game: 'Game',
  external: 'External',
  layout: 'Layout',
  arrangement: 'Arrangement',
  single: 'One source',
  horizontal: 'Side by side',
  vertical: 'Stacked',
  grid: 'Grid',
  focus: 'One large, others small',
  mainSource: 'Main source',
  firstSource: 'First source',
  saveLayout: 'Save layout',
  layoutSaved: 'The layout was saved.',
  tokens: 'Tokens',
  noTokens: 'No tokens yet.',
  viewer: 'Watch',
  publisher: 'Broadcast',
  purpose: 'For',
  label: 'Label',
  validFor: 'Valid for',
  wholeStream: 'The whole stream',
  hours: '{count} h',
  createToken: 'Create token',
  used: 'used {count} times',
  until: 'until {date}',
  revoke: 'Revoke',
  revokeTitle: 'Revoke this token?',
  revokeText: 'It can’t open new connections, and open ones are closed.',
  revokedDone: 'The token was revoked.',
  shownOnce: 'Copy the token now. It is shown only once.',
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
  noEdge: 'OBS needs a media server, which this installation doesn’t have.',
  sharedLink: 'Shared link',
  mode: 'Mode',
  screenshare: 'Screen sharing',
  stream: 'Stream',
  reason: 'Purpose',
  acceptedAt: 'Started',
  endReason: 'Ended by',
  owner: 'A member',
  max_duration: 'Maximum duration',
  protocols: 'Protocols',
  openStream: 'Open the stream',
  rotate: 'New join token',
  rotateTitle: 'Create a new join token?',
  rotateText: 'The previous token stops working.',
}
const de: typeof en = {
  code: 'Code',
  viewers: 'Zuschauer',
  sources: 'Quellen',
  customer: 'Kunde',
  private: 'Privat',
  public: 'Öffentlich',
  liveSince: 'Live seit',
  endedAt: 'Beendet',
  watch: 'Ansehen',
  end: 'Beenden',
  endTitle: '{code} beenden?',
  endText: 'Alle Verbindungen werden getrennt. Das lässt sich nicht rückgängig machen.',
  endDone: 'Beendet.',
  noSources: 'Noch keine Quellen.',
  screen: 'Bildschirm',
  window: 'Fenster',
  camera: 'Kamera',
  microphone: 'Mikrofon',
  game: 'Spiel',
  external: 'Extern',
  layout: 'Layout',
  arrangement: 'Anordnung',
  single: 'Eine Quelle',
  horizontal: 'Nebeneinander',
  vertical: 'Untereinander',
  grid: 'Raster',
  focus: 'Eine groß, die anderen klein',
  mainSource: 'Hauptquelle',
  firstSource: 'Erste Quelle',
  saveLayout: 'Layout speichern',
  layoutSaved: 'Das Layout wurde gespeichert.',
  tokens: 'Tokens',
  noTokens: 'Noch keine Tokens.',
  viewer: 'Ansehen',
  publisher: 'Senden',
  purpose: 'Für',
  label: 'Bezeichnung',
  validFor: 'Gültig für',
  wholeStream: 'Den gesamten Stream',
  hours: '{count} Std.',
  createToken: 'Token erstellen',
  used: '{count}-mal verwendet',
  until: 'bis {date}',
  revoke: 'Widerrufen',
  revokeTitle: 'Dieses Token widerrufen?',
  revokeText: 'Es kann keine neuen Verbindungen öffnen, offene werden getrennt.',
  revokedDone: 'Das Token wurde widerrufen.',
  shownOnce: 'Kopieren Sie das Token jetzt. Es wird nur einmal angezeigt.',
  goLive: 'Live gehen',
  share: 'Teilen',
  viewerLink: 'Zuschauerlink',
  anyoneWatches: 'Wer diesen Link hat, kann zusehen.',
  embedCode: 'Einbettungscode',
  encoders: 'OBS und andere Encoder',
  createAddress: 'Adresse für OBS erstellen',
  server: 'Server (WHIP)',
  bearerToken: 'Bearer-Token',
  anyoneBroadcasts: 'Wer dieses Token hat, kann senden.',
  noEdge: 'OBS braucht einen Medienserver, den diese Installation nicht hat.',
  sharedLink: 'Geteilter Link',
  mode: 'Modus',
  screenshare: 'Bildschirmfreigabe',
  stream: 'Stream',
  reason: 'Zweck',
  acceptedAt: 'Begonnen',
  endReason: 'Beendet durch',
  owner: 'Ein Mitglied',
  max_duration: 'Höchstdauer',
  protocols: 'Protokolle',
  openStream: 'Stream öffnen',
  rotate: 'Neues Beitrittstoken',
  rotateTitle: 'Neues Beitrittstoken erstellen?',
  rotateText: 'Das bisherige Token wird ungültig.',
}
const TEXTS: Readonly<Record<Language, typeof en>> = { en, de }
export const useStreamTexts = (): typeof en => useScreenTexts(TEXTS)
