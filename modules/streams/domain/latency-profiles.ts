/** How a stream can be played, from the fastest to the steadiest. Pure. */
export const LATENCY_PROFILES = ['interactive-webrtc', 'low-latency-hls', 'stable-hls'] as const
