import { type Deps, socket } from 'larder/kernel'
import { CLOSE_CODE } from '../domain/close-codes.ts'
import { MAX_BUFFER_BYTES, MAX_FRAME_BYTES } from './welcome.ts'

export const streamSockets = ({ streamRooms }: Deps<'streamRooms'>) => [
  socket({
    path: '/streams/realtime',
    allow: 'joinToken',
    summary: 'Signaling for publishers and viewers, authenticated with a join token or a stream token.',
    maxFrame: MAX_FRAME_BYTES,
    maxBuffer: MAX_BUFFER_BYTES,
    codes: { tooLarge: CLOSE_CODE.too_large, binary: CLOSE_CODE.bad_frame },
    open: streamRooms.open,
  }),
]
