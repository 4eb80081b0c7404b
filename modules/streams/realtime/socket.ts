import { type Deps, socket } from 'larder/kernel'

export const streamSockets = ({ streamRooms }: Deps<'streamRooms'>) => [
  socket({
    path: '/streams/realtime',
    allow: 'joinToken',
    summary: 'Signaling for publishers and viewers, authenticated with a join token or a stream token.',
    ...streamRooms.endpoint,
  }),
]
