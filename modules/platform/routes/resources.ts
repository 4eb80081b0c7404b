import { consoleLocale, type Deps, listOf, route } from '@larder-dev/larder/kernel'
import { ListedResource } from '../records/resource.ts'
import type { ResourceCatalog } from '../services/resource-catalog.ts'

type ResourceDeps = Deps<'product'> & { readonly resourceCatalog: ResourceCatalog }

export const resourceRoutes = (deps: ResourceDeps) => [
  route({
    method: 'get',
    path: '/platform/resources',
    operationId: 'listResources',
    summary: 'Lists the kinds of records that the caller may list, with the operations on them.',
    description: 'In the language of `Accept-Language`. Operations that the caller may not call are left out.',
    allow: 'user',
    // It has names and texts of modules and of the recipe, which aren't secret.
    compressed: true,
    replies: { 200: listOf(ListedResource) },
    handle: async ({ caller, request }) => ({
      data: deps.resourceCatalog.list(caller, consoleLocale(request, deps.product)),
      nextCursor: null,
    }),
  }),
]
