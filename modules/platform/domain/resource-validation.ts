/** Finds mistakes in resources. Pure. */
import { didYouMean } from '@larder-dev/larder/kernel'
import type { Resource, ResourceAddition } from '../ports.ts'
import { bodiesOf, hasParameter, hasProperty, type Operation, type Operations, propertyNames } from './operations.ts'

export interface RegisteredResource {
  /** `<module>.<name>`. */
  readonly id: string
  readonly module: string
  readonly resource: Resource
}

/** What a module adds to resources of others. */
export interface RegisteredAddition {
  readonly module: string
  readonly addition: ResourceAddition
}

const NAME = /^[a-z][a-z0-9_-]*$/

/** One sentence for each mistake, with the module and the resource. */
export function resourceProblems(
  resources: readonly RegisteredResource[],
  operations: Operations,
  modules: readonly string[],
): string[] {
  const seen = new Set<string>()
  const known = new Map(resources.map(entry => [entry.id, entry]))
  return resources.flatMap(entry => {
    const { id, module, resource } = entry
    const isDuplicate = seen.has(id)
    seen.add(id)
    const found = isDuplicate
      ? ['The module has two resources with this name.']
      : [...problemsOf(resource, { operations, known, modules })]
    return found.map(problem => `Resource '${resource.name}' of module '${module}': ${problem}`)
  })
}

/** Additions to resources that nobody registers. */
export function additionProblems(
  additions: readonly RegisteredAddition[],
  resources: readonly RegisteredResource[],
  modules: readonly string[],
): string[] {
  const known = new Map(resources.map(entry => [entry.id, entry]))
  return additions.flatMap(({ module, addition: { to } }) =>
    known.has(to) || !modules.includes(to.split('.')[0] as string)
      ? []
      : [`Additions of module '${module}': ${unknownResource(to, 'to', known)}`],
  )
}

const hint = (word: string, known: readonly string[]): string => {
  const suggestion = didYouMean(word, known)
  return suggestion === undefined ? '' : ` ${suggestion}`
}

interface Context {
  readonly operations: Operations
  readonly known: ReadonlyMap<string, RegisteredResource>
  readonly modules: readonly string[]
}

function* problemsOf(resource: Resource, context: Context): Generator<string> {
  const { operations } = context
  const list = operations.get(resource.operations.list)
  if (!NAME.test(resource.name)) yield `The name must match ${NAME.source}.`
  for (const [use, id] of operationsIn(resource))
    if (!operations.has(id)) yield `No route has the operationId '${id}' (${use}).${hint(id, [...operations.keys()])}`
  if (list) {
    yield* listProblems(resource, list)
    yield* pathProblems(resource, list, operations)
  }
  yield* fieldProblems(resource, operations)
  yield* bodyProblems(resource, list, operations)
  yield* relationProblems(resource, list, context)
}

function* operationsIn({ operations, actions = [] }: Resource): Generator<[use: string, id: string]> {
  yield* Object.entries(operations).filter(([, id]) => id !== undefined)
  for (const { operation } of actions) yield ['action', operation]
}

function* listProblems(resource: Resource, { id, query = {}, row }: Operation): Generator<string> {
  const { label, key = 'id', columns, filters = [], search, sort } = resource
  if (!row) return yield `The operation '${id}' doesn't return a list: {"data": [...]}.`
  const uses = [...columns.map(name => ['columns', name]), ['label', label], ['key', key]] as const
  for (const [field, name] of uses)
    if (name !== undefined && !hasProperty(row, name))
      yield `The rows of '${id}' have no property '${name}' (${field}).${hint(name, propertyNames(row))}`
  const parameters = [...filters.map(name => ['filters', name]), ['search', search], ['sort', sort]] as const
  for (const [field, name] of parameters)
    if (name !== undefined && !hasParameter(query, name))
      yield `The operation '${id}' has no query parameter '${name}' (${field}).${hint(name, propertyNames(query))}`
}

/** Path parameters that don't come from a parent must be the key of the record. */
function* pathProblems(resource: Resource, list: Operation, operations: Operations): Generator<string> {
  const { within, operations: own, actions = [] } = resource
  const inherited = list.pathParameters
  if (within === undefined && inherited.length > 0)
    yield `The path of '${list.id}' has parameters, so 'within' must name the parent resource.`
  const withKey = actions.filter(({ on, body }) => on !== 'list' && body === undefined)
  const onRecord = [own.get, own.update, own.delete, ...withKey.map(nameOf)]
  for (const operation of onRecord.flatMap(id => (id === undefined ? [] : (operations.get(id) ?? []))))
    if (operation.pathParameters.length === 0)
      yield `The path of '${operation.id}' has no parameter for the record's key.`
    else if (operation.pathParameters.slice(0, -1).some(name => !inherited.includes(name)))
      yield `The path of '${operation.id}' has parameters other than the record's key and those of '${list.id}'.`
  const onList = [own.create, ...actions.filter(({ on }) => on === 'list').map(nameOf)]
  for (const operation of onList.flatMap(id => (id === undefined ? [] : (operations.get(id) ?? []))))
    if (operation.pathParameters.some(name => !inherited.includes(name)))
      yield `The path of '${operation.id}' has parameters that '${list.id}' doesn't have.`
}
const nameOf = ({ operation }: { readonly operation: string }): string => operation

function* fieldProblems(
  { fields = [], more = [], operations: own }: Resource,
  operations: Operations,
): Generator<string> {
  const bodies = bodiesOf(operations, own)
  for (const field of new Set([...fields, ...more]))
    if (!bodies.some(body => hasProperty(body, field)))
      yield `No body of its operations has the property '${field}' (${fields.includes(field) ? 'fields' : 'more'}).${hint(field, bodies.flatMap(propertyNames))}`
}

/** Properties of the record that an action sends. */
function* bodyProblems(
  { actions = [] }: Resource,
  list: Operation | undefined,
  operations: Operations,
): Generator<string> {
  for (const { operation, body = {} } of actions) {
    const schema = operations.get(operation)?.body
    for (const [name, property] of Object.entries(body)) {
      if (schema && !hasProperty(schema, name))
        yield `The body of '${operation}' has no property '${name}' (body).${hint(name, propertyNames(schema))}`
      if (list?.row && !hasProperty(list.row, property))
        yield `The rows of '${list.id}' have no property '${property}' (body).${hint(property, propertyNames(list.row))}`
    }
  }
}

function* relationProblems(
  { relations = [], within }: Resource,
  list: Operation | undefined,
  { operations, known, modules }: Context,
): Generator<string> {
  const isMissing = (id: string) => !known.has(id) && modules.includes(id.split('.')[0] as string)
  if (within !== undefined && isMissing(within)) yield unknownResource(within, 'within', known)
  for (const { resource: id, parameters } of relations) {
    if (isMissing(id)) yield unknownResource(id, 'relations', known)
    const target = operations.get(known.get(id)?.resource.operations.list ?? '')
    for (const [parameter, property] of Object.entries(parameters)) {
      if (target && !target.pathParameters.includes(parameter) && !hasParameter(target.query ?? {}, parameter))
        yield `The list of '${id}' has no parameter '${parameter}' (relations).`
      if (list?.row && !hasProperty(list.row, property))
        yield `The rows of '${list.id}' have no property '${property}' (relations).`
    }
    const missing = target?.pathParameters.filter(name => !Object.hasOwn(parameters, name)) ?? []
    if (missing.length > 0) yield `The list of '${id}' needs the parameter '${missing.join("', '")}' (relations).`
  }
}

const unknownResource = (id: string, field: string, known: ReadonlyMap<string, unknown>): string =>
  `No module has the resource '${id}' (${field}).${hint(id, [...known.keys()])}`
