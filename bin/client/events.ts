/** Types of webhooks, permissions and roles. Pure. */
import { type ApiDocument, operationsOf, resolve, type Schema } from './document.ts'
import { comment, indent, literal, type TypeOptions, typeOf } from './schema-types.ts'
import { propertyKey } from './text.ts'

/** `Webhooks`: event type → body of the request that the product sends. */
export function webhookTypes(document: ApiDocument, options: TypeOptions): string {
  const entries = Object.entries(document.webhooks ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = entries.map(([type, item]) => {
    const [, operation] = operationsOf(item)[0] ?? []
    return `${propertyKey(type)}: ${typeOf(operation?.requestBody?.content?.['application/json']?.schema, options)}`
  })
  return [
    '/** Requests that the product sends to webhook endpoints: event type → body. */',
    block('Webhooks', lines),
    '/** The body of a webhook; a union that `type` discriminates. */',
    'export type WebhookEvent = Webhooks[keyof Webhooks]',
  ].join('\n')
}

/** `Events`: event type → payload, for a module that listens to them. */
export function eventTypes(events: Readonly<Record<string, Schema>>, options: TypeOptions): string {
  const lines = Object.entries(events)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, schema]) => `${propertyKey(type)}: ${typeOf(schema, options)}`)
  return ['/** Events that modules publish: type → payload. */', block('Events', lines)].join('\n')
}

/** A topic of the realtime socket. */
export interface TopicSchemas {
  readonly name: string
  readonly summary: string
  readonly params: Schema
  readonly message: Schema
  readonly input?: Schema
}

/** `Topics`: topic → parameters, messages and input. */
export function topicTypes(topics: readonly TopicSchemas[], options: TypeOptions): string {
  const sorted = topics.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const lines = sorted.map(({ name, summary, params, message, input }) =>
    [
      ...comment(summary),
      `${propertyKey(name)}: {`,
      `  params: ${indent(typeOf(params, { ...options, input: true })).trimStart()}`,
      `  message: ${indent(typeOf(message, options)).trimStart()}`,
      `  input: ${input ? indent(typeOf(input, { ...options, input: true })).trimStart() : 'never'}`,
      '}',
    ].join('\n'),
  )
  return lines.length === 0 ? '' : block('Topics', lines)
}

const block = (name: string, lines: readonly string[]): string =>
  lines.length === 0
    ? `export interface ${name} {}`
    : [`export interface ${name} {`, ...lines.map(indent), '}'].join('\n')

/** A union of string literals, sorted. */
export function names(name: string, about: string, values: readonly string[]): string {
  const sorted = [...new Set(values)].sort().map(value => `  | ${literal(value)}`)
  return [`/** ${about} */`, `export type ${name} =${sorted.length === 0 ? ' never' : `\n${sorted.join('\n')}`}`].join(
    '\n',
  )
}

/** `ProblemTypes`: code → component, for the codes that have a component with additional members. */
export function problemTypes(document: ApiDocument, options: TypeOptions): string {
  const lines = Object.entries(document.components?.schemas ?? {}).flatMap(([key, schema]) => {
    const code = codeOf(document, schema)
    const name = options.names.get(`#/components/schemas/${key}`)
    return code !== undefined && name !== undefined ? [`${propertyKey(code)}: ${name}`] : []
  })
  return lines.length === 0 ? '' : block('ProblemTypes', lines.sort())
}

/** The only `code` of a component that extends `Problem`. */
function codeOf(document: ApiDocument, schema: Schema): string | undefined {
  const parts = [schema, ...((schema.allOf ?? []) as Schema[])].map(part => resolve(document, part))
  const extendsProblem = ((schema.allOf ?? []) as Schema[]).some(part => part.$ref === '#/components/schemas/Problem')
  const code = parts
    .map(({ properties }) => (properties as Readonly<Record<string, Schema>> | undefined)?.code)
    .find(found => Array.isArray(found?.enum) && found.enum.length === 1)
  const [only] = (code?.enum ?? []) as readonly unknown[]
  return extendsProblem && typeof only === 'string' ? only : undefined
}
