import {
  type Caller,
  common,
  consoleLocale,
  type Deps,
  type LocalText,
  listOf,
  type RequestFacts,
  route,
  Type,
} from '@larder-dev/larder/kernel'
import type { ModuleReport } from '@larder-dev/larder/kernel/internal'
import type { ResourceCatalog } from '../services/resource-catalog.ts'
import { Info, ModuleDetail, Queue, Recipe, RecipeFile } from './installation-schemas.ts'

type InstallationDeps = Deps<'http' | 'inspector' | 'product' | 'recentLog' | 'recipeFile' | 'registry' | 'theme'> & {
  readonly resourceCatalog: ResourceCatalog
}

export const installationRoutes = (deps: InstallationDeps) => [
  route({
    method: 'get',
    path: '/platform',
    operationId: 'getInstallation',
    summary: 'Returns version, role and modules of this installation.',
    allow: 'platform.info.read',
    replies: { 200: Info },
    async handle() {
      const { inspector, product } = deps
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
    summary: 'Lists the installed modules with their registrations.',
    description: 'Summaries, titles and roles are in the language of `Accept-Language`.',
    allow: 'platform.module.read',
    replies: { 200: listOf(ModuleDetail) },
    async handle({ caller, request }) {
      const translate = translator(deps, request)
      return {
        data: deps.inspector.modules().map(module => toDetail(module, deps, caller, translate)),
        nextCursor: null,
      }
    },
  }),
  route({
    method: 'get',
    path: '/platform/modules/:key',
    operationId: 'getModule',
    summary: 'Returns all registrations of a module.',
    allow: 'platform.module.read',
    replies: { 200: ModuleDetail },
    async handle({ params, caller, request }) {
      const module = deps.inspector.modules().find(({ name }) => name === params.key)
      if (!module) throw common.not_found({ what: 'module' })
      return toDetail(module, deps, caller, translator(deps, request))
    },
  }),
  route({
    method: 'get',
    path: '/platform/recipe',
    operationId: 'getRecipe',
    summary: 'Returns the recipe of this installation.',
    allow: 'platform.recipe.read',
    replies: { 200: Recipe },
    handle: async () => deps.inspector.recipe(),
  }),
  route({
    method: 'get',
    path: '/platform/recipe/file',
    operationId: 'getRecipeFile',
    summary: 'Compares the recipe file with the recipe that the process runs.',
    allow: 'platform.recipe.read',
    query: Type.Object({}),
    replies: { 200: RecipeFile },
    async handle() {
      const { recipeFile, recentLog, inspector } = deps
      return {
        ...(await recipeFile.check()),
        process: recentLog.process,
        startedAt: inspector.info().startedAt,
      }
    },
  }),
  route({
    method: 'get',
    path: '/platform/queue',
    operationId: 'getQueue',
    summary: 'Returns the number and age of pending events and jobs.',
    allow: 'platform.queue.read',
    query: Type.Object({}),
    replies: { 200: Queue },
    handle: () => deps.inspector.queue(),
  }),
]

/** Translates texts of modules to the language that the request accepts. */
function translator({ theme, product }: InstallationDeps, request: Pick<RequestFacts, 'headers'>) {
  const locale = consoleLocale(request, product)
  return (text: LocalText) => theme.text(locale, text)
}

/** Options and failure reasons can reveal details of the installation, so only the operator gets them. */
function toDetail(
  module: ModuleReport,
  deps: InstallationDeps,
  caller: Caller,
  translate: (text: LocalText) => string,
) {
  const { name, options, reason, summary, permissions, roles, sockets, ...rest } = module
  const configuration = { options, ...(reason !== undefined && { reason }) }
  return {
    key: name,
    ...rest,
    summary: translate(summary),
    permissions: permissions.map(permission => ({ ...permission, title: translate(permission.title) })),
    roles: roles.map(role => ({
      ...role,
      name: translate(role.name),
      description: role.description && translate(role.description),
    })),
    sockets: [...sockets, ...topicSockets(name, deps)],
    resources: deps.resourceCatalog.idsOf(name),
    ...(caller.can('platform.module.configure') && configuration),
  }
}

/** The sockets of services if clients reach topics of the module there. */
function topicSockets(key: string, { http, inspector, registry }: InstallationDeps) {
  const hasTopics = registry.declared().some(({ key: declared, module }) => declared === key && 'topics' in module)
  if (!hasTopics) return []
  const modules = new Set(inspector.modules().map(({ name }) => name))
  return http
    .endpoints()
    .filter(({ kind, module }) => kind === 'socket' && !modules.has(module))
    .map(({ path, allow }) => ({ path, allow: [...allow] }))
}
