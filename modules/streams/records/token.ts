import { Bytes, Nullable, OneOf, Timestamp, Type, table } from '@larder-dev/larder/kernel'
import { ROLES } from '../domain/values.ts'

export const tokenFields = {
  id: Type.String(),
  stream_id: Type.String(),
  role: OneOf(ROLES),
  label: Nullable(Type.String()),
  expires_at: Nullable(Timestamp),
  max_uses: Nullable(Type.Integer()),
  uses: Type.Integer(),
  created_at: Timestamp,
}
export const tokenTable = table('streams_tokens', Type.Object(tokenFields), {
  what: 'token',
  defaults: { uses: 0 },
  hidden: { tenant_id: Type.String(), token_hash: Bytes },
})
