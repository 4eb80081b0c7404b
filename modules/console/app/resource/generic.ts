/** What the generic screens share. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Fact } from '../components/Facts.tsx'
import type { Crumb } from '../components/Page.tsx'
import { type Answer, callApi } from '../data/api.ts'
import { areaTitle } from '../data/area-titles.ts'
import { commonStates, withCollection, withDefaults, withStates } from '../data/collection-form.ts'
import type { ApiDocument } from '../data/document.ts'
import { withTexts } from '../data/field-texts.ts'
import { type Field, formFields, type InvalidValue } from '../data/form-model.ts'
import type { Loaded } from '../data/get.ts'
import { keys } from '../data/keys.ts'
import { loadAll, type Search } from '../data/list.ts'
import { withoutRows, withRow } from '../data/loaded-rows.ts'
import type { PathOf, ResponseOf } from '../data/paths.ts'
import { ApiError } from '../data/problem.ts'
import { isReadOnly, keyOf, type Resource, type Row, recordPath, type Scope, type States } from '../data/resources.ts'
import { forgetVisit } from '../data/visits.ts'
import { bilingual } from '../locales/bilingual.ts'
import { fieldLabel, languageStore, localized, type Translate } from '../locales/index.ts'

/** Where the value of a field comes from that is left empty. */
const defaultTexts = bilingual({
  $now: ['The current time by default.', 'Standardmäßig die aktuelle Zeit.'],
  $today: ['Today by default.', 'Standardmäßig das heutige Datum.'],
  $member: ['You by default.', 'Standardmäßig Sie.'],
  $user: ['Your user ID by default.', 'Standardmäßig Ihre Benutzer-ID.'],
  expression: ['Computed from other values by default.', 'Wird standardmäßig aus anderen Werten berechnet.'],
  onUpdate: ['Each change sets this time.', 'Jede Änderung setzt diese Zeit.'],
})

export interface GenericProps {
  readonly resource: Resource
  /** Empty on lists and for new records. */
  readonly id: string
  readonly search: Search
}

export const resourcePath = ({ module, name }: Resource): string => `/${module}/${name}`
export const recordUrl = (resource: Resource, id: string): string =>
  `${resourcePath(resource)}/${encodeURIComponent(id)}`
export const newUrl = (resource: Resource): string => `${resourcePath(resource)}/new`
export const editUrl = (resource: Resource, id: string): string => `${recordUrl(resource, id)}/edit`

/** The crumbs of lists, and of screens that belong to no record. */
export const areaCrumbs = (module: string): readonly Crumb[] => [{ title: areaTitle(module), href: `/${module}` }]

/** An area with the title of its list is left out. */
export const crumbsOf = (resource: Resource): readonly Crumb[] => [
  ...areaCrumbs(resource.module).filter(({ title }) => resource.within !== null || title !== resource.title),
  ...(resource.within === null ? [{ title: resource.title, href: resourcePath(resource) }] : []),
]

/** The label of a property or a filter. */
export const labelIn = ({ labels }: Resource, name: string): string => labels[name] ?? fieldLabel(name)

/** Words for the values of a property, `a.b` for nested ones. */
export const statesIn = ({ states }: Resource, name: string): States | undefined => states[name.replace(/^.*\./, '')]

/** Properties of a record, with the labels of its resource. */
export const factsIn = (resource: Resource, record: Row, names: readonly string[]): Fact[] =>
  names.map(name => [labelIn(resource, name), name, record[name]])

/**
 * All properties of a record except those that the screen shows elsewhere, or not at all. A property that the record gains
 * is among them.
 */
export const factsWithout = (resource: Resource, record: Row, elsewhere: readonly string[]): Fact[] =>
  factsIn(
    resource,
    record,
    Object.keys(record).filter(name => !elsewhere.includes(name)),
  )

/** Fields of a request, with the texts of its resource. @param order names of properties; others are left out. */
export function fieldsOf(
  resource: Resource,
  operationId: string | undefined,
  document: ApiDocument,
  order: readonly string[] | null = null,
): Field[] {
  const schema = operationId === undefined ? undefined : document.body(operationId)
  if (!schema) return []
  const { list, create, update } = resource.operations
  const fields = withCollection(formFields(schema, document.schemas, order), document.collection(list.id))
  const isOfRow = operationId === create?.id || operationId === update?.id
  const shown = isOfRow ? withStates(fields, operationId === create?.id) : fields
  const language = languageStore.get()
  const texts = withTexts(shown, resource, language)
  return isOfRow ? [...withDefaults(texts, operationId === create?.id, localized(defaultTexts))] : texts
}

/** The states that all of these rows may come into. */
export function statesOfRows(
  resource: Resource,
  document: ApiDocument,
  rows: readonly Row[],
  roles: readonly string[],
): readonly Field[] {
  const { list, update } = resource.operations
  const schema = update && document.body(update.id)
  if (!schema || rows.some(row => isReadOnly(resource, row))) return []
  const fields = withCollection(formFields(schema, document.schemas, resource.fields), document.collection(list.id))
  return withTexts(commonStates(fields, rows, roles), resource, languageStore.get())
}

/** Messages for values that can't be sent, by the pointer of the field. */
export function invalidTexts(wrong: readonly InvalidValue[], t: Translate): ReadonlyMap<string, string> {
  const texts = { required: t('required'), number: t('invalidNumber'), json: t('invalidJson'), date: t('invalidDate') }
  return new Map(wrong.map(({ pointer, reason }) => [pointer, texts[reason]]))
}

/** Search parameters that keep the parent of a record. */
export const searchOf = (scope: Scope): Search => (Object.keys(scope).length > 0 ? { with: scope } : {})

/** Keeps an answer, so that the screen of the record shows it at once. */
export function useKeepRecord(resource: Resource) {
  const client = useQueryClient()
  return (id: string, answer: Answer<Row>) => void client.setQueryData(keys.record(resource, id, {}), answer)
}

type RecordAt<P extends PathOf<'get'>> = [P] extends [never] ? Row : ResponseOf<P>

/**
 * A record of a resource and its ETag; one of a path has its type: `useRecord<'/v1/forms/{id}'>(…)`. `useRefresh` loads
 * it again.
 */
export function useRecord<P extends PathOf<'get'> = never>(
  resource: Resource,
  id: string,
  scope: Scope = {},
): Loaded<Answer<RecordAt<P>>> {
  const { get } = resource.operations
  return useQuery<Answer<RecordAt<P>>>({
    queryKey: keys.record(resource, id, scope),
    queryFn: ({ signal }) =>
      get ? callApi<RecordAt<P>>({ path: recordPath(get, scope, id), signal }) : findInList(resource, id, scope),
    enabled: id !== '',
  })
}

/** Serves resources without an operation that returns one record. */
async function findInList<R>(resource: Resource, id: string, scope: Scope): Promise<Answer<R>> {
  const { rows } = await loadAll(resource, {}, scope, () => undefined)
  const body = rows.find(row => keyOf(resource, row) === id)
  if (!body) throw new ApiError({ status: 404, code: 'not_found', title: 'Not found', detail: '' })
  return { body: body as R, etag: null }
}

/** Loads what a change may have affected again. Lists show the deleted records no more, even before they are loaded. */
export function useRefresh(resource: Resource): (deleted?: readonly string[]) => Promise<unknown> {
  const client = useQueryClient()
  return (deleted: readonly string[] = []) => {
    const isDeleted = (row: Row) => deleted.includes(keyOf(resource, row))
    for (const id of deleted) forgetVisit(recordUrl(resource, id))
    if (deleted.length > 0)
      client.setQueriesData<unknown>({ queryKey: keys.list(resource) }, (loaded: unknown) =>
        withoutRows(loaded, isDeleted),
      )
    return Promise.all([
      client.invalidateQueries({ queryKey: keys.list(resource) }),
      client.invalidateQueries({
        queryKey: keys.record(resource),
        predicate: ({ queryKey: [, , id] }) => !deleted.includes(String(id)),
      }),
    ])
  }
}

/** Shows a saved row in the lists that have loaded it, without loading them again. */
export function useReplaceRow(resource: Resource) {
  const client = useQueryClient()
  return (saved: Row) => {
    const key = keyOf(resource, saved)
    client.setQueriesData<unknown>({ queryKey: keys.list(resource) }, (loaded: unknown) =>
      withRow(loaded, row => keyOf(resource, row) === key, saved),
    )
    return client.invalidateQueries({ queryKey: keys.record(resource, key) })
  }
}
