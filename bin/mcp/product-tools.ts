/** Tools that list what the modules of the recipe register. */
import { common, isRecord, type ProblemTable, pickText, Type, wholeSchema } from '../../kernel/base/index.ts'
import { eventVersion, publicEventsOf } from '../../kernel/contract/index.ts'
import type { CheckedRecipe } from '../../kernel/recipe/index.ts'
import { pageOfModule } from './docs.ts'
import { CallError } from './project.ts'
import { withReferences } from './references.ts'
import { defineTool } from './tool.ts'

const NARROW_BY_MODULE = 'Pass `module` for the entries of one module.'
const MODULE = Type.Optional(Type.String({ description: 'Name of a module, to list only its entries.' }))

/** True without a name. Throws a CallError for the name of a module that the recipe doesn't have. */
function belongsTo(module: string | undefined, { services, modules }: CheckedRecipe): (name: string) => boolean {
  const names = [...services, ...modules].map(({ key }) => key)
  if (module !== undefined && !names.includes(module))
    throw new CallError(`The recipe has no module "${module}". It has ${names.join(', ')}.`)
  return name => module === undefined || name === module
}

export const listModules = defineTool({
  name: 'list_modules',
  title: 'List modules',
  description:
    'Lists the modules of the recipe and the shipped modules that it does not use, each with its purpose and the page of the docs to read with read_docs.',
  input: Type.Object({}),
  async run(_, { project, redactor }) {
    const [definitions, { modules, failed }] = [await project.definitions(redactor), await project.check(redactor)]
    const used = new Set(modules.map(({ key }) => key))
    return definitions
      .filter(({ module }) => module.role === 'module')
      .map(({ key, module, source }) => {
        const page = source === 'larder' ? pageOfModule(key) : undefined
        const reason = failed.find(entry => entry.key === key)?.reason
        return {
          name: key,
          inRecipe: used.has(key),
          ...(reason && { failed: reason }),
          summary: module.summary ?? '',
          source,
          ...(page && { docs: page }),
        }
      })
  },
})

export const listRoutes = defineTool({
  name: 'list_routes',
  title: 'List routes',
  description:
    'Lists the routes, WebSockets and pages of the product: method, path, who may call it (`allow`: permissions, `user`, `public`, …) and a summary. get_route has the schemas.',
  narrow: 'Pass `module` or `search` for fewer routes.',
  input: Type.Object({
    module: MODULE,
    search: Type.Optional(Type.String({ description: 'Text in the path or the summary.' })),
  }),
  run: ({ module, search = '' }, { project, redactor }) =>
    project.inspect(redactor, ({ inspector }, checked) => {
      const isListed = belongsTo(module, checked)
      const text = search.toLowerCase()
      return inspector
        .modules()
        .filter(({ name }) => isListed(name))
        .flatMap(({ name, routes, sockets, pages }) => [
          ...routes.map(route => ({ ...route, module: name })),
          ...sockets.map(({ path, allow }) => ({ method: 'SOCKET', path, allow, summary: '', module: name })),
          ...pages.map(({ path, allow, name: page }) => ({ method: 'PAGE', path, allow, summary: page, module: name })),
        ])
        .filter(({ path, summary }) => `${path} ${summary}`.toLowerCase().includes(text))
    }),
})

export const getRoute = defineTool({
  name: 'get_route',
  title: 'Get a route',
  description:
    'Returns the OpenAPI operation of one route: parameters, request body, responses and error codes, with the schemas that it refers to.',
  input: Type.Object({
    method: Type.String({ examples: ['GET'] }),
    path: Type.String({ description: 'As in list_routes.', examples: ['/v1/forms/:id'] }),
  }),
  run: ({ method, path }, { project, redactor }) =>
    project.inspect(redactor, ({ http }) => {
      const document = http.openapi()
      const { paths } = document as { paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
      const template = path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')
      const operation = paths[template]?.[method.toLowerCase()]
      if (!isRecord(operation))
        throw new CallError(`The API has no route ${method.toUpperCase()} ${path}. list_routes lists them.`)
      return withReferences({ method: method.toUpperCase(), path, ...operation }, document)
    }),
})

export const listEvents = defineTool({
  name: 'list_events',
  title: 'List events',
  description:
    'Lists the events that the modules publish, with the handlers that listen to them. With `type`, it returns one event with the JSON Schema of its payload. Webhook endpoints can receive public events.',
  narrow: NARROW_BY_MODULE,
  input: Type.Object({ module: MODULE, type: Type.Optional(Type.String({ examples: ['identity.member.joined'] })) }),
  run: ({ module, type }, { project, redactor }) =>
    project.inspect(redactor, ({ inspector }, checked) => {
      const isListed = belongsTo(module, checked)
      const definitions = [...checked.services, ...checked.modules]
      const descriptions = new Map(
        publicEventsOf(definitions).map(event => [event.type, pickText(event.description, 'en', 'en')]),
      )
      const listeners = inspector.modules().flatMap(report => report.listeners)
      const events = definitions
        .filter(({ key }) => isListed(key))
        .flatMap(({ key, module: { events = {} } }) =>
          Object.entries(events).map(([name, schema]) => ({
            type: name,
            module: key,
            version: eventVersion(schema),
            public: descriptions.has(name),
            ...(descriptions.get(name) && { description: descriptions.get(name) }),
            handlers: listeners.filter(({ event }) => event === name).map(({ handler }) => handler),
            ...(name === type && { payload: wholeSchema({ close: false, dialect: '2020-12' }, schema) }),
          })),
        )
      if (type === undefined) return events
      const [found] = events.filter(event => event.type === type)
      if (!found) throw new CallError(`No module of the recipe publishes "${type}".`)
      return found
    }),
})

export const listPermissions = defineTool({
  name: 'list_permissions',
  title: 'List permissions',
  description: 'Lists the permissions of the modules, with title and scope (tenant or platform).',
  narrow: NARROW_BY_MODULE,
  input: Type.Object({ module: MODULE }),
  run: ({ module }, { project, redactor }) =>
    project.inspect(redactor, ({ access }, checked) => {
      const isListed = belongsTo(module, checked)
      return access.permissions().filter(entry => isListed(entry.module))
    }),
})

export const listRoles = defineTool({
  name: 'list_roles',
  title: 'List roles',
  description: 'Lists the roles of the modules and of the recipe, with the permissions that they grant.',
  input: Type.Object({}),
  run: (_, { project, redactor }) => project.inspect(redactor, ({ access }) => access.roles()),
})

export const listErrorCodes = defineTool({
  name: 'list_error_codes',
  title: 'List error codes',
  description:
    'Lists the codes of the problem documents (RFC 9457) that the API returns, with status and sentence. The codes of `every route` apply to all modules.',
  narrow: NARROW_BY_MODULE,
  input: Type.Object({ module: MODULE }),
  async run({ module }, { project, redactor }) {
    const checked = await project.check(redactor)
    const isListed = belongsTo(module, checked)
    const tables: readonly (readonly [string, ProblemTable])[] = [
      ['every route', common],
      ...[...checked.services, ...checked.modules]
        .filter(({ key }) => isListed(key))
        .map(({ key, module: { problems = {} } }) => [key, problems] as const),
    ]
    return tables.flatMap(([name, problems]) =>
      Object.values(problems).map(({ code, status, sentence }) => ({ code, status, sentence, module: name })),
    )
  },
})
