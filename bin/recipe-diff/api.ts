/** Compares the operations, schemas and events of two API documents. Pure. */
import type { RecipeChange } from '../../kernel/index.ts'
import {
  type ApiDocument,
  type MediaType,
  type Operation,
  operationsOf,
  type PathItem,
  type Response,
  resolve,
  type Schema,
} from '../client/document.ts'
import { pairs } from './pairs.ts'
import { compareSchemas, type Readers, type SchemaDifference } from './schemas.ts'

export function compareApis(before: ApiDocument, after: ApiDocument): RecipeChange[] {
  return [
    ...compareOperations(before, after),
    ...compareEvents(before.webhooks, after.webhooks),
    ...compareComponents(before, after),
  ]
}

interface Named {
  readonly document: ApiDocument
  readonly operation: Operation
}

const operationsByName = (document: ApiDocument): Map<string, Named> =>
  new Map(
    Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      operationsOf(item).map(
        ([method, operation]) => [`${method.toUpperCase()} ${path}`, { document, operation }] as const,
      ),
    ),
  )

const compareOperations = (before: ApiDocument, after: ApiDocument): RecipeChange[] =>
  pairs(operationsByName(before), operationsByName(after)).flatMap(([name, earlier, later]): RecipeChange[] => {
    if (!earlier) return [{ change: 'add', subject: name }]
    if (!later) return [{ change: 'remove', subject: name, breaks: 'requests fail with 404' }]
    return changeOf(name, [
      ...compareParameters(earlier, later),
      ...compareBodies(earlier, later),
      ...compareReplies(earlier, later),
    ])
  })

/** Joins differences to one change, whose `breaks` has the breaking ones. */
function changeOf(subject: string, differences: readonly SchemaDifference[]): RecipeChange[] {
  if (differences.length === 0) return []
  const texts = (isBreaking: boolean) =>
    [...new Set(differences.filter(each => each.isBreaking === isBreaking).map(({ text }) => text))].join('; ')
  const [detail, breaks] = [texts(false), texts(true)]
  return [{ change: 'change', subject, ...(detail && { detail }), ...(breaks && { breaks }) }]
}

const REQUEST: Readers = { requests: true, replies: false }
const REPLY: Readers = { requests: false, replies: true }

function compareParameters(before: Named, after: Named): SchemaDifference[] {
  const [old, now] = [parametersOf(before), parametersOf(after)]
  return pairs(old, now).flatMap(([name, earlier, later]): SchemaDifference[] => {
    const field = filterOf(name)
    const isWhole = field !== undefined && old.has(field) !== now.has(field)
    if (isWhole) return [{ text: `${now.has(field) ? 'new' : 'no'} parameter ${field}`, isBreaking: old.has(field) }]
    if (!earlier)
      return [{ text: `new parameter ${name}${later?.required ? ', required' : ''}`, isBreaking: !!later?.required }]
    if (!later) return [{ text: `no parameter ${name}`, isBreaking: true }]
    const isNowRequired = later.required === true && earlier.required !== true
    return [
      ...(isNowRequired ? [{ text: `parameter ${name} is required`, isBreaking: true }] : []),
      ...compareSchemas(earlier.schema, later.schema, REQUEST, `parameter ${field ?? name}`),
    ]
  })
}

/** `filter[level]` of `filter[level][ne]`, which is one of many. */
const filterOf = (name: string): string | undefined => /^filter\[[^\]]*\]/.exec(name)?.[0]

const parametersOf = ({ document, operation }: Named) =>
  new Map(
    (operation.parameters ?? []).map(parameter => {
      const found = resolve(document, parameter)
      return [found.in === 'query' ? found.name : `${found.name} (${found.in})`, found] as const
    }),
  )

function compareBodies(before: Named, after: Named): SchemaDifference[] {
  const [old, now] = [before.operation.requestBody, after.operation.requestBody]
  if (!old) return now ? [{ text: 'new body', isBreaking: now.required === true }] : []
  if (!now) return [{ text: 'no body', isBreaking: true }]
  const isNowRequired = now.required === true && old.required !== true
  return [
    ...(isNowRequired ? [{ text: 'the body is required', isBreaking: true }] : []),
    ...compareContents(old.content, now.content, REQUEST, 'body'),
  ]
}

const compareReplies = (before: Named, after: Named): SchemaDifference[] =>
  pairs(successesOf(before), successesOf(after)).flatMap(([status, earlier, later]): SchemaDifference[] => {
    if (!earlier) return [{ text: `replies with ${status}`, isBreaking: false }]
    if (!later) return [{ text: `no longer replies with ${status}`, isBreaking: true }]
    return compareContents(earlier.content, later.content, REPLY, `reply ${status}`)
  })

/** Problems are the same everywhere, and have codes. */
const successesOf = ({ document, operation }: Named): Map<string, Response> =>
  new Map(
    Object.entries(operation.responses ?? {})
      .filter(([status]) => /^[123]/.test(status))
      .map(([status, response]) => [status, resolve(document, response)]),
  )

type Contents = Readonly<Record<string, MediaType>> | undefined

const compareContents = (before: Contents, after: Contents, readers: Readers, place: string): SchemaDifference[] =>
  pairs(toMap(before), toMap(after)).flatMap(([type, old, now]) => {
    if (!old) return [{ text: `${place} may be ${type}`, isBreaking: false }]
    if (!now) return [{ text: `${place} is no longer ${type}`, isBreaking: true }]
    return compareSchemas(old.schema, now.schema, readers, place)
  })

const toMap = <T>(record: Readonly<Record<string, T>> | undefined) => new Map(Object.entries(record ?? {}))

type Webhooks = ApiDocument['webhooks']

const compareEvents = (before: Webhooks, after: Webhooks): RecipeChange[] =>
  pairs(toMap(before), toMap(after)).flatMap(([type, old, now]): RecipeChange[] => {
    const subject = `event ${type}`
    if (!old) return [{ change: 'add', subject }]
    if (!now) return [{ change: 'remove', subject, breaks: 'webhooks and listeners no longer receive it' }]
    return changeOf(subject, compareContents(bodyOf(old), bodyOf(now), REPLY, 'body'))
  })

const bodyOf = (item: PathItem): Contents => operationsOf(item)[0]?.[1].requestBody?.content

/** Schemas of the components that requests, replies and events contain. */
function compareComponents(before: ApiDocument, after: ApiDocument): RecipeChange[] {
  const components = pairs(readersOf(before), readersOf(after))
  const schemaOf = (document: ApiDocument, name: string) => document.components?.schemas?.[name]
  const added = components.flatMap(([name, earlier]) => (earlier ? [] : [name]))
  const removed = components.flatMap(([name, , later]) => (later ? [] : [name]))
  return [
    ...components.flatMap(([name, earlier, later]) => {
      if (!earlier || !later) return []
      const readers = {
        requests: earlier.requests || later.requests,
        replies: earlier.replies || later.replies,
      }
      return changeOf(`schema ${name}`, compareSchemas(schemaOf(before, name), schemaOf(after, name), readers))
    }),
    ...(added.length > 0 ? [{ change: 'add' as const, subject: 'schemas', detail: added.join(', ') }] : []),
    ...(removed.length > 0 ? [{ change: 'remove' as const, subject: 'schemas', detail: removed.join(', ') }] : []),
  ]
}

/** Name of a component → who reads its values. Those that only problems contain are left out. */
function readersOf(document: ApiDocument): Map<string, Readers> {
  const found = new Map<string, Readers>()
  function visit(value: unknown, readers: Readers): void {
    if (Array.isArray(value)) for (const item of value) visit(item, readers)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const { $ref, ...rest } = value as Schema
    visit(Object.values(rest), readers)
    if (typeof $ref !== 'string' || !$ref.startsWith('#/components/schemas/')) return
    const name = $ref.slice('#/components/schemas/'.length)
    const known = found.get(name)
    const joined = {
      requests: readers.requests || known?.requests === true,
      replies: readers.replies || known?.replies === true,
    }
    if (known?.requests === joined.requests && known.replies === joined.replies) return
    found.set(name, joined)
    visit(resolve(document, { $ref }), joined)
  }
  for (const { operation } of operationsByName(document).values()) {
    const named = { document, operation }
    visit([...parametersOf(named).values(), operation.requestBody], REQUEST)
    visit([...successesOf(named).values()], REPLY)
  }
  for (const item of Object.values(document.webhooks ?? {})) visit(bodyOf(item), REPLY)
  return found
}
