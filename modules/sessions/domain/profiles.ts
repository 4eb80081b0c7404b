/** Session modes and stream profiles, and the settings, protocols and features that follow from them. Pure. */

export const MODES = ['screenshare', 'stream'] as const
export type SessionMode = (typeof MODES)[number]
export const PROFILES = ['balanced', 'crisp', 'low_latency', 'gaming'] as const
export type StreamProfile = (typeof PROFILES)[number]

export interface RecommendedSettings {
  readonly target_fps: number
  readonly bitrate_kbps: number
  readonly audio_enabled: boolean
  readonly latency_profile: string
  readonly capture_profile: string
  readonly recommended_use: string
}

export const FEATURES = [
  'typed-sessions',
  'relay-routing',
  'browser-viewer',
  'system-audio',
  'adaptive-bitrate',
  'webhooks',
  'whip-ingest-ready',
  'webrtc-whep-playback-ready',
  'hls-ll-hls-output-ready',
] as const

/** Available for sessions of every mode. */
export const VIEWER_PROTOCOLS = ['native-relay', 'browser-webrtc'] as const
const STREAM_PROTOCOLS = ['webrtc-whep', 'hls', 'll-hls'] as const
export const ALL_PROTOCOLS = [...VIEWER_PROTOCOLS, ...STREAM_PROTOCOLS] as const

const SETTINGS: Readonly<Record<StreamProfile, Omit<RecommendedSettings, 'audio_enabled'>>> = {
  balanced: {
    target_fps: 30,
    bitrate_kbps: 12_000,
    latency_profile: 'balanced',
    capture_profile: 'desktop',
    recommended_use: 'Everyday screen sharing with readable text and smooth motion.',
  },
  crisp: {
    target_fps: 30,
    bitrate_kbps: 16_000,
    latency_profile: 'balanced',
    capture_profile: 'desktop',
    recommended_use: 'Small text, drawings and code that need full sharpness.',
  },
  low_latency: {
    target_fps: 60,
    bitrate_kbps: 9_000,
    latency_profile: 'interactive',
    capture_profile: 'desktop',
    recommended_use: 'Remote support and control that need the lowest delay.',
  },
  gaming: {
    target_fps: 60,
    bitrate_kbps: 18_000,
    latency_profile: 'interactive',
    capture_profile: 'game-or-app',
    recommended_use: 'Games and fast applications that need a high frame rate.',
  },
}

/** Computed once, because every response about a session contains one. */
const RECOMMENDED = Object.fromEntries(
  PROFILES.map(profile => {
    const { recommended_use, ...settings } = SETTINGS[profile]
    const settingsFor = (audio_enabled: boolean) => Object.freeze({ ...settings, audio_enabled, recommended_use })
    return [profile, { withAudio: settingsFor(true), withoutAudio: settingsFor(false) }]
  }),
) as Readonly<
  Record<StreamProfile, { readonly withAudio: RecommendedSettings; readonly withoutAudio: RecommendedSettings }>
>

export const recommendedSettings = (profile: StreamProfile, audio: boolean): RecommendedSettings =>
  audio ? RECOMMENDED[profile].withAudio : RECOMMENDED[profile].withoutAudio

/** Protocols with which a client can watch a session of this mode. */
export const joinProtocols = (mode: SessionMode): readonly string[] =>
  mode === 'stream' ? ALL_PROTOCOLS : VIEWER_PROTOCOLS

/** Features available to a client that joins this session. */
export function joinFeatures(session: {
  readonly audio_enabled: boolean
  readonly stream_profile: StreamProfile
  readonly webhook_url: string | null
}): readonly string[] {
  const lowLatency = session.stream_profile === 'gaming' || session.stream_profile === 'low_latency'
  return [
    'relay-routing',
    'browser-viewer',
    ...(session.audio_enabled ? ['system-audio'] : []),
    'adaptive-bitrate',
    ...(lowLatency ? ['low-latency'] : []),
    ...(session.webhook_url === null ? [] : ['webhooks']),
  ]
}

export const capabilities = () => ({
  session_modes: MODES,
  stream_profiles: PROFILES,
  viewer_protocols: ALL_PROTOCOLS,
  features: FEATURES,
  default_screen_share: recommendedSettings('balanced', true),
})
