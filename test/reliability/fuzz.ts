/** Sends valid and invalid requests to every mounted operation and checks the responses against the OpenAPI document. */
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { pino } from 'pino'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { colleague, newEmail, operator } from '../modules/identity/fixtures.ts'
import { connectAsOwner, createRandom, type Random, runConcurrently } from './fixtures.ts'
import { type Caller, createRequestGenerator, type GeneratedRequest } from './request-generator.ts'
import { createValuePool, type ValuePool } from './value-pool.ts'

export interface FuzzResult {
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Operations with at least one 2xx response. */
  readonly reached: readonly string[]
  readonly operations: number
  /** Responses that the document does not allow, with their requests. */
  readonly violations: readonly string[]
  /** Logged errors, and errors of listeners and jobs. */
  readonly errors: readonly string[]
}

interface Operation {
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema?: object }> }>>
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> }
}

const FULL = fileURLToPath(new URL('recipes/full.yaml', packageRoot))
const CONCURRENCY = 8
/** Each round has new callers. It ends early if the credential of one has ended, by a logout or a deletion. */
const REQUESTS_PER_ROUND = 250
const WITHOUT_CREDENTIAL = ['anonymous', 'forged token']

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  /** The full recipe by default. */
  readonly recipe?: string
}

export async function fuzz({ requests, seed, recipe = FULL }: FuzzOptions): Promise<FuzzResult> {
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const kernel = await startTestKernel({ recipe, log })
  try {
    const document = kernel.kernel.ports.http.openapi() as unknown as Document
    const random = createRandom(seed)
    const pool = createValuePool()
    for (const field of ['password', 'currentPassword']) pool.add(field, TEST_PASSWORD)
    const generator = createRequestGenerator(document, random, pool)
    const tally = createTally(document)
    for (let sent = 0; sent < requests; ) {
      const callers = await createCallers(kernel, random, pool)
      const end = Math.min(sent + REQUESTS_PER_ROUND, requests)
      let hasEnded = false
      await runConcurrently(end - sent, CONCURRENCY, async () => {
        if (hasEnded) return
        sent++
        const request = generator.next(callers)
        const response = await send(kernel.url, request)
        if (response.status < 300) pool.collect(response.body, request.target.split('?')[0] as string)
        hasEnded ||= !WITHOUT_CREDENTIAL.includes(request.caller) && isUnauthenticated(response)
        tally.add(request, response)
      })
    }
    return {
      operations: generator.operations,
      ...tally.result(),
      errors: [...errors, ...(await backgroundErrors(kernel))],
    }
  } finally {
    await kernel.stop()
  }
}

function createTally(document: Document) {
  const check = createResponseCheck(document)
  const statuses: Record<string, number> = {}
  const reached = new Set<string>()
  // Each violation once, with the first request that caused it.
  const violations = new Map<string, string>()
  return {
    add(request: GeneratedRequest, response: ReceivedResponse): void {
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
      if (response.status < 300) reached.add(request.operation)
      const violation = check(request, response)
      if (violation && !violations.has(violation))
        violations.set(
          violation,
          `${violation}\n  ${format(request)}\n  ${response.status} ${response.text.slice(0, 400)}`,
        )
    },
    result: () => ({ statuses, reached: [...reached], violations: [...violations.values()] }),
  }
}

/** Callers with all, few or no permissions, and with a forged token. */
async function createCallers(kernel: TestKernel, random: Random, pool: ValuePool): Promise<Caller[]> {
  const owner = await kernel.register(newEmail('owner'), random.chance(0.5) ? { name: 'Ada' } : {})
  const [member, outsider, admin] = await Promise.all([
    colleague(kernel, owner, ['tenant.member']),
    kernel.register(newEmail('outsider')),
    operator(kernel),
  ])
  for (const { email } of [owner, outsider]) pool.add('email', email)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const tenant = { 'x-tenant-id': owner.tenantId }
  const browser = { 'sec-fetch-site': 'same-origin', cookie: owner.cookie }
  return [
    { name: 'owner', weight: 14, headers: bearer(owner.token) },
    { name: 'owner by cookie', weight: 4, headers: { ...browser, ...tenant } },
    { name: 'owner by cookie without tenant', weight: 1, headers: browser },
    { name: 'API key', weight: 2, headers: { 'x-api-key': owner.apiKey } },
    { name: 'member', weight: 2, headers: { ...bearer(member.person.token), ...tenant } },
    { name: 'user in a tenant of others', weight: 1, headers: { ...bearer(outsider.token), ...tenant } },
    { name: 'operator', weight: 4, headers: { ...bearer(admin.token), 'x-tenant-id': admin.operatorId } },
    { name: "operator in a user's tenant", weight: 1, headers: { ...bearer(admin.token), ...tenant } },
    { name: 'forged token', weight: 1, headers: bearer(`dt_${'x'.repeat(43)}`) },
    { name: 'anonymous', weight: 2, headers: {} },
  ]
}

interface ReceivedResponse {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly body: unknown
}

async function send(url: string, { method, target, headers, body }: GeneratedRequest): Promise<ReceivedResponse> {
  const init = { method, headers, redirect: 'manual' as const, ...(body !== undefined && { body }) }
  const response = await fetch(`${url}${target}`, init)
  const text = await response.text()
  const type = (response.headers.get('content-type') ?? '').split(';')[0] as string
  return { status: response.status, type, text, body: /json/.test(type) ? JSON.parse(text) : undefined }
}

const isUnauthenticated = ({ body }: ReceivedResponse): boolean =>
  (body as { code?: unknown } | null | undefined)?.code === 'unauthenticated'

function createResponseCheck(
  document: Document,
): (request: GeneratedRequest, response: ReceivedResponse) => string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'https://larder.test/', components: document.components })
  const validators = new Map<object, ValidateFunction>()
  const compiled = (schema: object): ValidateFunction => {
    const validate = validators.get(schema) ?? ajv.compile(absoluteRefs(schema))
    validators.set(schema, validate)
    return validate
  }
  return ({ operation, routed, path, method, target }, { status, type, text, body }) => {
    if (status >= 500) return `${operation}: ${status}`
    if (!routed) return undefined
    const { responses = {} } = document.paths[path]?.[method.toLowerCase()] ?? {}
    const declared = responses[status] ?? responses.default
    if (!declared) return `${operation}: ${status} is not declared`
    const content = resolveRef(document, declared).content ?? {}
    if (content['*/*']) return undefined
    if (Object.keys(content).length === 0) return text === '' ? undefined : `${operation}: ${status} has a body`
    const declaredAs = content[type]
    if (!declaredAs) return `${operation}: ${status} as ${type || 'nothing'} is not declared`
    // Scripts and files have a media type only.
    const { schema } = declaredAs
    if (!schema) return /json/.test(type) ? `${operation}: ${status} has no schema` : undefined
    const validate = compiled(schema)
    if (validate(body)) return undefined
    const { searchParams } = new URL(target, 'http://localhost')
    // The document can't say that a parameter leaves properties out.
    const errors = validate.errors?.filter(({ keyword }) => keyword !== 'required' || !searchParams.has('fields'))
    return errors?.length === 0 ? undefined : `${operation}: does not match its schema: ${ajv.errorsText(errors)}`
  }
}

const absoluteRefs = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"https://larder.test/#/'))

function resolveRef(document: Document, response: Operation['responses'][string]): Operation['responses'][string] {
  const ref = (response as { $ref?: string }).$ref
  if (ref === undefined) return response
  const parts = ref.split('/').slice(1)
  return parts.reduce((node: unknown, part) => (node as Record<string, unknown>)[part], document) as never
}

const format = ({ caller, method, target, headers, body }: GeneratedRequest): string => {
  const { authorization, cookie, 'x-api-key': key, ...rest } = headers
  return `${caller}: ${method} ${target.slice(0, 300)} ${JSON.stringify(rest)} ${String(body ?? '').slice(0, 600)}`
}

/** Errors of listeners and jobs. No media edge is running, so its failed requests are expected. */
async function backgroundErrors({ databaseUrl }: TestKernel): Promise<string[]> {
  const owner = connectAsOwner(databaseUrl)
  try {
    const rows = await owner.query<{ line: string }>(
      `select distinct handler || ': ' || last_error as line from larder_deliveries where last_error is not null
       union select distinct name || ': ' || last_error from larder_jobs where last_error <> 'fetch failed'`,
    )
    return rows.map(({ line }) => line)
  } finally {
    await owner.end()
  }
}
