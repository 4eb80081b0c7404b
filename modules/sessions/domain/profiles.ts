/** The value sets of the specification, and what follows from a session's mode and profile. Pure. */
import type { RecommendedSettings, Session, SessionMode, StreamProfile } from '../ports.ts'

export const MODES = ['screenshare', 'stream'] as const satisfies readonly SessionMode[]
export const PROFILES = ['balanced', 'crisp', 'low_latency', 'gaming'] as const satisfies readonly StreamProfile[]
export const STATUSES = ['created', 'accepted', 'ended', 'expired'] as const satisfies readonly Session['status'][]

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

/** How every session can be watched. */
export const VIEWER_PROTOCOLS = ['native-relay', 'browser-webrtc'] as const
const STREAM_PROTOCOLS = ['webrtc-whep', 'hls', 'll-hls'] as const
export const ALL_PROTOCOLS = [...VIEWER_PROTOCOLS, ...STREAM_PROTOCOLS] as const

const SETTINGS: Readonly<Record<StreamProfile, Omit<RecommendedSettings, 'audio_enabled'>>> = {
  balanced: {
    target_fps: 30,
    bitrate_kbps: 12_000,
    latency_profile: 'balanced',
    capture_profile: 'desktop',
    recommended_use: 'Everyday screen sharing: text stays readable and movement stays smooth.',
  },
  crisp: {
    target_fps: 30,
    bitrate_kbps: 16_000,
    latency_profile: 'balanced',
    capture_profile: 'desktop',
    recommended_use: 'Small text, drawings and code, where every pixel counts.',
  },
  low_latency: {
    target_fps: 60,
    bitrate_kbps: 9_000,
    latency_profile: 'interactive',
    capture_profile: 'desktop',
    recommended_use: 'Remote help and control, where an answer must follow at once.',
  },
  gaming: {
    target_fps: 60,
    bitrate_kbps: 18_000,
    latency_profile: 'interactive',
    capture_profile: 'game-or-app',
    recommended_use: 'Games and fast applications, where frames matter most.',
  },
}

/** Made once: every answer about a session has one. */
const READY = Object.fromEntries(
  PROFILES.map(profile => {
    const { recommended_use, ...settings } = SETTINGS[profile]
    const withAudio = (audio_enabled: boolean) => Object.freeze({ ...settings, audio_enabled, recommended_use })
    return [profile, { loud: withAudio(true), silent: withAudio(false) }]
  }),
) as Readonly<Record<StreamProfile, { readonly loud: RecommendedSettings; readonly silent: RecommendedSettings }>>

export const recommendedSettings = (profile: StreamProfile, audio: boolean): RecommendedSettings =>
  audio ? READY[profile].loud : READY[profile].silent

/** How a session can be watched by who joins it. */
export const joinProtocols = (mode: SessionMode): readonly string[] =>
  mode === 'stream' ? ALL_PROTOCOLS : VIEWER_PROTOCOLS

/** What a client that joins this session can count on. */
export function joinFeatures(
  session: Pick<Session, 'audio_enabled' | 'stream_profile' | 'webhook_url'>,
): readonly string[] {
  const fast = session.stream_profile === 'gaming' || session.stream_profile === 'low_latency'
  return [
    'relay-routing',
    'browser-viewer',
    ...(session.audio_enabled ? ['system-audio'] : []),
    'adaptive-bitrate',
    ...(fast ? ['low-latency'] : []),
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
