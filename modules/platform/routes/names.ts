import { consoleLocale, type Deps, listOf, route, Type } from '@larder-dev/larder/kernel'
import { RecordName } from '../records/name.ts'
import type { Names } from '../services/names.ts'

const MAX_IDS = 100
const MAX_LENGTH = 8000

export const nameRoutes = ({ names, product }: Deps<'product'> & { readonly names: Names }) => [
  route({
    method: 'get',
    path: '/platform/names',
    operationId: 'listRecordNames',
    summary: 'Names people, workspaces and other records by their IDs.',
    description:
      'Names what the caller may read in the current workspace, and for operators in every one. IDs of unknown kinds are left out. Kinds are in the language of `Accept-Language`.',
    allow: 'user',
    query: Type.Object({
      ids: Type.String({
        maxLength: MAX_LENGTH,
        pattern: `^[a-z0-9_]+(,[a-z0-9_]+){0,${MAX_IDS - 1}}$`,
        description: `At most ${MAX_IDS} IDs, separated by commas`,
      }),
    }),
    replies: { 200: listOf(RecordName) },
    handle: async ({ query, caller, tenantId, request }) => ({
      data: await names.find(query.ids.split(','), {
        caller,
        tenantId,
        locale: consoleLocale(request, product),
      }),
      nextCursor: null,
    }),
  }),
]
