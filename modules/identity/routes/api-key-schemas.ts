import { idPattern, Nullable, named, type Static, Timestamp, Type } from 'larder/kernel'

export const ApiKey = named(
  'ApiKey',
  Type.Object({
    id: Type.String({ pattern: idPattern('key') }),
    name: Type.String(),
    prefix: Type.String({ description: 'Start of the key' }),
    permissions: Nullable(Type.Array(Type.String(), { description: 'null: all permissions of its creator' })),
    createdBy: Type.String(),
    expiresAt: Nullable(Timestamp),
    lastUsedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    key: Type.Optional(Type.String({ description: 'The key itself. Returned once, on creation.' })),
  }),
)
export type ApiKey = Static<typeof ApiKey>
