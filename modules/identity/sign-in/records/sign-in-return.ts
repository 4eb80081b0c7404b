/** Sign-ins with a redirect that a browser has completed. */
import { Bytes, Nullable, Timestamp, Type, table } from '@larder-dev/larder/kernel'

export const returnTable = table(
  'identity_sign_in_returns',
  Type.Object({
    /** SHA-256 of what the browser keeps of the sign-in. */
    id: Bytes,
    /** What the browser was answered, encrypted. Null until then. */
    answer: Nullable(Type.String()),
    expiresAt: Timestamp,
  }),
  { what: 'sign-in' },
)
