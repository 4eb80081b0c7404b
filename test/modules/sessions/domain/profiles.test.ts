import test from 'ava'
import {
  capabilities,
  joinFeatures,
  joinProtocols,
  PROFILES,
  recommendedSettings,
} from '../../../../modules/sessions/domain/profiles.ts'

const settingValues = (profile: (typeof PROFILES)[number]) => {
  const { recommended_use, ...rest } = recommendedSettings(profile, true)
  return Object.values(rest)
}

test('each profile recommends the specified settings', t => {
  t.deepEqual(settingValues('balanced'), [30, 12000, 'balanced', 'desktop', true])
  t.deepEqual(settingValues('crisp'), [30, 16000, 'balanced', 'desktop', true])
  t.deepEqual(settingValues('low_latency'), [60, 9000, 'interactive', 'desktop', true])
  t.deepEqual(settingValues('gaming'), [60, 18000, 'interactive', 'game-or-app', true])
})

test('audio follows the session, and each profile has a distinct recommended use', t => {
  t.false(recommendedSettings('gaming', false).audio_enabled)
  const uses = PROFILES.map(profile => recommendedSettings(profile, true).recommended_use)
  t.is(new Set(uses).size, 4)
  for (const use of uses) t.regex(use, /^[A-Z][^.]+\.$/)
})

test('lists capabilities in the specified order', t => {
  t.deepEqual(capabilities(), {
    session_modes: ['screenshare', 'stream'],
    stream_profiles: ['balanced', 'crisp', 'low_latency', 'gaming'],
    viewer_protocols: ['native-relay', 'browser-webrtc', 'webrtc-whep', 'hls', 'll-hls'],
    features: [
      'typed-sessions',
      'relay-routing',
      'browser-viewer',
      'system-audio',
      'adaptive-bitrate',
      'webhooks',
      'whip-ingest-ready',
      'webrtc-whep-playback-ready',
      'hls-ll-hls-output-ready',
    ],
    default_screen_share: recommendedSettings('balanced', true),
  })
})

test('a stream offers more protocols than a screen share', t => {
  t.deepEqual(joinProtocols('screenshare'), ['native-relay', 'browser-webrtc'])
  t.deepEqual(joinProtocols('stream'), ['native-relay', 'browser-webrtc', 'webrtc-whep', 'hls', 'll-hls'])
})

test('join features depend on audio, profile and webhook URL', t => {
  const minimal = { audio_enabled: false, stream_profile: 'balanced', webhook_url: null } as const
  t.deepEqual(joinFeatures(minimal), ['relay-routing', 'browser-viewer', 'adaptive-bitrate'])
  t.true(joinFeatures({ ...minimal, audio_enabled: true }).includes('system-audio'))
  t.true(joinFeatures({ ...minimal, stream_profile: 'gaming' }).includes('low-latency'))
  t.true(joinFeatures({ ...minimal, stream_profile: 'low_latency' }).includes('low-latency'))
  t.false(joinFeatures({ ...minimal, stream_profile: 'crisp' }).includes('low-latency'))
  t.true(joinFeatures({ ...minimal, webhook_url: 'https://a.test/' }).includes('webhooks'))
})
