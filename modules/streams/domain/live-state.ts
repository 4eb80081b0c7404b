/**
 * The live status of a stream. It is live while something publishes at the media edge or a browser broadcasts, and
 * reconnecting for a while after the last one stopped. Pure.
 */
import { MINUTE } from '@larder-dev/larder/kernel'
import type { LiveStatus } from './values.ts'

export const RECONNECT_WINDOW_MS = MINUTE

/** How media reaches viewers. */
export type Way = 'edge' | 'peer'
export interface LiveState {
  readonly status: LiveStatus
  /** Start of the broadcast. */
  readonly liveAt: Date | null
  /** When the last publisher stopped. */
  readonly lostAt: Date | null
  /** Id of what publishes in each way; empty if it is unknown, null if nothing does. */
  readonly sources: Readonly<Record<Way, string | null>>
}
export interface LiveEvent {
  readonly kind: 'started' | 'stopped'
  readonly way: Way
  /** Absent in hooks that don't name it. */
  readonly source?: string
}

export const IDLE: LiveState = { status: 'idle', liveAt: null, lostAt: null, sources: { edge: null, peer: null } }

/** Returns the same object if nothing changes. */
export function nextLiveState(state: LiveState, { kind, way, source }: LiveEvent, now: Date): LiveState {
  const current = state.sources[way]
  if (kind === 'started') {
    const sources = { ...state.sources, [way]: source ?? '' }
    if (state.status === 'live') return current === sources[way] ? state : { ...state, sources }
    return { status: 'live', liveAt: state.liveAt ?? now, lostAt: null, sources }
  }
  // The hook of a replaced publisher can arrive after the one of its successor.
  if (current === null || (source !== undefined && current !== '' && current !== source)) return state
  const sources = { ...state.sources, [way]: null }
  const isLive = Object.values(sources).some(other => other !== null)
  return isLive ? { ...state, sources } : { ...state, status: 'reconnecting', lostAt: now, sources }
}
