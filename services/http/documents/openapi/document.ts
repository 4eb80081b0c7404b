/** Generates the OpenAPI 3.1 document of the mounted endpoints. Pure. */
import {
  type AccessCatalogue,
  type DocumentedProblem,
  type ProblemTable,
  type Product,
  pickText,
  schemaFor,
} from '@larder-dev/larder/kernel/internal'
import type { Endpoint, OpenApiPart } from '../../types.ts'
import { type Components, createComponents, type Json, sorted } from './components.ts'
import { createProblemResponses, PROBLEM_SCHEMA } from './failures.ts'
import { HEALTH_RESPONSES, HEALTH_SCHEMAS } from './health.ts'
import { pascalCase } from './names.ts'
import { operationFor, tagOf } from './operation.ts'
import { withPortablePatterns } from './portable-patterns.ts'

export interface OpenApiInput {
  readonly product: Product
  readonly version: string
  readonly access: AccessCatalogue
  readonly endpoints: readonly Endpoint[]
  readonly parts?: readonly OpenApiPart[]
  /** The problems of each module. */
  readonly problems?: readonly ProblemTable[]
}

export const openApiDocument = (input: OpenApiInput): Json => withPortablePatterns(createDocument(input))

function createDocument(input: OpenApiInput): Json {
  const { product, version, access, endpoints, parts = [] } = input
  const schemas: Json = { Problem: PROBLEM_SCHEMA, ...HEALTH_SCHEMAS }
  const responses: Json = {}
  const components = createComponents(schemas)
  const problems = createProblemResponses(components, responses, tableOf(input.problems))
  const titles = new Map(
    access.permissions().map(({ key, title }) => [key, pickText(title, 'en', product.locales.default)]),
  )
  const paths: Record<string, Json> = {}
  const shown = endpoints.filter(({ kind, path }) => kind === 'route' || kind === 'raw' || HEALTH_RESPONSES.has(path))
  for (const endpoint of shown) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}')
    const operation = operationFor(endpoint, { components, problems, titles })
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation }
  }
  const webhooks = webhooksOf(parts, components)
  return {
    openapi: '3.1.0',
    info: { title: `${product.name} API`, version, description: API_DESCRIPTION },
    servers: [{ url: product.publicUrl }],
    tags: [...new Set(shown.map(tagOf))].toSorted().map(name => ({ name })),
    paths,
    ...(parts.length > 0 && { webhooks }),
    components: {
      schemas: sorted(schemas),
      responses: { ...sorted(responses), HeadersTooLarge: HEADERS_TOO_LARGE },
      headers: { RequestId: { schema: text } },
      parameters: SHARED_PARAMETERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

const tableOf = (tables: readonly ProblemTable[] = []): ReadonlyMap<string, DocumentedProblem> =>
  new Map(tables.flatMap(table => Object.entries(table)))

/** Requests that the product sends. */
function webhooksOf(parts: readonly OpenApiPart[], components: Components): Json {
  const all = parts.flatMap(({ webhooks }) => Object.entries(webhooks))
  return Object.fromEntries(
    all.map(([name, { body, ...operation }]) => {
      const schema = schemaFor(components.reader(`the webhook ${name}`, false), body)
      const requestBody = { required: true, content: { 'application/json': { schema } } }
      // The product calls the receiver, with a signature instead of a credential of the API.
      return [name, { post: { operationId: `on${pascalCase(name)}`, security: [], ...operation, requestBody } }]
    }),
  )
}

const HEADERS_TOO_LARGE = { description: 'The request line and headers exceed 16 KiB. The response has no body.' }

const API_DESCRIPTION =
  'Errors are problem documents (RFC 9457); match on `code`. Lists return `{data, nextCursor}`. ' +
  'A POST with an `Idempotency-Key` takes effect once. Times are RFC 3339 in UTC.'

const text = { type: 'string' } as const
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Valid for 24 hours. Repeating a request with the same key and body returns the stored response.',
  schema: { ...text, pattern: '^[ -~]{1,255}$' },
}
const SHARED_PARAMETERS = {
  tenantId: {
    name: 'x-tenant-id',
    in: 'header',
    required: false,
    description:
      'ID or slug of the tenant. Required with the login cookie; keys and tokens default to their own tenant.',
    schema: text,
  },
  idempotencyKey: IDEMPOTENCY_KEY,
  requiredIdempotencyKey: { ...IDEMPOTENCY_KEY, required: true },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'ETag of an earlier response. Returns 412 if the resource has changed since.',
    schema: text,
  },
}

const SECURITY_SCHEMES = {
  cookie: { type: 'apiKey', in: 'cookie', name: 'platform_session', description: 'Set by signing in' },
  bearer: { type: 'http', scheme: 'bearer', description: 'A dashboard token or an API key' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key' },
}
