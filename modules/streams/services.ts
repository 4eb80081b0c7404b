/** Private services of streams. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import { createHub } from './realtime/hub.ts'
import { createEdgeComparison } from './services/edge-comparison.ts'
import { createEdgeConnections } from './services/edge-connections.ts'
import { createLiveStatus } from './services/live-status-service.ts'
import { createMediaAuthorizer } from './services/media-authorizer.ts'
import { createMediaMtx } from './services/mediamtx.ts'
import { createSources } from './services/source-service.ts'
import { createStreamChanges } from './services/stream-changes.ts'
import { createStreamChat } from './services/stream-chat.ts'
import { createTokens } from './services/token-service.ts'

export const services = {
  edgeComparison: createEdgeComparison,
  edgeConnections: createEdgeConnections,
  hub: createHub,
  liveStatus: createLiveStatus,
  mediaAuthorizer: createMediaAuthorizer,
  mediaEdge: createMediaMtx,
  streamChanges: createStreamChanges,
  streamChat: createStreamChat,
  streamSources: createSources,
  streamTokens: createTokens,
}
export type StreamServices = ServicesOf<typeof services>
