/** Problem documents in OpenAPI: one schema per code, one response per set of codes. */
import { common, type DocumentedProblem, guardOf, schemaFor, Type } from '@larder-dev/larder/kernel/internal'
import { isMutating } from '../../access/csrf.ts'
import { http } from '../../problems.ts'
import type { Endpoint } from '../../types.ts'
import type { Components, Json } from './components.ts'
import { pascalCase } from './names.ts'

const text = { type: 'string' } as const
export const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  properties: {
    type: { ...text, description: 'URL of the documentation of this code' },
    title: text,
    status: { type: 'integer' },
    detail: { ...text, description: 'A human-readable explanation' },
    instance: { ...text, description: 'Path of the request' },
    code: { ...text, description: 'Stable error code', examples: ['not_found'] },
    requestId: text,
  },
}

/** Problems that this route may return in addition to those it declares. */
export function commonProblems({ allow, apiKeys, method, path, route, docs }: Endpoint): readonly DocumentedProblem[] {
  const { open, permissions, user, ignoresRefused } = guardOf(allow)
  const closed = open.length === 0
  const writes = isMutating(method)
  const replay = replayOf({ method, route, docs })
  return [
    common.malformed,
    // With a public word beside a permission, the handler decides who may do what.
    ...(closed || permissions.length > 0 ? [common.unauthenticated] : []),
    ...(closed ? [common.not_a_member] : []),
    ...(closed || permissions.length > 0 ? [common.tenant_suspended, common.customer_suspended] : []),
    ...(permissions.length > 0 ? [common.tenant_required, common.forbidden] : []),
    ...(route?.verifiedEmail ? [common.email_not_verified] : []),
    ...(route?.recentAuth === undefined ? [] : [common.reauthentication_required]),
    ...(!ignoresRefused && !apiKeys ? [http.api_key_refused] : []),
    ...((closed && user && writes) || route?.impersonation === false ? [common.impersonated] : []),
    ...(!ignoresRefused && writes ? [common.cross_site] : []),
    ...(path.includes(':') ? [common.not_found] : []),
    ...(isPaged(route?.query ?? docs?.query) ? [common.invalid_cursor] : []),
    ...(route?.body || docs?.body ? [common.unsupported_media_type, common.body_too_large, http.body_too_slow] : []),
    ...(replay === 'required' ? [common.idempotency_key_required] : []),
    ...(replay !== 'never' ? [common.idempotency_mismatch] : []),
    // The handler of a raw route finds the repetition itself.
    ...(replay !== 'never' && route ? [common.idempotency_in_progress, http.replay_unreadable] : []),
    common.validation_failed,
    common.rate_limited,
    common.internal,
    common.database_unavailable,
    common.database_full,
    common.tenant_busy,
    common.read_too_slow,
    common.unavailable,
  ]
}

/** Whether an operation accepts an `Idempotency-Key`. */
export function replayOf({ method, route, docs }: Pick<Endpoint, 'method' | 'route' | 'docs'>) {
  if (method !== 'POST') return 'never'
  const { idempotent = true } = route ?? { idempotent: docs?.idempotent === true }
  if (idempotent === 'required') return idempotent
  return idempotent ? 'optional' : 'never'
}

/** The codes that an endpoint documents. */
export const declaredCodes = (endpoint: Endpoint): ReadonlySet<string> =>
  new Set(
    [...commonProblems(endpoint), ...ownProblems(endpoint)].map(problem =>
      typeof problem === 'string' ? problem : problem.code,
    ),
  )

/** A string is a code of another module. */
const ownProblems = ({ route, docs }: Endpoint): readonly (DocumentedProblem | string)[] => [
  ...(route?.problems ?? []),
  ...(docs?.problems ?? []),
]

const isPaged = (query: object = {}): boolean => 'cursor' in ((query as MembersSchema).properties ?? {})

export interface ProblemResponses {
  /** Status → response. */
  of(endpoint: Endpoint): Record<string, ProblemResponse>
  /** Status → reference to a response in `components.responses`. */
  refsOf(endpoint: Endpoint): Json
}
interface ProblemResponse {
  readonly description: string
  readonly content: Json
}

/** `table` has the problems of all modules, which routes of other modules name by their code. */
export function createProblemResponses(
  components: Components,
  responses: Json,
  table: ReadonlyMap<string, DocumentedProblem>,
): ProblemResponses {
  const rows = new Map<string, DocumentedProblem>()

  function refTo(problem: DocumentedProblem): Json {
    const { code, status, sentence, members } = problem
    const name = `${pascalCase(code)}Problem`
    const known = rows.get(code)
    rows.set(code, problem)
    if (known === undefined) {
      const own = schemaFor(components.reader(`the problem ${code}`, false), Type.Object(members)) as MembersSchema
      components.schemas[name] = {
        description: sentence,
        allOf: [
          { $ref: '#/components/schemas/Problem' },
          {
            type: 'object',
            required: ['code', 'status', ...(own.required ?? [])],
            // `const` would say the same, but generators of clients merge only an enum with the type of the base.
            properties: {
              code: { type: 'string', enum: [code] },
              status: { type: 'integer', enum: [status] },
              ...own.properties,
            },
          },
        ],
      }
    } else if (known.status !== status || JSON.stringify(known.members) !== JSON.stringify(members))
      throw new Error(`Two different problems have the code '${code}'`)
    return { $ref: `#/components/schemas/${name}` }
  }

  function responseOf(problems: readonly DocumentedProblem[]): ProblemResponse {
    const refs = problems.map(refTo)
    const schema = refs.length === 1 ? refs[0] : { anyOf: refs }
    const lines = problems.map(({ code, sentence }) => `\`${code}\`: ${sentence}`)
    return { description: lines.join('\n\n'), content: { 'application/problem+json': { schema } } }
  }

  const map = <T>(endpoint: Endpoint, make: (problems: readonly DocumentedProblem[]) => T): Record<string, T> =>
    Object.fromEntries([...byStatus(endpoint, table)].map(([status, problems]) => [status, make(problems)]))

  return {
    of: endpoint => map(endpoint, responseOf),
    refsOf: endpoint =>
      map(endpoint, problems => {
        const name = problems.map(({ code }) => pascalCase(code)).join('Or')
        responses[name] ??= responseOf(problems)
        return { $ref: `#/components/responses/${name}` }
      }),
  }
}
interface MembersSchema {
  readonly properties?: Json
  readonly required?: readonly string[]
}

/** The problems of an operation without repetition, in the order of their codes. */
function byStatus(endpoint: Endpoint, table: ReadonlyMap<string, DocumentedProblem>): Map<number, DocumentedProblem[]> {
  const known = ownProblems(endpoint).map(problem => (typeof problem === 'string' ? table.get(problem) : problem))
  const all = [...commonProblems(endpoint), ...known.filter(problem => problem !== undefined)]
  const unique = [...new Map(all.map(problem => [problem.code, problem])).values()]
  const sorted = unique.toSorted((a, b) => (a.code < b.code ? -1 : 1))
  const groups = new Map<number, DocumentedProblem[]>()
  for (const problem of sorted) groups.set(problem.status, [...(groups.get(problem.status) ?? []), problem])
  return groups
}
