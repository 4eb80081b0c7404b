import { Call } from './call.ts'
import type { IdempotentOptions, RequestOptions, VersionedOptions } from './options.ts'
import { everyItem } from './pages.ts'
import type { Send, SendRequest } from './transport.ts'
import { type SubmitOptions, submitRow } from './visitors.ts'

/** Collections of the recipe: name → types. */
export interface Collections {}

/** A reference to one row or to many rows of another collection. */
export interface Reference<To extends string, Many extends boolean> {
  readonly to: To
  readonly many: Many
}

/** @internal */
export interface CollectionTypes {
  readonly row: object
  /** The reply to `create`. People who may not create rows otherwise get the ID alone. */
  readonly create: object
  readonly update: object
  /** Field → type of `filter[field]`. */
  readonly filter: object
  readonly sort: string
  readonly references: object
  /** Whether people who are not signed in may create rows. */
  readonly visitors?: true
  /** Codes of the errors of each operation. */
  readonly errors: Readonly<Record<'list' | 'get' | 'create' | 'upsert' | 'update' | 'delete', string>>
}
/** @internal */
export type AnyCollections<All> = { readonly [Name in keyof All]: CollectionTypes }

/** Operators on a value: `{ gte: 10, lt: 20 }`. A plain value means `eq`. */
export type FieldFilter<Value, Operator extends string> =
  | Value
  | {
      readonly [Key in Operator]?:
        | (Key extends 'in' | 'notIn' ? readonly Value[] : Key extends 'exists' ? boolean : Value)
        | undefined
    }

/** @internal */
export type ReferencesOf<All, Name extends keyof All> = All[Name] extends { readonly references: infer Fields }
  ? Fields
  : never
/** @internal */
export type TargetOf<All, Name extends keyof All, Field> = Field extends keyof ReferencesOf<All, Name>
  ? ReferencesOf<All, Name>[Field] extends Reference<infer To extends keyof All & string, boolean>
    ? To
    : never
  : never

/** Filters of the collection, and `reference.field` over up to three references. All of them must match. */
export type CollectionFilter<All extends AnyCollections<All>, Name extends keyof All & string> = All[Name]['filter'] & {
  readonly [Key in ReferencedField<All, Name>]?: FilterOf<All, Name, Key>
} & {
  /** Groups of which one must match. */
  readonly or?: readonly CollectionFilter<All, Name>[]
  /** Leaves out rows that match all of it. */
  readonly not?: CollectionFilter<All, Name>
}

/** @internal */
export type ReferencedField<
  All extends AnyCollections<All>,
  Name extends keyof All,
  Depth extends readonly 0[] = [0, 0, 0],
> = Depth extends readonly [0, ...infer Rest extends readonly 0[]]
  ? {
      [Field in keyof ReferencesOf<All, Name> & string]: `${Field}.${
        | (keyof All[TargetOf<All, Name, Field> & keyof All]['filter'] & string)
        | ReferencedField<All, TargetOf<All, Name, Field>, Rest>}`
    }[keyof ReferencesOf<All, Name> & string]
  : never
/** @internal */
export type FilterOf<
  All extends AnyCollections<All>,
  Name extends keyof All,
  Key,
> = Key extends keyof All[Name]['filter']
  ? All[Name]['filter'][Key]
  : Key extends `${infer Field}.${infer Inner}`
    ? FilterOf<All, TargetOf<All, Name, Field>, Inner>
    : never

/** The values that `expand` accepts: references, and references of referenced rows, three levels deep. */
export type ExpandPath<All, Name extends keyof All, Depth extends readonly 0[] = [0, 0, 0]> = Depth extends readonly [
  0,
  ...infer Rest extends readonly 0[],
]
  ? {
      [Field in keyof ReferencesOf<All, Name> & string]:
        | Field
        | `${Field}.${ExpandPath<All, TargetOf<All, Name, Field>, Rest>}`
    }[keyof ReferencesOf<All, Name> & string]
  : never

/** @internal */
export type Head<Path extends string> = Path extends `${infer First}.${string}` ? First : Path
/** @internal */
export type Tail<Path extends string, Field extends string> = Path extends `${Field}.${infer Rest}` ? Rest : never

/** A row in which expanded references are rows; the others are ids. */
export type ExpandedRow<All extends AnyCollections<All>, Name extends keyof All & string, Path extends string> = [
  Path,
] extends [never]
  ? All[Name]['row']
  : {
      [Field in keyof All[Name]['row']]: Field extends Head<Path> & string
        ? ExpandedValue<All, Name, Field, All[Name]['row'][Field], Tail<Path, Field>>
        : All[Name]['row'][Field]
    }
/** @internal */
export type ExpandedValue<
  All extends AnyCollections<All>,
  Name extends keyof All & string,
  Field,
  Value,
  Path extends string,
> = Field extends keyof ReferencesOf<All, Name>
  ? ReferencesOf<All, Name>[Field] extends { readonly many: true }
    ? ExpandedRow<All, TargetOf<All, Name, Field> & string, Path>[]
    : ExpandedRow<All, TargetOf<All, Name, Field> & string, Path> | Extract<Value, null>
  : Value

/** The fields of a row that a request returns. `id` is always one of them. */
export type SelectedRow<Row, Field> = [Field] extends [never] ? Row : Pick<Row, (Field | 'id') & keyof Row>

export interface ShapeOptions<Field, Path> {
  /** All fields by default. */
  readonly fields?: readonly Field[] | undefined
  /** References to return as rows instead of ids. */
  readonly expand?: readonly Path[] | undefined
}

export interface CollectionQuery<All extends AnyCollections<All>, Name extends keyof All & string, Field, Path>
  extends ShapeOptions<Field, Path> {
  readonly filter?: CollectionFilter<All, Name> | undefined
  /** Alternatives, of which one must match. */
  readonly or?: readonly CollectionFilter<All, Name>[] | undefined
  /** A leading `-` sorts in descending order. */
  readonly sort?: readonly (All[Name]['sort'] | `-${All[Name]['sort']}`)[] | undefined
  /** Full-text search. */
  readonly q?: string | undefined
  /** Rows per page. */
  readonly limit?: number | undefined
}

export interface CollectionPage<Row> {
  data: Row[]
  nextCursor: string | null
  /** With `include: ['total']`. */
  total?: number
}

export interface PageOptions {
  readonly cursor?: string | undefined
  /** `total` counts the matching rows, which costs another query. */
  readonly include?: readonly 'total'[] | undefined
}

/** @internal */
export type RowOf<
  All extends AnyCollections<All>,
  Name extends keyof All & string,
  Field,
  Path extends string,
> = SelectedRow<ExpandedRow<All, Name, Path>, Field>

export interface AggregateQuery<All extends AnyCollections<All>, Name extends keyof All & string, Group, Field>
  extends Pick<CollectionQuery<All, Name, never, never>, 'filter' | 'or' | 'limit'> {
  /** Up to three fields. One group of all rows by default. */
  readonly group?: readonly Group[] | undefined
  /** Periods instead of groups: all of them, the oldest first, also those without rows. Weeks begin on Monday. */
  readonly by?: 'day' | 'week' | 'month' | undefined
  /** With `by`: the field of the time; `createdAt` by default. */
  readonly time?: (keyof All[Name]['row'] & string) | undefined
  /** With `by`: a day of the first and of the last period, `2026-11-29`. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** With `by`: IANA name of the time zone of the periods; UTC by default. */
  readonly timeZone?: string | undefined
  readonly sum?: readonly Field[] | undefined
  readonly avg?: readonly Field[] | undefined
  readonly min?: readonly Field[] | undefined
  readonly max?: readonly Field[] | undefined
}

export interface RowGroup<Row, Group extends keyof Row, Field extends keyof Row> {
  /** First day of the period, with `by`. */
  start?: string
  group: Pick<Row, Group>
  count: number
  sum?: { [Key in Field]?: number | null }
  avg?: { [Key in Field]?: number | null }
  min?: { [Key in Field]?: Row[Key] | null }
  max?: { [Key in Field]?: Row[Key] | null }
}

/** Typed calls of one collection. */
export interface CollectionClient<All extends AnyCollections<All>, Name extends keyof All & string> {
  /** Returns one page of rows. */
  list<Path extends ExpandPath<All, Name> = never, Field extends keyof All[Name]['row'] = never>(
    query?: CollectionQuery<All, Name, Field, Path> & PageOptions,
    options?: RequestOptions,
  ): Call<CollectionPage<RowOf<All, Name, Field, Path>>, All[Name]['errors']['list']>
  /** Every matching row. Loads the pages as they are needed. */
  all<Path extends ExpandPath<All, Name> = never, Field extends keyof All[Name]['row'] = never>(
    query?: CollectionQuery<All, Name, Field, Path>,
    options?: RequestOptions,
  ): AsyncGenerator<RowOf<All, Name, Field, Path>, void, undefined>
  get<Path extends ExpandPath<All, Name> = never, Field extends keyof All[Name]['row'] = never>(
    id: string,
    query?: ShapeOptions<Field, Path>,
    options?: RequestOptions,
  ): Call<RowOf<All, Name, Field, Path>, All[Name]['errors']['get']>
  /** Counts rows in groups, the largest group first, or by period, and aggregates their fields. */
  aggregate<Group extends keyof All[Name]['row'] = never, Field extends keyof All[Name]['row'] = never>(
    query?: AggregateQuery<All, Name, Group, Field>,
    options?: RequestOptions,
  ): Call<{ data: RowGroup<All[Name]['row'], Group, Field>[] }, All[Name]['errors']['list']>
  create(row: All[Name]['create'], options?: IdempotentOptions): Call<All[Name]['row'], All[Name]['errors']['create']>
  /**
   * Creates a row for somebody who may not create rows otherwise, and resolves to its ID alone. If the collection asks
   * visitors for a proof of work, this takes a second request and about a second in between.
   */
  submit: All[Name] extends { readonly visitors: true }
    ? (row: All[Name]['create'], options?: SubmitOptions) => Call<{ id: string }, All[Name]['errors']['create']>
    : never
  /** Creates up to 500 rows: all or none. */
  createMany(
    rows: readonly All[Name]['create'][],
    options?: IdempotentOptions,
  ): Call<{ data: All[Name]['row'][] }, All[Name]['errors']['create']>
  /** Changes the row with the same value in the unique field `by`, or creates one. */
  upsert(
    by: keyof All[Name]['create'] & string,
    row: All[Name]['create'],
    options?: RequestOptions,
  ): Call<All[Name]['row'], All[Name]['errors']['upsert']>
  /** Changes the given fields. */
  update(
    id: string,
    changes: All[Name]['update'],
    options?: VersionedOptions,
  ): Call<All[Name]['row'], All[Name]['errors']['update']>
  delete(id: string, options?: VersionedOptions): Call<void, All[Name]['errors']['delete']>
}

/** @internal */
export function collectionClient<All extends AnyCollections<All>, Name extends keyof All & string>(
  send: Send,
  path: string,
): CollectionClient<All, Name> {
  const item = (id: string) => `${path}/${encodeURIComponent(id)}`
  const call = (method: string, address: string, more: Partial<SendRequest> = {}): SendRequest => ({
    method,
    path: address,
    takesTenant: true,
    ...more,
  })
  const list: CollectionClient<All, Name>['list'] = (query, options) => send(call('GET', path, { query }), options)
  return {
    list,
    all: (query, options) => everyItem(cursor => list({ ...query, cursor }, options)),
    get: (id, query, options) => send(call('GET', item(id), { query }), options),
    aggregate: (query, options) => send(call('GET', `${path}/aggregate`, { query }), options),
    create: (row, options) => send(call('POST', path, { json: row, takesIdempotencyKey: true }), options),
    submit: ((row: unknown, options?: SubmitOptions) =>
      new Call(submitRow(send, path, row, options))) as CollectionClient<All, Name>['submit'],
    createMany: (rows, options) => send(call('POST', path, { json: rows, takesIdempotencyKey: true }), options),
    upsert: (by, row, options) => send(call('PUT', path, { query: { by }, json: row }), options),
    update: (id, changes, options) => send(call('PATCH', item(id), { json: changes }), options),
    delete: (id, options) => send(call('DELETE', item(id)), options),
  }
}
