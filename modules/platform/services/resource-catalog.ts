import { type Caller, type Deps, type LocalText, once, pickText } from '@larder-dev/larder/kernel'
import { grantedTo, guardOf } from '@larder-dev/larder/kernel/internal'
import { type Operation, type Operations, operationsOf } from '../domain/operations.ts'
import { innerName, labelOf, wordsOf } from '../domain/property-label.ts'
import { withAdditions } from '../domain/resource-additions.ts'
import { additionProblems, type RegisteredResource, resourceProblems } from '../domain/resource-validation.ts'
import { textsOf } from '../domain/schema-texts.ts'
import type { Resource, ResourceAction, ResourceAddition, ValueWords } from '../ports.ts'
import type { ListedResource } from '../records/resource.ts'

export interface ResourceCatalog {
  /** Throws an Error that lists every mistake. */
  check(): void
  /** Ids of the resources that a module registers. */
  idsOf(module: string): readonly string[]
  /** Resources whose list the caller may call, with the operations that they may call. */
  list(caller: Caller, locale: string): ListedResource[]
}

interface Catalog {
  readonly resources: readonly CatalogEntry[]
  readonly operations: Operations
  /** Group of the navigation by module. */
  readonly groups: ReadonlyMap<string, string>
  /** The words of all modules. */
  readonly words: ValueWords
}

interface CatalogEntry extends RegisteredResource {
  readonly shown: () => ShownTexts
}

/** Reads the endpoints when it is first used, because they are known only after all modules are created. */
export function createResourceCatalog(
  deps: Deps<'http' | 'registry' | 'theme' | 'product' | 'operator'>,
): ResourceCatalog {
  const { registry, product } = deps
  const catalog = once((): Catalog => {
    const operations = operationsOf(deps.http.endpoints())
    const registered = registry
      .collect<readonly Resource[]>('resources')
      .flatMap(({ key: module, value }) =>
        value.map(resource => ({ id: `${module}.${resource.name}`, module, resource })),
      )
    const resources = withAdditions(registered, additions()).map(entry => ({
      ...entry,
      shown: once(() => shownTexts(entry.resource, operations)),
    }))
    const groups = new Map(
      resources.toReversed().flatMap(({ module, resource: { group } }) => (group ? [[module, group]] : [])),
    )
    const words = mergedWords(registry.collect<ValueWords>('words').map(({ value }) => value))
    return { operations, resources, groups, words }
  })

  const additions = () =>
    registry
      .collect<readonly ResourceAddition[]>('resourceAdditions')
      .flatMap(({ key: module, value }) => value.map(addition => ({ module, addition })))

  return {
    check() {
      const { resources, operations } = catalog()
      const modules = registry.declared().map(({ key }) => key)
      const problems = [
        ...resourceProblems(resources, operations, modules),
        ...additionProblems(additions(), resources, modules),
      ]
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
    idsOf: module => catalog().resources.flatMap(entry => (entry.module === module ? [entry.id] : [])),
    list(caller, locale) {
      const { resources, operations, groups, words } = catalog()
      const callable = (id: string | undefined): Operation | undefined => {
        const operation = id === undefined ? undefined : operations.get(id)
        return operation && mayCall(caller, operation) ? operation : undefined
      }
      const visible = resources.filter(({ resource }) => callable(resource.operations.list))
      const ids = new Set(visible.map(({ id }) => id))
      const translate = (text: LocalText) => deps.theme.text(locale, text)
      // The texts of a team's module may be written in the language of the product.
      const isOriginal = locale !== 'en' && locale === product.locales.default
      const isOperator = caller.tenantId === deps.operator.tenantId
      const hasWorkspaces = product.audience === 'teams'
      const view = { ids, callable, groups, caller, words, translate, isOriginal, isOperator, hasWorkspaces }
      return visible.map(entry => toListed(entry, view))
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
  readonly groups: ReadonlyMap<string, string>
  readonly words: ValueWords
  readonly translate: (text: LocalText) => string
  readonly caller: Caller
  /** Whether the caller's workspace is the operator's. */
  readonly isOperator: boolean
  /** Whether rows can belong to different workspaces. */
  readonly hasWorkspaces: boolean
  /** Whether a text without a translation may be in the wanted language. */
  readonly isOriginal: boolean
}

function toListed({ id, module, resource, shown }: CatalogEntry, view: View): ListedResource {
  const { ids, callable, groups, translate, isOperator, hasWorkspaces } = view
  const { name, title, singular, createTitle, label, key = 'id', icon, columns } = resource
  const { filters, search, sort, fields, within, readOnly } = resource
  const operations = Object.entries(resource.operations).flatMap(([use, id]) => {
    const operation = callable(id)
    return operation ? [[use, refTo(operation)]] : []
  })
  return {
    id,
    module,
    name,
    group: resource.group ?? groups.get(module) ?? module,
    title: translate(title),
    singular: translate(singular),
    createTitle: createTitle === undefined ? null : translate(createTitle),
    label,
    key,
    icon: icon ?? null,
    columns: columns.filter(column => hasWorkspaces || column !== 'tenantId'),
    filters: (filters ?? []).filter(filter => hasWorkspaces || filter !== 'filter[tenantId]'),
    search: search ?? null,
    sort: sort ?? null,
    fields: fields ? [...fields] : null,
    more: [...(resource.more ?? [])],
    labels: labelsOf(resource, shown(), translate),
    hints: hintsOf(resource, shown(), view),
    states: mergedWords([
      wordsFromValues(shown(), translate),
      moduleWords(shown(), view),
      declaredWords(resource, translate),
    ]),
    readOnly: readOnly
      ? { when: mapValues(readOnly.when, values => [...values]), text: translate(readOnly.text) }
      : null,
    refreshSeconds: resource.refreshSeconds ?? null,
    within: within ?? null,
    offered: isOperator || !resource.operatorOnly,
    listed: !resource.isUnlisted,
    operations: Object.fromEntries(operations),
    actions: (resource.actions ?? []).flatMap(action => toAction(action, view)),
    relations: (resource.relations ?? [])
      .filter(relation => ids.has(relation.resource))
      .map(({ resource, parameters }) => ({ resource, parameters: { ...parameters } })),
  }
}

const refTo = ({ id, method, path }: Operation) => ({ id, method, path })

function toAction(action: ResourceAction, view: View) {
  const { operation: id, title, danger, confirm, on, when, body, isButton, done } = action
  const { callable, caller, translate } = view
  const operation = callable(id)
  if (!operation || action.offeredTo?.(caller) === false) return []
  const { labels = {}, hints = [], states = {} } = action
  return [
    {
      ...refTo(operation),
      title: translate(title),
      danger: danger ?? false,
      confirm: confirm === undefined ? null : translate(confirm),
      when: mapValues(when ?? {}, values => [...values]),
      on: on ?? 'record',
      body: { ...body },
      isButton: isButton ?? false,
      done: done === undefined ? null : translate(done),
      labels: mapValues(labels, translate),
      hints: Object.fromEntries(hints.map(hint => [pickText(hint, 'en', 'en'), translate(hint)])),
      states: declaredWords({ states }, translate),
    },
  ]
}

/** Properties, parameters and descriptions that a resource shows. */
interface ShownTexts {
  readonly names: readonly string[]
  readonly descriptions: readonly string[]
  /** Property → values that the schemas name. */
  readonly values: Readonly<Record<string, readonly string[]>>
}

function shownTexts(
  { columns, filters = [], operations: own, actions = [] }: Resource,
  operations: Operations,
): ShownTexts {
  const known = (ids: readonly (string | undefined)[]) => ids.flatMap(id => operations.get(id ?? '') ?? [])
  const lists = known([own.list, own.get]).map(({ row, reply }) => row ?? reply)
  // An action with labels brings the texts of its form.
  const described = actions.filter(({ labels }) => labels === undefined)
  const changes = known([own.create, own.update, ...described.map(({ operation }) => operation)]).map(
    ({ body }) => body,
  )
  const rows = textsOf(lists.filter(schema => schema !== undefined))
  const bodies = textsOf(changes.filter(schema => schema !== undefined))
  const queries = textsOf(known([own.list]).flatMap(({ query }) => (query ? [query] : [])))
  return {
    names: [...new Set([...columns, ...filters, ...rows.names, ...bodies.names])],
    descriptions: [...bodies.descriptions],
    values: mergedValues([rows.values, bodies.values, queries.values]),
  }
}

/** Without columns that sort, and types of events, which aren't words. */
function mergedValues(found: readonly ReadonlyMap<string, ReadonlySet<string>>[]): Record<string, string[]> {
  const merged: Record<string, string[]> = {}
  for (const [parameter, values] of found.flatMap(each => [...each])) {
    const name = innerName(parameter)
    const words = [...values].filter(value => !value.includes('.'))
    if (words.length > 0 && name !== 'sort') merged[name] = [...new Set([...(merged[name] ?? []), ...words])]
  }
  return merged
}

const labelsOf = ({ labels = {} }: Resource, { names }: ShownTexts, translate: View['translate']) =>
  Object.fromEntries(
    names.map(name => [name, translate(Object.hasOwn(labels, name) ? (labels[name] as LocalText) : labelOf(name))]),
  )

/** Property → value → its word. Of two words for a value, the later one holds. */
function mergedWords<T>(all: readonly Readonly<Record<string, Readonly<Record<string, T>>>>[]) {
  const merged: Record<string, Record<string, T>> = {}
  for (const [name, words] of all.flatMap(each => Object.entries(each))) merged[name] = { ...merged[name], ...words }
  return merged
}

/** Words made from the values, in the color that the console finds for them. */
const wordsFromValues = ({ values }: ShownTexts, translate: View['translate']): ListedResource['states'] =>
  mapValues(values, each =>
    Object.fromEntries(each.map(value => [value, { title: capitalized(translate(wordsOf(value))), tone: null }])),
  )

const declaredWords = (
  { states = {} }: Pick<Resource, 'states'>,
  translate: View['translate'],
): ListedResource['states'] =>
  mapValues(states, each =>
    mapValues(each, ({ title, tone = 'neutral' as const }) => ({
      title: translate(title),
      tone: tone === 'plain' ? null : tone,
    })),
  )

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The words of all modules for the properties of a resource. */
const moduleWords = ({ names }: ShownTexts, { words, translate }: View): ListedResource['states'] =>
  Object.fromEntries(
    names.flatMap(name =>
      Object.hasOwn(words, name)
        ? [[name, mapValues(words[name] ?? {}, text => ({ title: translate(text), tone: null }))]]
        : [],
    ),
  )

const mapValues = <T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

/** Without descriptions that are labels: a translation of a word by itself can differ from the label's. */
function hintsOf({ labels = {}, hints = [] }: Resource, { descriptions }: ShownTexts, { translate, isOriginal }: View) {
  const names = new Set(Object.values(labels).map(label => pickText(label, 'en', 'en')))
  const own = new Map(hints.map(hint => [pickText(hint, 'en', 'en'), hint]))
  return Object.fromEntries(
    descriptions.flatMap(text => {
      const hint = own.get(text)
      if (hint !== undefined) return [[text, translate(hint)]]
      if (names.has(text)) return []
      const translated = translate(text)
      return translated === text && !isOriginal ? [] : [[text, translated]]
    }),
  )
}
