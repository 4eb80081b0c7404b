import { consoleLocale, type Deps, listOf, route, Type } from '@larder-dev/larder/kernel'
import { SearchGroup } from '../records/search.ts'
import type { Search } from '../services/search.ts'

export const searchRoutes = ({ search, product }: Deps<'product'> & { readonly search: Search }) => [
  route({
    method: 'get',
    path: '/platform/search',
    operationId: 'searchInstallation',
    summary: 'Searches people, workspaces, emails and events of the installation, and what modules add.',
    description:
      'Returns at most five results of each kind that the caller may read, in the language of `Accept-Language`.',
    allow: 'platform.search.read',
    query: Type.Object({
      q: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        description: 'Part of a name or address, or an ID',
      }),
    }),
    replies: { 200: listOf(SearchGroup) },
    handle: async ({ query, caller, request }) => ({
      data: await search.find(query.q.trim(), caller, consoleLocale(request, product)),
      nextCursor: null,
    }),
  }),
]
