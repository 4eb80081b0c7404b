/** Reads and validates the path, the query and the body of API requests. */
import {
  type AnyRoute,
  checkText,
  guardOf,
  invalidField,
  isExactNumber,
  parseJson,
  type Validator,
  wording,
} from '@larder-dev/larder/kernel/internal'
import { tracePhase, tracePhaseSync } from '../phases.ts'
import type { RequestContext } from '../request-context.ts'
import { formFields, isForm, MAX_BODY_BYTES, MAX_PUBLIC_BODY_BYTES, readFormBytes, readJsonBody } from './body.ts'
import { parseQuery } from './query.ts'

export type Params = Readonly<Record<string, string>>
export interface ParsedRequest {
  readonly query: unknown
  readonly body: unknown
}
/** Validates path, query and body against the schemas of the route. Returns at once if the route has no body. */
export function createReader(
  route: AnyRoute,
  validator: Validator,
): (ctx: RequestContext, params: Params) => ParsedRequest | Promise<ParsedRequest> {
  const checkQuery = validator.query(route.query ?? ({ type: 'object', properties: {} } as never))
  const checkBody = route.body && validator.body(route.body)
  const takesQuery = route.query !== undefined
  const isPublic = guardOf(route.allow).open.length > 0
  const limit = route.bodyLimit ?? (isPublic ? MAX_PUBLIC_BODY_BYTES : MAX_BODY_BYTES)
  function readQuery(ctx: RequestContext): unknown {
    if (!takesQuery && ctx.search === '') return undefined
    const given = tracePhaseSync('parse', ctx, () => ({ ...parseQuery(ctx.search) }))
    return tracePhaseSync('validate', ctx, () => {
      const query = checkQuery(given)
      checkText(given, 'query')
      checkNumbers(ctx.search, query)
      return takesQuery ? query : undefined
    })
  }
  function readBody(ctx: RequestContext, query: unknown, check: (given: unknown) => unknown): Promise<ParsedRequest> {
    const parse = () =>
      route.forms === true && isForm(ctx.req)
        ? readFormBytes(ctx.req, limit).then(givenFields)
        : readJsonBody(ctx.req, limit).then(bytes => (bytes.length === 0 ? undefined : parseJson(bytes)))
    return tracePhase<unknown>('parse', ctx, parse).then(given => ({
      query,
      body: tracePhaseSync('validate', ctx, () => check(given)),
    }))
  }
  return (ctx, params) => {
    checkText(params, 'params')
    const query = readQuery(ctx)
    return checkBody ? readBody(ctx, query, checkBody) : { query, body: undefined }
  }
}

/** A number of the query that was rounded is refused, as in a body. */
function checkNumbers(search: string, query: unknown): void {
  const texts = search.length > 15 ? parseQuery(search) : {}
  for (const [name, value] of Object.entries(query as Record<string, unknown>))
    if (typeof value === 'number' && texts[name] !== undefined && !isExactNumber(String(texts[name])))
      throw invalidField(`query/${name}`, 'not_allowed', wording('has more digits than a number keeps'))
}

function givenFields(bytes: Buffer): Record<string, string> {
  const fields = Object.fromEntries(Object.entries(formFields(bytes)).filter(([, value]) => value !== ''))
  checkText(fields, 'body')
  return fields
}
