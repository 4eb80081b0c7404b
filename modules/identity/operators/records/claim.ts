/** Codes that claim a new installation. */
import { Bytes, Timestamp, Type, table } from '@larder-dev/larder/kernel'

export const claimTable = table('identity_claims', Type.Object({ expiresAt: Timestamp }), {
  what: 'claim code',
  hidden: { codeHash: Bytes },
})
