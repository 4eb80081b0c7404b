import { type Caller, type Deps, grantedTo, guardOf, type LocalText, pickText } from 'larder/kernel'
import { bodiesOf, type Operation, type Operations, operationsOf, propertyNames } from '../domain/operations.ts'
import { type RegisteredResource, resourceProblems } from '../domain/resource-validation.ts'
import type { Resource, ResourceAction } from '../ports.ts'
import type { ListedResource } from '../routes/resource-schemas.ts'

export interface ResourceCatalog {
  /** Throws an Error that lists every mistake. */
  check(): void
  /** Ids of the resources that a module registers. */
  idsOf(module: string): readonly string[]
  /** Resources whose list the caller may call, with the operations that they may call. */
  list(caller: Caller, locale: string): ListedResource[]
}

interface Catalog {
  readonly resources: readonly RegisteredResource[]
  readonly operations: Operations
}

/** Reads the endpoints when it is first used, because they are known only after all modules are created. */
export function createResourceCatalog(deps: Deps<'http' | 'registry' | 'theme' | 'product'>): ResourceCatalog {
  const { registry, product } = deps
  let made: Catalog | undefined

  const catalog = (): Catalog => {
    made ??= {
      operations: operationsOf(deps.http.endpoints()),
      resources: registry
        .collect<readonly Resource[]>('resources')
        .flatMap(({ key, value }) => value.map(resource => ({ id: `${key}.${resource.name}`, module: key, resource }))),
    }
    return made
  }

  const translator = (locale: string) => (text: LocalText) =>
    deps.theme.text(locale, pickText(text, locale, product.locales.default))

  return {
    check() {
      const { resources, operations } = catalog()
      const problems = resourceProblems(
        resources,
        operations,
        registry.declared().map(({ key }) => key),
      )
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
    idsOf: module => catalog().resources.flatMap(entry => (entry.module === module ? [entry.id] : [])),
    list(caller, locale) {
      const { resources, operations } = catalog()
      const callable = (id: string | undefined): Operation | undefined => {
        const operation = id === undefined ? undefined : operations.get(id)
        return operation && mayCall(caller, operation) ? operation : undefined
      }
      const visible = resources.filter(({ resource }) => callable(resource.operations.list))
      const ids = new Set(visible.map(({ id }) => id))
      const translate = translator(locale)
      return visible.map(entry => toListed(entry, { ids, callable, translate, operations }))
    },
  }
}

/** Whether `allow` of the operation admits the caller. Handlers may limit it further. */
function mayCall(caller: Caller, { endpoint: { allow, apiKeys } }: Operation): boolean {
  return (apiKeys || caller.kind !== 'apiKey') && grantedTo(guardOf(allow), caller) !== undefined
}

interface View {
  /** Visible resources. */
  readonly ids: ReadonlySet<string>
  readonly callable: (id: string | undefined) => Operation | undefined
  readonly translate: (text: LocalText) => string
  readonly operations: Operations
}

function toListed({ id, module, resource }: RegisteredResource, view: View): ListedResource {
  const { ids, callable, translate } = view
  const { name, title, singular, label, key = 'id', icon, columns, filters, search, sort, fields, within } = resource
  const operations = Object.entries(resource.operations).flatMap(([use, id]) => {
    const operation = callable(id)
    return operation ? [[use, refTo(operation)]] : []
  })
  return {
    id,
    module,
    name,
    title: translate(title),
    singular: translate(singular),
    label,
    key,
    icon: icon ?? null,
    columns: [...columns],
    filters: [...(filters ?? [])],
    search: search ?? null,
    sort: sort ?? null,
    fields: fields ? [...fields] : null,
    labels: labelsOf(resource, view),
    within: within ?? null,
    operations: Object.fromEntries(operations),
    actions: (resource.actions ?? []).flatMap(action => toAction(action, view)),
    relations: (resource.relations ?? [])
      .filter(relation => ids.has(relation.resource))
      .map(({ resource, parameters }) => ({ resource, parameters: { ...parameters } })),
  }
}

const refTo = ({ id, method, path }: Operation) => ({ id, method, path })

function toAction({ operation: id, title, danger, confirm, on }: ResourceAction, { callable, translate }: View) {
  const operation = callable(id)
  if (!operation) return []
  return [
    {
      ...refTo(operation),
      title: translate(title),
      danger: danger ?? false,
      confirm: confirm === undefined ? null : translate(confirm),
      on: on ?? 'record',
    },
  ]
}

/** Labels of columns, filters and the fields of forms. */
function labelsOf(resource: Resource, { operations, translate }: View): Record<string, string> {
  const { columns, filters = [], labels = {}, operations: own } = resource
  const names = new Set([...columns, ...filters, ...bodiesOf(operations, own).flatMap(propertyNames)])
  return Object.fromEntries(
    [...names].map(name => [
      name,
      translate(Object.hasOwn(labels, name) ? (labels[name] as LocalText) : labelOf(name)),
    ]),
  )
}

/** `createdAt` → `Created at`, `filter[event.type]` → `Event type`. */
export function labelOf(name: string): string {
  const inner = /\[(.+)\]$/.exec(name)?.[1] ?? name
  const words = inner
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()
  const text = words.replace(/\b(id|ip|url|csv|api|html|seo|ui|ttl|fps)(s?)\b/g, (_, word, s) => word.toUpperCase() + s)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
