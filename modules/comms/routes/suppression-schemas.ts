import { idPattern, Nullable, named, OneOf, type Static, Timestamp, Type } from 'larder/kernel'
import type { Suppression } from '../services/suppression-list.ts'

const SuppressionCategory = OneOf(['all', 'marketing'], {
  description: 'all suppresses every email, marketing only marketing emails',
})
export const SuppressionBody = named(
  'Suppression',
  Type.Object({
    id: Type.String({ pattern: idPattern('sup') }),
    email: Type.String(),
    category: SuppressionCategory,
    reason: Type.String(),
    expiresAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
const example = { email: 'ada@example.com', category: 'marketing', reason: 'asked by phone' }
export const NewSuppressionBody = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254 }),
    category: Type.Optional(SuppressionCategory),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    expiresAt: Type.Optional(Nullable(Timestamp)),
  },
  { examples: [example] },
)
export type NewSuppressionBody = Static<typeof NewSuppressionBody>

/** Entries of one import. */
const MAX_ENTRIES = 1000
export const SuppressionImport = Type.Object(
  {
    entries: Type.Array(named('ImportedSuppression', NewSuppressionBody), { minItems: 1, maxItems: MAX_ENTRIES }),
  },
  { examples: [{ entries: [example] }] },
)
export const ImportResult = named(
  'SuppressionImportResult',
  Type.Object({
    created: Type.Integer(),
    updated: Type.Integer({ description: 'Entries whose reason and expiry were replaced' }),
  }),
)

export const toSuppressionBody = (entry: Suppression): Static<typeof SuppressionBody> => ({
  id: entry.id,
  email: entry.email,
  category: entry.category,
  reason: entry.reason,
  expiresAt: entry.expiresAt?.toISOString() ?? null,
  createdAt: entry.createdAt.toISOString(),
  updatedAt: entry.updatedAt.toISOString(),
})
