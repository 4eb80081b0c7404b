/** The usual routes of a table: list, get, create, update and delete. */
import { isDeepStrictEqual } from 'node:util'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import {
  common,
  type DocumentedProblem,
  etag,
  listOf,
  listQuery,
  nameOf,
  newId,
  type Problem,
  requireMatch,
} from '../base/index.ts'
import {
  type AnyRoute,
  type Caller,
  type Deps,
  type Route,
  type RouteInput,
  reply,
  route,
  type Unit,
} from '../contract/index.ts'
import type { Given, Table, TablePageQuery } from './table.ts'
import { isUniqueViolation } from './unique-violation.ts'

/** The fields of `route` that don't follow from the table. `allow` is a permission. */
type Described<P extends string> = Omit<
  Route<P, string, TSchema, TSchema, never>,
  'method' | 'path' | 'operationId' | 'query' | 'filters' | 'body' | 'replies' | 'unit' | 'handle'
>

/** A write, which runs in one unit of work. */
interface Write {
  readonly unit: Unit
  readonly tenantId: string
  readonly caller: Caller
  readonly now: Date
}
interface Creation<Body> extends Write {
  readonly id: string
  readonly body: Body
}
interface Change<Row, Body> extends Write {
  /** The record, locked until the unit ends. */
  readonly before: Row
  readonly body: Body
}

export interface TableRoutes<
  Row,
  Columns,
  New,
  P extends string,
  Query extends TProperties,
  Body extends TSchema,
  Patch extends TSchema,
  Filters extends TProperties = {},
> {
  /** Without the prefix `/v1`. */
  readonly path: `/${string}`
  /** The name of the records in the `operationId` of the list, such as `Replies`; by default that of the record and an s. */
  readonly plural?: string
  /** Name of a unique index → the problem that a violation returns. */
  readonly conflicts?: Readonly<Record<string, DocumentedProblem & (() => Problem)>>
  readonly list?: Described<P> & {
    /** Parameters besides `limit`, `cursor` and the filters. */
    readonly query?: Query
    /** Parameters `filter[<name>]`, by the names of columns unless `page` returns `where`. */
    readonly filters?: Filters
    readonly page?: (
      query: Static<TObject<Query>>,
      filters: { readonly [Name in keyof Filters]?: Static<Filters[Name]> },
    ) => Omit<TablePageQuery<Row, Columns>, 'limit' | 'cursor'>
  }
  readonly get?: Described<P>
  readonly create?: Described<P> & {
    /** The prefix of ids. */
    readonly prefix: string
    readonly body: Body
    /** The new record without its id. May write in the unit, and refuse by a problem. */
    readonly values: (write: Creation<Static<Body>>) => Omit<New, 'id'> | Promise<Omit<New, 'id'>>
  }
  readonly update?: Described<P> & {
    readonly body: Patch
    /** Values to change, by default those of the body. Called only if the body differs from the record. */
    readonly values?: (write: Change<Row, Static<Patch>>) => Partial<Given<Columns>> | Promise<Partial<Given<Columns>>>
  }
  readonly delete?: Described<P>
}

/**
 * The routes of a table that `spec` describes. If the table has a revision, replies have an `ETag`, and changes and
 * deletions support `If-Match`.
 */
export function tableRoutes<
  Row extends object,
  Columns,
  New extends object,
  const P extends string,
  Query extends TProperties = {},
  Body extends TSchema = TSchema,
  Patch extends TSchema = TSchema,
  Filters extends TProperties = {},
>(
  table: Table<Row, Columns, New>,
  { database, clock }: Deps<'database' | 'clock'>,
  spec: TableRoutes<Row, Columns, New, P, Query, Body, Patch, Filters>,
): AnyRoute<P>[] {
  const { path, conflicts = {} } = spec
  const { schema, revision } = table
  const name = nameOf(schema) ?? ''
  const pathOfOne = `${path}/:id`
  const stale = revision === undefined ? [] : [common.precondition_failed]
  const taken = Object.values(conflicts)
  const routes: AnyRoute<P>[] = []

  const idOf = ({ params }: Input) => ({ id: params.id }) as never
  const tagOf = (row: Row) => etag(row[revision as keyof Row] as number)
  const replyWith = (status: number, row: Row, headers: Readonly<Record<string, string>> = {}) =>
    reply(status, row, revision === undefined ? headers : { etag: tagOf(row), ...headers })
  const rethrow = (error: unknown): never => {
    const index = Object.keys(conflicts).find(index => isUniqueViolation(error, index))
    throw (index !== undefined && conflicts[index]?.()) || error
  }
  async function lock(unit: Unit, input: Input): Promise<Row> {
    const row = await table.get(unit, idOf(input), { lock: true })
    if (revision !== undefined) requireMatch(input.request.headers, tagOf(row))
    return row
  }
  /** Runs a write in a unit. */
  const write =
    <Result>(run: (input: Input, write: Write) => Promise<Result>) =>
    (input: Input): Promise<Result> => {
      const { tenantId, caller } = input
      const now = new Date(clock.now())
      return database.tenant(tenantId).transaction(unit => run(input, { unit, tenantId, caller, now }))
    }

  if (spec.list) {
    const { query, filters = {}, page, ...described } = spec.list
    const list = {
      ...described,
      method: 'get' as const,
      path,
      operationId: `list${spec.plural ?? `${name}s`}`,
      query: listQuery(query),
      filters,
      replies: { 200: listOf(schema) },
      handle: ({ tenantId, query: { limit, cursor, ...given }, filters: where }: Input) =>
        table.page(database.tenant(tenantId), {
          limit,
          cursor,
          where: where as never,
          ...page?.(given as never, where as never),
        }),
    }
    routes.push(route(list as never) as AnyRoute<P>)
  }
  if (spec.create) {
    const { prefix, body, values, problems = [], ...described } = spec.create
    routes.push({
      ...described,
      method: 'post',
      path,
      operationId: `create${name}`,
      body,
      replies: { 201: schema },
      problems: [...problems, ...taken],
      handle: write(async (input, given) => {
        const id = newId(prefix, clock.now())
        const complete = { ...(await values({ ...given, id, body: input.body as never })), id } as unknown as New
        const row = await table.insert(given.unit, complete).catch(rethrow)
        return replyWith(201, row, { location: `/v1${path}/${id}` })
      }),
    })
  }
  if (spec.get)
    routes.push({
      ...spec.get,
      method: 'get',
      path: pathOfOne,
      operationId: `get${name}`,
      replies: { 200: schema },
      handle: async (input: Input) => replyWith(200, await table.get(database.tenant(input.tenantId), idOf(input))),
    })
  if (spec.update) {
    const { body, values, problems = [], ...described } = spec.update
    routes.push({
      ...described,
      method: 'patch',
      path: pathOfOne,
      operationId: `update${name}`,
      body,
      replies: { 200: schema },
      problems: [...problems, ...taken, ...stale],
      handle: write(async (input, given) => {
        const before = await lock(given.unit, input)
        const patch = input.body as never
        if (!differs(patch, before)) return replyWith(200, before)
        const changes = (await values?.({ ...given, before, body: patch })) ?? patch
        return replyWith(200, await table.update(given.unit, idOf(input), changes).catch(rethrow))
      }),
    })
  }
  if (spec.delete) {
    const { problems = [], ...described } = spec.delete
    routes.push({
      ...described,
      method: 'delete',
      path: pathOfOne,
      operationId: `delete${name}`,
      replies: { 204: null },
      problems: [...problems, ...stale],
      handle: write(async (input, { unit }) => {
        if (revision !== undefined) await lock(unit, input)
        await table.delete(unit, idOf(input))
      }),
    })
  }
  return routes
}

/** What every handler receives. */
type Input = RouteInput<'/:id', 'permission', { readonly limit?: number; readonly cursor?: string }, unknown>

const differs = (patch: object, record: object): boolean =>
  Object.entries(patch).some(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, Reflect.get(record, name)),
  )
