import { type Deps, socket } from 'larder/kernel'
import { messagingSocketDocs } from './schemas.ts'

export const messagingSockets = ({ messagingRealtime }: Deps<'messagingRealtime'>) => [
  socket({
    path: '/messaging/realtime',
    // Authenticated by a token in the first frame, or by the cookie of the upgrade request.
    allow: 'signature',
    summary: "Delivers changes in the caller's conversations.",
    docs: messagingSocketDocs,
    ...messagingRealtime.endpoint,
  }),
]
