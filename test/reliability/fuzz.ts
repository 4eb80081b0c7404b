/** Asks every mounted operation what its OpenAPI document allows and forbids; a soak asks more often. */
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { pino } from 'pino'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { startTestKernel, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { colleague, newEmail, operator } from '../modules/identity/fixtures.ts'
import { asOwner, atOnce, createRandom, type Random } from './fixtures.ts'
import { createAsker, type Question, type Who } from './request-generator.ts'
import { createRecall, type Recall } from './value-pool.ts'

export interface FuzzResult {
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Operations that were answered 2xx at least once. */
  readonly reached: readonly string[]
  readonly operations: number
  /** What must not be: the question and what is wrong with its answer. */
  readonly wrong: readonly string[]
  /** Errors in the log, and what listeners and jobs failed at. */
  readonly failures: readonly string[]
}

interface Operation {
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema?: object }> }>>
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> }
}

const FULL = fileURLToPath(new URL('recipes/full.yaml', packageRoot))
const WIDTH = 8
/** Questions after which new people take the place of those who deleted themselves. */
const LIFE = 250

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  /** The full one unless given. */
  readonly recipe?: string
}

export async function fuzz({ requests, seed, recipe = FULL }: FuzzOptions): Promise<FuzzResult> {
  const errors: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) })
  const kernel = await startTestKernel({ recipe, log })
  try {
    const document = kernel.kernel.ports.http.openapi() as unknown as Document
    const random = createRandom(seed)
    const recall = createRecall()
    for (const field of ['password', 'currentPassword']) recall.know(field, TEST_PASSWORD)
    const asker = createAsker(document, random, recall)
    const tally = createTally(document)
    for (let done = 0; done < requests; done += LIFE) {
      const people = await cast(kernel, random, recall)
      await atOnce(Math.min(LIFE, requests - done), WIDTH, async () => {
        const question = asker.next(people)
        const answer = await ask(kernel.url, question)
        if (answer.status < 300) recall.learn(answer.body, question.target.split('?')[0] as string)
        tally.note(question, answer)
      })
    }
    return { operations: asker.operations, ...tally.result(), failures: [...errors, ...(await failed(kernel))] }
  } finally {
    await kernel.stop()
  }
}

function createTally(document: Document) {
  const check = createAnswerCheck(document)
  const statuses: Record<string, number> = {}
  const reached = new Set<string>()
  // Each fault once, with the first question that met it.
  const wrong = new Map<string, string>()
  return {
    note(question: Question, answer: Answer): void {
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      if (answer.status < 300) reached.add(question.operation)
      const fault = check(question, answer)
      if (fault && !wrong.has(fault))
        wrong.set(fault, `${fault}\n  ${show(question)}\n  ${answer.status} ${answer.text.slice(0, 400)}`)
    },
    result: () => ({ statuses, reached: [...reached], wrong: [...wrong.values()] }),
  }
}

/** Everybody who may call: who holds much, little, nothing, and who only says so. */
async function cast(kernel: TestKernel, random: Random, recall: Recall): Promise<Who[]> {
  const owner = await kernel.register(newEmail('owner'), random.chance(0.5) ? { name: 'Ada' } : {})
  const [member, stranger, admin] = await Promise.all([
    colleague(kernel, owner, ['tenant.member']),
    kernel.register(newEmail('stranger')),
    operator(kernel),
  ])
  for (const { email } of [owner, stranger]) recall.know('email', email)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const tenant = { 'x-tenant-id': owner.tenantId }
  const browser = { 'sec-fetch-site': 'same-origin', cookie: owner.cookie }
  return [
    { name: 'owner', share: 14, headers: bearer(owner.token) },
    { name: 'owner by cookie', share: 4, headers: { ...browser, ...tenant } },
    { name: 'owner by cookie without tenant', share: 1, headers: browser },
    { name: 'API key', share: 2, headers: { 'x-api-key': owner.apiKey } },
    { name: 'member', share: 2, headers: { ...bearer(member.person.token), ...tenant } },
    { name: 'stranger in a foreign tenant', share: 1, headers: { ...bearer(stranger.token), ...tenant } },
    { name: 'operator', share: 4, headers: { ...bearer(admin.token), 'x-tenant-id': admin.operatorId } },
    { name: 'operator in a foreign tenant', share: 1, headers: { ...bearer(admin.token), ...tenant } },
    { name: 'forger', share: 1, headers: bearer(`dt_${'x'.repeat(43)}`) },
    { name: 'nobody', share: 2, headers: {} },
  ]
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly body: unknown
}

async function ask(url: string, { method, target, headers, body }: Question): Promise<Answer> {
  const init = { method, headers, redirect: 'manual' as const, ...(body !== undefined && { body }) }
  const response = await fetch(`${url}${target}`, init)
  const text = await response.text()
  const type = (response.headers.get('content-type') ?? '').split(';')[0] as string
  return { status: response.status, type, text, body: /json/.test(type) ? JSON.parse(text) : undefined }
}

function createAnswerCheck(document: Document): (question: Question, answer: Answer) => string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'https://larder.test/', components: document.components })
  const known = new Map<object, ValidateFunction>()
  const compiled = (schema: object): ValidateFunction => {
    const made = known.get(schema) ?? ajv.compile(absolute(schema))
    known.set(schema, made)
    return made
  }
  return ({ operation, routed, path, method }, { status, type, text, body }) => {
    if (status >= 500) return `${operation}: ${status}`
    if (!routed) return undefined
    const { responses = {} } = document.paths[path]?.[method.toLowerCase()] ?? {}
    const declared = responses[status] ?? responses.default
    if (!declared) return `${operation}: ${status} is not declared`
    const content = resolved(document, declared).content ?? {}
    if (content['*/*']) return undefined
    if (Object.keys(content).length === 0) return text === '' ? undefined : `${operation}: ${status} has a body`
    const declaredAs = content[type]
    if (!declaredAs) return `${operation}: ${status} as ${type || 'nothing'} is not declared`
    // A script, a file: its type is all that is said of it.
    const { schema } = declaredAs
    if (!schema) return /json/.test(type) ? `${operation}: ${status} has no schema` : undefined
    const fits = compiled(schema)
    return fits(body) ? undefined : `${operation}: off its schema: ${ajv.errorsText(fits.errors)}`
  }
}

const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"https://larder.test/#/'))

function resolved(document: Document, response: Operation['responses'][string]): Operation['responses'][string] {
  const ref = (response as { $ref?: string }).$ref
  if (ref === undefined) return response
  const parts = ref.split('/').slice(1)
  return parts.reduce((node: unknown, part) => (node as Record<string, unknown>)[part], document) as never
}

const show = ({ who, method, target, headers, body }: Question): string => {
  const { authorization, cookie, 'x-api-key': key, ...rest } = headers
  return `${who}: ${method} ${target.slice(0, 300)} ${JSON.stringify(rest)} ${String(body ?? '').slice(0, 600)}`
}

/** What listeners and jobs could not do with what was let in; that nothing stands at the media edge's address is no fault. */
async function failed({ databaseUrl }: TestKernel): Promise<string[]> {
  const owner = asOwner(databaseUrl)
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
