/** Value sets of streams. Pure. */

export const ROLES = ['publisher', 'viewer'] as const
export type Role = (typeof ROLES)[number]
export const VISIBILITIES = ['private', 'public'] as const
export type Visibility = (typeof VISIBILITIES)[number]
export const LIVE_STATUSES = ['idle', 'live', 'reconnecting'] as const
export type LiveStatus = (typeof LIVE_STATUSES)[number]
export const SOURCE_KINDS = ['screen', 'window', 'camera', 'microphone', 'game', 'external'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]
export const LAYOUT_KINDS = ['single', 'horizontal', 'vertical', 'grid', 'focus'] as const
export type LayoutKind = (typeof LAYOUT_KINDS)[number]
/** From lowest latency to highest stability. */
export const LATENCY_PROFILES = ['interactive-webrtc', 'low-latency-hls', 'stable-hls'] as const
export const MAX_SOURCES = 16

/** Values of the underlying session. */
export const STATUSES = ['created', 'accepted', 'ended', 'expired'] as const
export const END_REASONS = ['owner', 'max_duration'] as const
export const PROFILES = ['balanced', 'crisp', 'low_latency', 'gaming'] as const

/** Subscribers of public streams may belong to any workspace, so their channel belongs to none. */
export const PUBLIC_CHANNEL_TENANT = 'public'

/** 7 days. */
export const MAX_TTL_SECONDS = 604_800

/** Topic of the messages beside a stream. */
export const CHAT_TOPIC = 'streams.chat'
