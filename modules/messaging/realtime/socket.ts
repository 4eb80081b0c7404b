import { type Deps, socket } from 'larder/kernel'
import { CLOSE_CODE } from '../domain/close-codes.ts'
import { MAX_BUFFER_BYTES, MAX_FRAME_BYTES } from './admission.ts'

export const messagingSockets = ({ messagingRealtime }: Deps<'messagingRealtime'>) => [
  socket({
    path: '/messaging/realtime',
    // Authenticated by a token in the first frame, or by the cookie of the upgrade request.
    allow: 'signature',
    summary: "Delivers changes in the caller's conversations.",
    maxFrame: MAX_FRAME_BYTES,
    maxBuffer: MAX_BUFFER_BYTES,
    codes: { tooLarge: CLOSE_CODE.too_large, binary: CLOSE_CODE.bad_frame },
    open: messagingRealtime.open,
  }),
]
