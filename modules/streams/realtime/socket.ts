import { type Deps, socket } from 'larder/kernel'
import { streamSocketDocs } from './schemas.ts'

export const streamSockets = ({ streamRooms }: Deps<'streamRooms'>) => [
  socket({
    path: '/streams/realtime',
    allow: 'joinToken',
    summary: 'Signaling for publishers and viewers, authenticated with a join token or a stream token.',
    docs: streamSocketDocs,
    ...streamRooms.endpoint,
  }),
]
