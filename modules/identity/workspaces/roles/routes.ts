import {
  byCodeUnits,
  consoleLocale,
  type Deps,
  decodeCursor,
  type LocalText,
  listOf,
  listQuery,
  pageLimit,
  type RequestFacts,
  reply,
  route,
  toPage,
} from '@larder-dev/larder/kernel'
import type { WorkspaceServices } from '../services.ts'
import { roleProblems } from './problems.ts'
import { NewRole, Permission, Role, RolePatch } from './records.ts'

type RoleDeps = Deps<'access' | 'operator' | 'theme' | 'product'> & WorkspaceServices

export function roleRoutes({ roles, access, operator, theme, product }: RoleDeps) {
  /** Translates texts of the recipe and of modules. */
  const translator = (request: Pick<RequestFacts, 'headers'>) => {
    const locale = consoleLocale(request, product)
    return (text: LocalText) => theme.text(locale, text)
  }

  const translated = ({ name, description, ...role }: Role, translate: (text: LocalText) => string): Role => ({
    ...role,
    name: translate(name),
    description: description && translate(description),
  })

  const list = route({
    method: 'get',
    path: '/identity/roles',
    operationId: 'listRoles',
    summary: 'Lists built-in and custom roles, ordered by key.',
    description: 'Names and descriptions of built-in roles are in the language of `Accept-Language`.',
    allow: 'identity.role.read',
    query: listQuery(),
    replies: { 200: listOf(Role) },
    async handle({ tenantId, query, request }) {
      const translate = translator(request)
      const { data, nextCursor } = await roles.list(tenantId, query)
      return { data: data.map(role => (role.builtIn ? translated(role, translate) : role)), nextCursor }
    },
  })

  const create = route({
    method: 'post',
    path: '/identity/roles',
    operationId: 'createRole',
    summary: "Creates a custom role. You can't grant permissions you don't hold.",
    allow: 'identity.role.create',
    body: NewRole,
    replies: { 201: Role },
    problems: [roleProblems.role_exists, roleProblems.too_many_roles],
    async handle({ tenantId, body, caller }) {
      const role = await roles.create(tenantId, body, caller)
      return reply(201, role, { location: `/v1/identity/roles/${role.key}` })
    },
  })

  const update = route({
    method: 'patch',
    path: '/identity/roles/:key',
    operationId: 'updateRole',
    summary: 'Updates the name or permissions of a custom role.',
    allow: 'identity.role.update',
    body: RolePatch,
    replies: { 200: Role },
    problems: [roleProblems.role_built_in],
    handle: ({ tenantId, params, body, caller }) => roles.update(tenantId, params.key, body, caller),
  })

  const remove = route({
    method: 'delete',
    path: '/identity/roles/:key',
    operationId: 'deleteRole',
    summary: 'Deletes a custom role that is not in use.',
    allow: 'identity.role.delete',
    replies: { 204: null },
    problems: [roleProblems.role_built_in, roleProblems.role_in_use],
    handle: ({ tenantId, params, caller }) => roles.remove(tenantId, params.key, caller),
  })

  const permissions = route({
    method: 'get',
    path: '/identity/permissions',
    operationId: 'listPermissions',
    summary: 'Lists all permissions that roles and API keys of the workspace can have, ordered by key.',
    description: 'Titles are in the language of `Accept-Language`.',
    allow: ['identity.role.read', 'identity.api_key.read'],
    query: listQuery(),
    replies: { 200: listOf(Permission) },
    async handle({ tenantId, query, request }) {
      const translate = translator(request)
      const [after = null] = decodeCursor(query.cursor, 1) ?? []
      const all = access
        .permissions()
        .filter(({ operatorOnly }) => !operatorOnly || tenantId === operator.tenantId)
        .toSorted((a, b) => byCodeUnits(a.key, b.key))
      const rest = after === null ? all : all.filter(({ key }) => key > String(after))
      const { data, nextCursor } = toPage(rest, pageLimit(query), ({ key }) => [key])
      return { data: data.map(({ title, ...entry }) => ({ ...entry, title: translate(title) })), nextCursor }
    },
  })

  return [list, create, update, remove, permissions]
}
