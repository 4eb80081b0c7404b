import {
  Bytes,
  bodyOf,
  idPattern,
  Nullable,
  named,
  type RecordOf,
  type Static,
  Timestamp,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'
import { Name, Permissions } from '../../domain/fields.ts'

export const apiKeyFields = {
  id: Type.String({ pattern: idPattern('key') }),
  name: Writable(Type.String(), Name),
  prefix: Type.String({ description: 'Start of the key' }),
  permissions: Writable(
    Nullable(Type.Array(Type.String(), { description: 'null: all permissions of its creator' })),
    Type.Optional(Nullable(Permissions)),
  ),
  createdBy: Type.String(),
  expiresAt: Writable(Nullable(Timestamp), Type.Optional(Nullable(Timestamp))),
  lastUsedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
export const ApiKey = named(
  'ApiKey',
  Type.Object({
    ...apiKeyFields,
    key: Type.Optional(Type.String({ description: 'The key itself. Returned once, on creation.' })),
  }),
)
export type ApiKey = Static<typeof ApiKey>

export const NewApiKey = Type.Object(bodyOf(apiKeyFields))
export type NewApiKey = Omit<Static<typeof NewApiKey>, 'permissions'> & {
  readonly permissions?: readonly string[] | null
}
export const ApiKeyPatch = Type.Partial(NewApiKey)

export const apiKeyTable = table('identity_api_keys', Type.Object(apiKeyFields), {
  what: 'API key',
  columns: { createdBy: 'user_id' },
  hidden: { tenantId: Type.String(), secretHash: Bytes },
})
export type StoredApiKey = RecordOf<typeof apiKeyTable>
