import { Nullable, named, type Static, Type } from '@larder-dev/larder/kernel'

const SearchResult = named(
  'SearchResult',
  Type.Object({
    id: Type.String(),
    title: Type.String(),
    detail: Nullable(Type.String()),
    tenantId: Nullable(Type.String({ description: 'Null for a record of no workspace' })),
    tenantName: Nullable(Type.String()),
  }),
)
export const SearchGroup = named(
  'SearchGroup',
  Type.Object({
    id: Type.String({ examples: ['identity.people'] }),
    title: Type.String(),
    resource: Nullable(Type.String({ description: 'The resource whose records the results are' })),
    results: Type.Array(SearchResult),
    more: Type.Boolean({ description: 'Whether there are more results than the first five' }),
    failed: Type.Boolean({ description: 'Whether the results are missing because of an error, which is in the log' }),
  }),
)
export type SearchGroup = Static<typeof SearchGroup>
