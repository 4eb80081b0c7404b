import { type Deps, socket } from 'larder/kernel'
import { CLOSE } from '../domain/close-codes.ts'
import { MAX_BUFFER, MAX_FRAME } from './welcome.ts'

export const realtime = ({ streamRooms }: Deps<'streamRooms'>) => [
  socket({
    path: '/streams/realtime',
    allow: 'joinToken',
    summary: 'Signalling for publishers and viewers, by a join token or a stream token.',
    maxFrame: MAX_FRAME,
    maxBuffer: MAX_BUFFER,
    codes: { tooLarge: CLOSE.too_large, binary: CLOSE.bad_frame },
    open: streamRooms.open,
  }),
]
