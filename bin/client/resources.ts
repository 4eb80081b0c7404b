/** The methods of a generated client, as an object literal. Pure. */

import { pathParameters } from './names.ts'
import type { ClientOperation } from './operations.ts'
import { comment, indent, type TypeOptions, typeOf, union } from './schema-types.ts'
import { camelCase, propertyKey } from './text.ts'

/** A property of the client: a method, or a namespace of properties. */
export type Tree = Map<string, Tree | string>

/** @returns the tree with `text` at `names`. Namespaces are created as they are needed. */
export function place(tree: Tree, [name = '', ...rest]: readonly string[], text: string): Tree {
  if (rest.length === 0) return tree.set(name, text)
  const inner = tree.get(name)
  const space: Tree = typeof inner === 'object' ? inner : new Map()
  // A spread of the parts that have their own types comes first.
  if (typeof inner === 'string') space.set('...', inner)
  return tree.set(name, place(space, rest, text))
}

/** Properties in alphabetical order. */
export function printTree(tree: Tree): string {
  const entries = [...tree].toSorted(([a], [b]) => (a === '...' ? -1 : b === '...' ? 1 : a < b ? -1 : 1))
  const lines = entries.map(([name, value]) => {
    if (name === '...') return `...${value as string},`
    if (typeof value !== 'string') return `${propertyKey(name)}: ${printTree(value)},`
    const [comments, code] = splitComment(value)
    return `${comments}${propertyKey(name)}: ${code},`
  })
  return ['{', ...lines.map(indent), '}'].join('\n')
}

function splitComment(text: string): [string, string] {
  const end = text.startsWith('/**') ? text.indexOf('*/') + 3 : 0
  return [text.slice(0, end), text.slice(end)]
}

export interface ResourceOptions extends TypeOptions {
  /** Codes that every operation may return, which have the alias `CommonCode`. */
  readonly common: ReadonlySet<string>
}

/** The method of an operation, and `all` for a list with pages. */
export function methodsOf(
  operation: ClientOperation,
  options: ResourceOptions,
): { readonly names: readonly string[]; readonly text: string }[] {
  const { names, hasPages } = operation
  const methods = [{ names, text: [...comment(operation.summary), method(operation, options)].join('\n') }]
  if (!hasPages || names.at(-1) !== 'list') return methods
  const all = [
    ...comment(`${operation.summary} Loads the pages as they are needed.`),
    iterator(operation, options),
  ].join('\n')
  return [...methods, { names: [...names.slice(0, -1), 'all'], text: all }]
}

function method(operation: ClientOperation, options: ResourceOptions): string {
  const { parameters, request } = signature(operation, options, '')
  const types = `<${replyType(operation, options)}, ${codesType(operation.codes, options)}>`
  return `(${parameters}) =>\n  send${types}(${request}, options)`
}

function iterator(operation: ClientOperation, options: ResourceOptions): string {
  const { parameters, request } = signature(operation, options, 'cursor')
  const types = `<${replyType(operation, options)}, ${codesType(operation.codes, options)}>`
  return `(${parameters}) =>\n  everyItem(cursor => send${types}(${request}, options))`
}

/** @param page the name of the variable that holds the cursor of the page; empty for a single request. */
function signature(operation: ClientOperation, options: ResourceOptions, page: string) {
  const { body, method, path } = operation
  const query = operation.query.filter(({ name }) => name !== page)
  const isQueryRequired = query.some(({ required }) => required)
  const input = { ...options, input: true }
  const names = pathParameters(path)
  const parameters = [
    ...names.map(name => `${argument(name)}: string`),
    ...(body ? [bodyParameter(operation, body.required, isQueryRequired, input)] : []),
    ...(query.length > 0 ? [`query${isQueryRequired ? '' : '?'}: ${queryType(query, input)}`] : []),
    `options?: ${optionsType(operation)}`,
  ]
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${encodeURIComponent(${argument(name)})}`)
  const sentQuery = page === '' ? 'query' : query.length > 0 ? `query: { ...query, ${page} }` : `query: { ${page} }`
  const members = [
    `method: '${method.toUpperCase()}'`,
    `path: ${names.length > 0 ? `\`${address}\`` : `'${address}'`}`,
    ...(operation.query.length > 0 ? [sentQuery] : []),
    ...(body ? [body.kind === 'json' ? 'json: body' : 'body'] : []),
    ...(operation.takesTenant ? ['takesTenant: true'] : []),
    ...(operation.takesIdempotencyKey ? ['takesIdempotencyKey: true'] : []),
    ...(operation.reply.kind === 'json' ? [] : [`reply: '${operation.reply.kind}'`]),
  ]
  return { parameters: parameters.join(', '), request: `{ ${members.join(', ')} }` }
}

/** Parameter names must not hide those of the method. */
const argument = (name: string): string => {
  const found = camelCase(name)
  return ['body', 'query', 'options', 'send', 'cursor'].includes(found) ? `${found}_` : found
}

/** An optional parameter can't precede a required one. */
function bodyParameter(
  operation: ClientOperation,
  isRequired: boolean,
  isQueryRequired: boolean,
  options: TypeOptions,
): string {
  const type = bodyType(operation, options)
  return isRequired ? `body: ${type}` : isQueryRequired ? `body: ${type} | undefined` : `body?: ${type}`
}

function bodyType({ body }: ClientOperation, options: TypeOptions): string {
  if (body?.kind === 'form') return 'FormData'
  return body?.kind === 'bytes' ? 'Bytes' : typeOf(body?.schema, options)
}

function optionsType({ takesIdempotencyKey, takesIfMatch }: ClientOperation): string {
  if (takesIdempotencyKey && takesIfMatch) return 'IdempotentOptions & VersionedOptions'
  return takesIdempotencyKey ? 'IdempotentOptions' : takesIfMatch ? 'VersionedOptions' : 'RequestOptions'
}

function replyType({ reply }: ClientOperation, options: TypeOptions): string {
  if (reply.kind === 'response') return 'Response'
  if (reply.kind === 'text') return 'string'
  const types = reply.schemas.map(schema => typeOf(schema, options))
  if (types.length === 0) return 'void'
  return union([...types, ...(reply.mayBeEmpty ? ['undefined'] : [])])
}

/** `CommonCode | 'not_found'`. */
export function codesType(codes: readonly string[], { common }: Pick<ResourceOptions, 'common'>): string {
  const own = codes.filter(code => !common.has(code)).map(code => `'${code}'`)
  const hasCommon = common.size > 0 && [...common].every(code => codes.includes(code))
  const listed = hasCommon ? ['CommonCode', ...own] : codes.map(code => `'${code}'`)
  return listed.join(' | ') || 'never'
}

/** `filter[status]` → `filter?: { status?: … }`. */
function queryType(query: ClientOperation['query'], options: TypeOptions): string {
  const tree: Tree = new Map()
  for (const { name, schema, required, description } of query) {
    const path = name.split(/[[\]]+/).filter(Boolean)
    const type = typeOf(schema, options)
    const key = `${path.at(-1)}${required ? '' : '?'}`
    place(
      tree,
      [...path.slice(0, -1).map(part => `${part}?`), key],
      [...comment(description ?? ''), required ? type : `${type} | undefined`].join('\n'),
    )
  }
  return printType(tree)
}

function printType(tree: Tree): string {
  const lines = [...tree].map(([name, value]) => {
    const isOptional = name.endsWith('?')
    const key = `${propertyKey(isOptional ? name.slice(0, -1) : name)}${isOptional ? '?' : ''}`
    if (typeof value !== 'string') return propertyOf(key, value)
    const [comments, type] = splitComment(value)
    return `${comments}${key}: ${type}`
  })
  return ['{', ...lines.map(indent), '}'].join('\n')
}

/** `filter[level]` and `filter[level][ne]`: a value, or an object of operators. */
function propertyOf(key: string, tree: Tree): string {
  const operators = new Map(tree)
  const value = operators.get('...')
  operators.delete('...')
  if (typeof value !== 'string') return `${key}: ${printType(tree)} | undefined`
  const [comments, type] = splitComment(value)
  return `${comments}${key}: ${type} | ${printType(operators)}`
}

/** The codes that all of these operations have in common. */
export function commonCodes(operations: readonly ClientOperation[]): ReadonlySet<string> {
  const documented = operations.filter(({ codes }) => codes.length > 0)
  const [first, ...others] = documented
  return new Set(first?.codes.filter(code => others.every(({ codes }) => codes.includes(code))) ?? [])
}
