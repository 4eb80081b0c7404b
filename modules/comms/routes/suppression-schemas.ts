import { Nullable, named, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'
import { RequiredText } from '@larder-dev/larder/kernel/internal'
import { SuppressionCategory } from '../records/suppression.ts'

const example = { email: 'ada@example.com', category: 'marketing', reason: 'asked by phone' }
export const NewSuppressionBody = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254 }),
    category: Type.Optional(SuppressionCategory),
    reason: Type.Optional(RequiredText(200)),
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
