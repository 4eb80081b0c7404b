/** The resources that the caller can list, as `GET /v1/platform/resources` describes them. */
import { useQuery } from '@tanstack/react-query'
import type { Translate } from '../locales/index.ts'
import { api } from './api.ts'
import type { Resource as ApiResource, ResourceList, ResourceOperation } from './api-types.ts'
import { areaTitle } from './area-titles.ts'
import { withDistinctTitles } from './distinct-titles.ts'
import { earlyData } from './early.ts'
import type { Loaded } from './get.ts'
import { keys } from './keys.ts'
import { listedResources, type Resource } from './listed-resources.ts'
import { fillPath } from './paths.ts'

export type { Resource }
/** Property → its values in words. */
export type States = ApiResource['states'][string]
export type Row = Readonly<Record<string, unknown>>
/** Path and query parameters that come from a parent record. */
export type Scope = Readonly<Record<string, string>>

export const useResources = (): Loaded<readonly Resource[]> =>
  useQuery<readonly Resource[]>({
    queryKey: keys.load('/v1/platform/resources', document.documentElement.lang),
    queryFn: async ({ signal }) => titled((await api.get('/v1/platform/resources', { signal })).body),
    ...earlyData('/v1/platform/resources', {}, titled),
    staleTime: 300_000,
  })

const titled = ({ data }: ResourceList): readonly Resource[] => withDistinctTitles(listedResources(data), areaTitle)

export function useResource(module: string, name: string): Resource | undefined {
  const { data } = useResources()
  return data?.find(resource => resource.module === module && resource.name === name)
}

/** A property by its path, `a.b`. */
export const valueAt = (row: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? (value as Row)[name] : undefined),
      row,
    )

export const keyOf = ({ key }: Resource, row: Row): string => String(valueAt(row, key) ?? '')

/** The path of a list, which has no parameters. */
export const listPathOf = ({ operations }: Resource): string => operations.list.path

/** The list of deleted rows of a collection, and the operation that restores one. */
export function findTrash(
  { id }: Resource,
  resources: readonly Resource[],
): { readonly resource: Resource; readonly restore: ResourceOperation } | undefined {
  const resource = resources.find(each => each.id === `${id}-trash`)
  const restore = resource?.actions.find(action => action.id.startsWith('restore'))
  return resource && restore && { resource, restore }
}

/** Whether it is the list of the deleted rows of another one, which shows it as a tab. */
export const isTrash = ({ id }: Resource, resources: readonly Resource[]): boolean =>
  id.endsWith('-trash') && resources.some(each => `${each.id}-trash` === id)

/** Whether each property has one of its values. */
export const isWhen = (when: Readonly<Record<string, readonly string[]>>, row: Row): boolean =>
  Object.entries(when).every(([name, values]) => values.includes(String(row[name])))

export const isReadOnly = ({ readOnly }: Resource, row: Row): boolean => readOnly !== null && isWhen(readOnly.when, row)

/** What a person calls this record. */
export function labelOf(resource: Resource, row: Row): string {
  const label = valueAt(row, resource.label)
  if (typeof label !== 'string' || label === '') return keyOf(resource, row)
  return resource.states[resource.label]?.[label]?.title ?? label
}

/** What the screen of this record is called. The ID of a record without a name tells people nothing. */
export function headingOf(resource: Resource, row: Row): string {
  const label = labelOf(resource, row)
  const isNameless = resource.key === 'id' && resource.label !== 'id' && label === keyOf(resource, row)
  return isNameless ? resource.singular : label
}

/** A title inside a sentence: English nouns in lower case, `API key` unchanged. */
export const inSentence = (title: string): string =>
  document.documentElement.lang === 'en' && /^[A-Z][a-z]/.test(title)
    ? title.charAt(0).toLowerCase() + title.slice(1)
    : title

export const nounOf = ({ singular }: Resource): string => inSentence(singular)

/** `New page`, or the resource's own `Send email`. A submit button says `Create page`. */
export const createTitle = (resource: Resource, t: Translate, text: 'create' | 'createSubmit' = 'create'): string =>
  resource.createTitle ?? t(text, { name: nounOf(resource) })

/** `Page created.`, or `Send email: done.` */
export const createdText = ({ createTitle: title, singular }: Resource, t: Translate): string =>
  title === null ? t('created', { name: singular }) : t('done', { title })

/** The path of an operation on a record. The parameter that the scope doesn't name is the record's key. */
export function recordPath({ path }: ResourceOperation, scope: Scope, key: string): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const own = names.findLast(name => scope[name] === undefined) ?? names.at(-1) ?? ''
  return fillPath(path, { ...scope, [own]: key })
}

/** Parameters of a related list, read from the record. */
export const scopeOf = (parameters: Readonly<Record<string, string>>, row: Row): Scope =>
  Object.fromEntries(Object.entries(parameters).map(([name, property]) => [name, String(valueAt(row, property) ?? '')]))
