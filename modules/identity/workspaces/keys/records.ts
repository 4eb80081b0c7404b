import {
  Bytes,
  idPattern,
  Nullable,
  named,
  type RecordOf,
  type Static,
  Timestamp,
  Type,
  table,
} from '@larder-dev/larder/kernel'

const fields = {
  id: Type.String({ pattern: idPattern('key') }),
  name: Type.String(),
  prefix: Type.String({ description: 'Start of the key' }),
  permissions: Nullable(Type.Array(Type.String(), { description: 'null: all permissions of its creator' })),
  createdBy: Type.String(),
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
export const ApiKey = named(
  'ApiKey',
  Type.Object({
    ...fields,
    key: Type.Optional(Type.String({ description: 'The key itself. Returned once, on creation.' })),
  }),
)
export type ApiKey = Static<typeof ApiKey>

export const apiKeyTable = table('identity_api_keys', Type.Object(fields), {
  what: 'API key',
  columns: { createdBy: 'user_id' },
  hidden: { tenantId: Type.String(), secretHash: Bytes },
})
export type StoredApiKey = RecordOf<typeof apiKeyTable>
