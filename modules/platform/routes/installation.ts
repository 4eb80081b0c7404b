import { common, type Deps, listOf, type ModuleReport, route, Type } from 'larder/kernel'
import { Info, ModuleDetail, ModuleSummary, Queue, Recipe } from './installation-schemas.ts'

export const installationRoutes = ({ inspector, product }: Deps<'inspector' | 'product'>) => [
  route({
    method: 'get',
    path: '/platform',
    operationId: 'getInstallation',
    summary: 'Returns version, role and modules of this installation.',
    allow: 'platform.info.read',
    replies: { 200: Info },
    async handle() {
      const { version, startedAt, role } = inspector.info()
      return {
        name: 'larder',
        version,
        product: { key: product.key, name: product.name },
        publicUrl: product.publicUrl,
        docsUrl: `${product.publicUrl}/docs`,
        openapiUrl: `${product.publicUrl}/v1/platform/openapi.json`,
        startedAt,
        role,
        modules: inspector.modules().map(module => module.name),
      }
    },
  }),
  route({
    method: 'get',
    path: '/platform/modules',
    operationId: 'listModules',
    summary: 'Lists the installed modules.',
    allow: 'platform.module.read',
    replies: { 200: listOf(ModuleSummary) },
    handle: async () => ({ data: inspector.modules().map(summary), nextCursor: null }),
  }),
  route({
    method: 'get',
    path: '/platform/modules/:key',
    operationId: 'getModule',
    summary: 'Returns all registrations of a module.',
    allow: 'platform.module.read',
    replies: { 200: ModuleDetail },
    async handle({ params, caller }) {
      const module = inspector.modules().find(({ name }) => name === params.key)
      if (!module) throw common.not_found({ what: 'module' })
      return detail(module, caller.can('platform.module.configure'))
    },
  }),
  route({
    method: 'get',
    path: '/platform/recipe',
    operationId: 'getRecipe',
    summary: 'Returns the recipe of this installation.',
    allow: 'platform.recipe.read',
    replies: { 200: Recipe },
    handle: async () => inspector.recipe(),
  }),
  route({
    method: 'get',
    path: '/platform/queue',
    operationId: 'getQueue',
    summary: 'Returns the number and age of pending events and jobs.',
    allow: 'platform.queue.read',
    query: Type.Object({}),
    replies: { 200: Queue },
    handle: () => inspector.queue(),
  }),
]

const summary = ({ name, version, summary, state, source }: ModuleReport) => ({
  key: name,
  version,
  summary,
  state,
  source,
})

/** Options and failure reasons can reveal details of the installation, so only the operator gets them. */
function detail(module: ModuleReport, withConfiguration: boolean) {
  const { name, options, reason, ...rest } = module
  return { key: name, ...rest, ...(withConfiguration && { options, ...(reason !== undefined && { reason }) }) }
}
