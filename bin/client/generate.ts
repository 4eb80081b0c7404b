/** Generates a TypeScript client, or its types alone, from the API document of a product. Pure but for reading sources. */
import { readFileSync } from 'node:fs'
import { type ClientCollection, collectionsOf, collectionTypes, isCorePath } from './collection-types.ts'
import { type ApiDocument, resolve, type Schema } from './document.ts'
import { eventTypes, names, problemTypes, type TopicSchemas, topicTypes, webhookTypes } from './events.ts'
import { type ClientOperation, clientOperations } from './operations.ts'
import { pathTypes } from './paths.ts'
import { commonCodes, methodsOf, place, printTree, type ResourceOptions, type Tree } from './resources.ts'
import { inlined, reservedNames, runtimeSource } from './runtime-source.ts'
import { componentNames, declaration, indent, literal } from './schema-types.ts'

/** A helper that a module adds to the client. */
export interface HelperPart {
  /** `flags` or `media.upload`. */
  readonly name: string
  /** A TypeScript file without imports that exports the function `factory`. */
  readonly source: URL
  /** Called with `{ resources, request }`; see `ClientHelper` of the HTTP service. */
  readonly factory: string
  /** Types that become type arguments of the factory: name → JSON Schema. */
  readonly types?: Readonly<Record<string, Schema>>
}

export interface ClientInput {
  readonly document: ApiDocument
  readonly permissions: readonly string[]
  readonly roles: readonly string[]
  readonly topics: readonly TopicSchemas[]
  /** The component name of a schema of a topic or an event. */
  readonly nameOf?: (schema: Schema) => string | undefined
  readonly helpers: readonly HelperPart[]
}

export interface TypesInput extends Omit<ClientInput, 'topics' | 'helpers'> {
  /** Payload schemas of every event: type → schema. */
  readonly events: Readonly<Record<string, Schema>>
  /** TypeScript of modules. */
  readonly declarations?: readonly string[]
}

export function generateClient({ document, permissions, roles, topics, helpers, nameOf }: ClientInput): string {
  const realtime = topics.length > 0
  const runtime = runtimeSource({ collections: collectionsOf(document).length > 0, realtime })
  const sources = helpers.map(({ source }) => inlined(readFileSync(source, 'utf8')))
  const base = prepare(document, [runtime, ...sources].join('\n'))
  return finish([
    header(document, 'client'),
    `${createClient(base, helpers, realtime)}\n\nexport type LarderClient = ReturnType<typeof createClient>`,
    ...typeSections(base, permissions, roles),
    ...(base.common.size > 0 ? [names('CommonCode', 'Codes that every operation may return.', [...base.common])] : []),
    collectionTypes(document, base.collections, base.options),
    problemTypes(document, base.options),
    topicTypes(topics, { ...base.options, nameOf }),
    ...helpers.flatMap(({ types = {} }) =>
      Object.entries(types).map(([name, schema]) => declaration(name, schema, base.options)),
    ),
    runtime,
    ...sources,
  ])
}

/** Types without code: for modules of the product, and for clients with their own transport. */
export function generateTypes({ document, permissions, roles, events, declarations = [], nameOf }: TypesInput): string {
  const base = prepare(document, '')
  return finish([
    header(document, 'types'),
    ...typeSections(base, permissions, roles),
    pathTypes(clientOperations(document), base.options),
    eventTypes(events, { ...base.options, nameOf }),
    ...declarations,
  ])
}

interface Prepared {
  readonly document: ApiDocument
  readonly operations: readonly ClientOperation[]
  readonly collections: readonly ClientCollection[]
  readonly common: ReadonlySet<string>
  readonly options: ResourceOptions
}

function prepare(document: ApiDocument, source: string): Prepared {
  const collections = collectionsOf(document)
  const operations = clientOperations(document, path => !isCorePath(collections, path))
  const common = commonCodes(operations)
  const components = componentNames(document.components?.schemas ?? {}, reservedNames(source))
  return { document, operations, collections, common, options: { names: components, common } }
}

function typeSections(
  { document, options }: Prepared,
  permissions: readonly string[],
  roles: readonly string[],
): string[] {
  const inputs = inputComponents(document)
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([key, schema]) => {
    const pointer = `#/components/schemas/${key}`
    return declaration(options.names.get(pointer) ?? key, schema, { ...options, input: inputs.has(pointer) })
  })
  return [
    ...schemas.toSorted(),
    names('Permission', 'Permissions of the product.', permissions),
    names('Role', 'Roles of the product.', roles),
    webhookTypes(document, options),
  ]
}

/** The components that only request bodies use: their optional properties accept `undefined`. */
function inputComponents(document: ApiDocument): ReadonlySet<string> {
  const operations = Object.values(document.paths ?? {}).flatMap(item => Object.values(item)) as Schema[]
  const bodies = reachable(
    document,
    operations.map(({ requestBody }) => requestBody),
  )
  const replies = reachable(document, [operations.map(({ responses }) => responses), document.webhooks])
  return new Set([...bodies].filter(pointer => !replies.has(pointer)))
}

function reachable(document: ApiDocument, value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  const pointer = (value as Schema).$ref
  if (typeof pointer === 'string' && !found.has(pointer)) {
    found.add(pointer)
    reachable(document, resolve(document, value), found)
  }
  for (const inner of Object.values(value)) reachable(document, inner, found)
  return found
}

function createClient(
  { operations, collections, options }: Prepared,
  helpers: readonly HelperPart[],
  realtime: boolean,
): string {
  const tree: Tree = new Map()
  for (const { extension, path } of collections)
    place(
      tree,
      ['data', extension.name],
      `collectionClient<Collections, ${literal(extension.name)}>(send, ${literal(path)})`,
    )
  for (const operation of operations)
    for (const { names, text } of methodsOf(operation, options)) place(tree, names, text)
  const added: Tree = new Map([['...', 'resources']])
  for (const { name, factory, types = {} } of helpers) {
    const parameters = Object.keys(types).length > 0 ? `<${Object.keys(types).join(', ')}>` : ''
    const path = name.split('.')
    for (let depth = 1; depth < path.length; depth++) {
      const parent = path.slice(0, depth)
      if (!added.has(parent[0] as string)) place(added, parent, `resources.${parent.join('.')}`)
    }
    place(added, path, `${factory}${parameters}(context)`)
  }
  if (realtime) place(added, ['realtime'], 'createRealtime<Topics>(transport)')
  return [
    '/** A client for the product. */',
    'export function createClient(options: ClientOptions = {}) {',
    '  const transport = createTransport(options)',
    '  const { send } = transport',
    `  const resources = ${indent(printTree(tree)).trimStart()}`,
    ...(helpers.length > 0 ? ['  const context = { resources, request: transport.request }'] : []),
    `  return ${indent(printTree(added)).trimStart()}`,
    '}',
  ].join('\n')
}

const header = ({ info }: ApiDocument, kind: 'client' | 'types'): string =>
  [
    `// ${info?.title ?? 'API'}: ${kind === 'client' ? 'a typed client' : 'types'} of the recipe. Generated by \`larder ${kind}\`; do not edit.`,
    '/* eslint-disable */',
    '// biome-ignore-all lint: generated',
    '// biome-ignore-all format: generated',
  ].join('\n')

const finish = (sections: readonly string[]): string => `${sections.filter(Boolean).join('\n\n')}\n`
