import { type Deps, socket } from 'larder/kernel'
import { CLOSE } from '../domain/close-codes.ts'
import { MAX_BUFFER, MAX_FRAME } from './admission.ts'

export const realtime = ({ messagingRealtime }: Deps<'messagingRealtime'>) => [
  socket({
    path: '/messaging/realtime',
    // By a token in its first frame, or by a cookie of our own pages.
    allow: 'signature',
    summary: 'What happens in the conversations of whoever says hello.',
    maxFrame: MAX_FRAME,
    maxBuffer: MAX_BUFFER,
    codes: { tooLarge: CLOSE.too_large, binary: CLOSE.bad_frame },
    open: messagingRealtime.open,
  }),
]
