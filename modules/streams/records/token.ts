import {
  Bytes,
  bodyOf,
  Nullable,
  OneOf,
  type RecordOf,
  type Static,
  Timestamp,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { MAX_TTL_SECONDS, ROLES } from '../domain/values.ts'

export const tokenFields = {
  id: Type.String(),
  stream_id: Type.String(),
  role: Writable(OneOf(ROLES)),
  label: Writable(Nullable(Type.String()), Type.Optional(Type.String({ maxLength: 128 }))),
  expires_at: Nullable(Timestamp),
  max_uses: Writable(
    Nullable(Type.Integer()),
    Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Maximum number of connections opened with the token',
      }),
    ),
  ),
  uses: Type.Integer(),
  created_at: Timestamp,
}
export const tokenTable = table('streams_tokens', Type.Object(tokenFields), {
  what: 'token',
  defaults: { uses: 0 },
  hidden: { tenant_id: Type.String(), token_hash: Bytes },
})
export type Token = RecordOf<typeof tokenTable>

export const TokenBody = Type.Object(
  {
    ...bodyOf(tokenFields),
    ttl_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TTL_SECONDS,
        description: 'Unlimited by default: the token is valid as long as the stream',
      }),
    ),
  },
  { examples: [{ role: 'viewer', ttl_seconds: 3600, label: 'Guests' }] },
)
export type NewToken = Static<typeof TokenBody>
