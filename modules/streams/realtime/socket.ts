import { type Deps, socket } from '@larder-dev/larder/kernel'
import type { Hub } from './hub.ts'
import { streamSocketDocs } from './schemas.ts'

export const streamSockets = (deps: Deps<'sessions'> & { readonly hub: Hub }) => [
  socket({
    path: '/streams/realtime',
    allow: 'joinToken',
    summary: 'Signaling for publishers and viewers, authenticated with a join token or a stream token.',
    docs: streamSocketDocs(deps),
    ...deps.hub.endpoint,
  }),
]
