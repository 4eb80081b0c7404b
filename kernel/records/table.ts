/** Statements of a table, generated from the schema of its records. Special statements stay SQL: see `columns` and `query`. */
import type { Static, TObject, TProperties } from 'typebox'
import { type CursorValue, common, decodeCursor, type PageOf, pageLimit, toPage } from '../base/index.ts'
import type { Step, Unit } from '../contract/index.ts'
import { type Column, columnsOf, quote } from './table-columns.ts'

export interface TableOptions<Row, Hidden extends TProperties, Defaults> {
  /** What a record is called in `not_found`, for example `session`. */
  readonly what: string
  /** Columns whose name isn't the property's name in snake case. */
  readonly columns?: { readonly [Name in keyof Row | keyof Hidden]?: string }
  /** Values of new records that are stored unless an insert has others. Nullable columns default to null. */
  readonly defaults?: Defaults
  /** Columns that statements write and compare, and that records don't contain. */
  readonly hidden?: Hidden
  /** The unique column that pages are ordered by. `id` by default. */
  readonly key?: keyof Row
  /** A column that counts the changes. Each update adds one. */
  readonly revision?: keyof Row
}

/** Arrays may be read-only. */
export type Given<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends (infer Item)[] | null ? Columns[Name] | readonly Item[] : Columns[Name]
}
type NullableNames<Columns> = { [Name in keyof Columns]: null extends Columns[Name] ? Name : never }[keyof Columns]
/** Values of an insert. Nullable columns and those with a default are optional. */
type Values<Columns, Defaulted> = Readonly<
  Omit<Columns, NullableNames<Columns> | Extract<Defaulted, keyof Columns>> &
    Partial<Pick<Columns, NullableNames<Columns> | Extract<Defaulted, keyof Columns>>>
>
type Scalar = string | number | boolean | Date | Buffer
type ScalarNames<Columns> = {
  [Name in keyof Columns]: NonNullable<Columns[Name]> extends Scalar ? Name : never
}[keyof Columns]
/** Values that columns must have. A list allows any of its values. */
export type Match<Columns> = {
  readonly [Name in ScalarNames<Columns>]?:
    | NonNullable<Columns[Name]>
    | readonly NonNullable<Columns[Name]>[]
    | undefined
}

/** A value that PostgreSQL computes. See `expression`. */
class Expression {
  readonly text: string
  readonly values: readonly unknown[]

  constructor(text: string, values: readonly unknown[]) {
    this.text = text
    this.values = values
  }
}

/**
 * A value of an insert that PostgreSQL computes, such as `expression('now()')`. The text has its own `$1`, … for the values,
 * and must not depend on a request.
 */
export const expression = (text: string, ...values: readonly unknown[]): Expression => new Expression(text, values)

type Computed<New> = { readonly [Name in keyof New]: New[Name] | Expression }

/** A condition with its own `$1`, …. Its text must not depend on a request. */
export type Condition = readonly [text: string, values?: readonly unknown[]]

/** A page of a table that `page` reads. */
export interface TablePageQuery<Row, Columns> {
  /** From the query of a list; see `pageLimit`. */
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** Undefined values are ignored. */
  readonly where?: Match<Columns>
  readonly and?: readonly Condition[]
  /**
   * A column of texts, which are ordered as names, or of integers, without nulls. Records with equal values are ordered
   * by the table's key.
   */
  readonly sortBy?: keyof Row
  /** Descending by default, so that the newest ids come first. */
  readonly ascending?: boolean | undefined
}

/** Generates the statements of a table. See `docs/modules.md`. */
export const table = <
  Record extends TObject,
  Hidden extends TProperties = {},
  const Defaults extends Partial<Static<Record>> = {},
>(
  name: string,
  record: Record,
  options: TableOptions<Static<Record>, Hidden, Defaults>,
) =>
  new Table<
    Static<Record>,
    Static<Record> & Static<TObject<Hidden>>,
    Values<Given<Static<Record> & Static<TObject<Hidden>>>, keyof Defaults>
  >(name, record, options as TableOptions<Static<Record>, TProperties, object>)

/** The type of a table's records. */
export type RecordOf<T> = T extends Table<infer Row, infer _Columns, infer _New> ? Row : never

interface Lock {
  /** Locks the rows until the unit ends. */
  readonly lock?: boolean
}
/** `column = value`, or `column = any (value)`. */
interface Comparison {
  readonly column: Column
  readonly isList: boolean
  readonly value: unknown
}
type Properties = { [property: string]: unknown }

/**
 * Statements of a table. Each joins the unit of work, and its text depends on the columns that a call names, not on their
 * values. Errors of the database pass through; see `isUniqueViolation`. A property without a column, and a condition
 * without a value, throw an Error before anything is sent.
 */
export class Table<Row, Columns, New extends object> {
  readonly name: string
  /** The schema of records. */
  readonly schema: TObject
  /** The column that counts changes. */
  readonly revision: keyof Row | undefined
  readonly options: TableOptions<Row, TProperties, object>
  /** Columns of records. */
  readonly visible: readonly Column[]
  /** Columns that an insert writes: those of records, and hidden ones. */
  readonly all: readonly Column[]
  private readonly byProperty: ReadonlyMap<string, Column>
  private readonly decoded: readonly Column[]
  /** By the columns that they name. */
  private readonly texts = new Map<string, string>()

  constructor(name: string, record: TObject, options: TableOptions<Row, TProperties, object>) {
    const { columns = {}, hidden = {} } = options
    this.name = name
    this.schema = record
    this.revision = options.revision
    this.options = options
    this.visible = columnsOf(record.properties, columns)
    this.all = [...this.visible, ...columnsOf(hidden, columns)]
    this.byProperty = new Map(this.all.map(column => [column.property, column]))
    this.decoded = this.visible.filter(({ decode }) => decode)
  }

  /**
   * The list of a `select` or `returning` of a special statement.
   * @param alias of the table in the statement.
   * @param names of properties, also hidden ones; by default those of records.
   */
  columns(alias?: string, names?: readonly (keyof Columns)[]): string {
    const prefix = alias === undefined ? '' : `${alias}.`
    const columns = names?.map(name => this.columnOf(name)) ?? this.visible
    return columns.map(({ sql, property }) => `${prefix}${sql} as ${quote(property)}`).join(', ')
  }

  /** Runs a special statement that returns `columns()`, and may return more. */
  async query<More = unknown>(unit: Unit, ...step: Step): Promise<(Row & More)[]> {
    return this.records((await unit.query<object>(...step)).rows) as (Row & More)[]
  }

  /** Converts rows of a statement that returns `columns()` to records, in place. */
  records(rows: readonly object[]): Row[] {
    if (this.decoded.length > 0)
      for (const row of rows as Properties[])
        for (const { property, decode } of this.decoded) {
          const value = row[property]
          if (value !== null && value !== undefined && decode) row[property] = decode(value as never)
        }
    return rows as Row[]
  }

  /** The record that an insert of these values stores. */
  record(values: Pick<New, keyof New & keyof Row>): Row {
    const record: Properties = {}
    for (const column of this.visible) record[column.property] = this.valueOf(values, column)
    return record as Row
  }

  /** The values that belong to records of this table, for a patch of several tables. Undefined values are left out. */
  pick(values: object): Partial<Row> {
    const given = Object.entries(values).filter(([, value]) => value !== undefined)
    return Object.fromEntries(given.filter(([name]) => this.isVisible(name))) as Partial<Row>
  }

  /**
   * A suffix of `insertStep` that replaces the record with the same values of `key`, columns of a unique index. The
   * record keeps its values of `kept`.
   */
  replacing(key: readonly (keyof Columns)[], kept: readonly (keyof Columns)[]): string {
    const target = key.map(name => this.columnOf(name).sql)
    const stays = new Set([...key, ...kept].map(name => this.columnOf(name)))
    const set = this.all.filter(column => !stays.has(column)).map(({ sql }) => `${sql} = excluded.${sql}`)
    return `on conflict (${target.join(', ')}) do update set ${set.join(', ')}`
  }

  /** @param suffix for example `on conflict do nothing`. */
  insertStep(values: Computed<New>, suffix = ''): Step {
    const given = this.all.map(column => {
      const value = this.valueOf(values, column)
      return value instanceof Expression ? value : encode(column, value)
    })
    const computed = given.map((value, at) => (value instanceof Expression ? `${at} ${value.text} ` : '')).join('')
    const text = this.textOf(`insert ${computed}${suffix}`, () => {
      const parts = given.map(value =>
        value instanceof Expression ? ([value.text, value.values] as const) : (['$1', [value]] as const),
      )
      return `insert into ${quote(this.name)} (${this.all.map(({ sql }) => sql).join(', ')})
        values (${numbered(parts, 0).join(', ')}) ${suffix}`
    })
    return [text, given.flatMap(value => (value instanceof Expression ? value.values : [value]))]
  }

  async insert(unit: Unit, values: New): Promise<Row> {
    await unit.query(...this.insertStep(values))
    return this.record(values)
  }

  /** Undefined values of the patch are ignored. */
  updateStep(where: Match<Columns>, patch: Partial<Given<Columns>>, revision?: number): Step {
    const changes = Object.entries(patch).filter(([, value]) => value !== undefined)
    const comparisons = this.comparisonsOf(where)
    const counter = this.revision === undefined ? undefined : this.columnOf(this.revision).sql
    const shape = `update ${changes.map(([property]) => property)} ${shapeOf(comparisons)} ${revision !== undefined}`
    const text = this.textOf(shape, () => {
      const set = changes.map(([property], at) => `${this.columnOf(property).sql} = $${at + 1}`)
      if (counter !== undefined) set.push(`${counter} = ${counter} + 1`)
      const same = revision === undefined ? '' : ` and ${counter} = $${changes.length + comparisons.length + 1}`
      return `update ${quote(this.name)} set ${set.join(', ')}
        where ${sqlOf(comparisons, changes.length)}${same} returning ${this.columns()}`
    })
    const values = changes.map(([property, value]) => encode(this.columnOf(property), value))
    return [text, [...values, ...valuesOf(comparisons), ...(revision === undefined ? [] : [revision])]]
  }

  /** Changes one record. Throws `not_found`, and `precondition_failed` unless the record has this revision. */
  async update(unit: Unit, where: Match<Columns>, patch: Partial<Given<Columns>>, revision?: number): Promise<Row> {
    const [row] = await this.query(unit, ...this.updateStep(where, patch, revision))
    if (row !== undefined) return row
    await this.get(unit, where)
    throw common.precondition_failed()
  }

  /** The matching records, in no particular order. */
  findMany(unit: Unit, where: Match<Columns>, { lock = false }: Lock = {}): Promise<Row[]> {
    const comparisons = this.comparisonsOf(where)
    const text = this.textOf(
      `select ${shapeOf(comparisons)} ${lock}`,
      () => `select ${this.columns()} from ${quote(this.name)} where ${sqlOf(comparisons)}${lock ? ' for update' : ''}`,
    )
    return this.query(unit, text, valuesOf(comparisons))
  }

  /** Some values of the newest matching records, such as those that an export of personal data contains. */
  newest(unit: Unit, where: Match<Columns>, names: readonly (keyof Columns)[], limit: number): Promise<object[]> {
    const comparisons = this.comparisonsOf(where)
    const text = this.textOf(
      `newest ${names.map(String)} ${shapeOf(comparisons)}`,
      () => `select ${this.columns(undefined, names)} from ${quote(this.name)} where ${sqlOf(comparisons)}
        order by ${this.columnOf(this.options.key ?? 'id').sql} desc limit $${comparisons.length + 1}`,
    )
    return this.query(unit, text, [...valuesOf(comparisons), limit]) as Promise<object[]>
  }

  async find(unit: Unit, where: Match<Columns>, lock?: Lock): Promise<Row | undefined> {
    return (await this.findMany(unit, where, lock))[0]
  }

  /** Throws `not_found`. */
  async get(unit: Unit, where: Match<Columns>, lock?: Lock): Promise<Row> {
    return this.requireOne(await this.findMany(unit, where, lock))
  }

  deleteStep(where: Match<Columns>): Step {
    const comparisons = this.comparisonsOf(where)
    const text = this.textOf(
      `delete ${shapeOf(comparisons)}`,
      () => `delete from ${quote(this.name)} where ${sqlOf(comparisons)} returning ${this.columns()}`,
    )
    return [text, valuesOf(comparisons)]
  }

  /** Deletes one record, and returns it. Throws `not_found`. */
  async delete(unit: Unit, where: Match<Columns>): Promise<Row> {
    return this.requireOne(await this.query(unit, ...this.deleteStep(where)))
  }

  /** A page in the order of the key, or of `sortBy` and the key. Throws `invalid_cursor`. */
  async page(unit: Unit, query: TablePageQuery<Row, Columns>): Promise<PageOf<Row>> {
    const { where = {}, and = [], ascending = false } = query
    const limit = pageLimit(query)
    const comparisons = this.comparisons(definedOnly(where))
    const order = this.orderOf(query.sortBy)
    const byName = order.length > 1 && order[0]?.kind === 'text'
    const after = decodeOrdered(query.cursor, order.length, byName)
    if (after?.some((value, at) => typeof value !== (order[at]?.kind === 'text' ? 'string' : 'number')))
      throw common.invalid_cursor()
    const values = [...valuesOf(comparisons), ...and.flatMap(([, own = []]) => own), ...(after ?? []), limit + 1]
    const names = order.map(({ property }) => property)
    const shape = [names, ascending, after !== undefined, shapeOf(comparisons), ...and.map(([text]) => text)].join(' ')
    const text = this.textOf(`page ${shape}`, () => {
      const columns = order.map(({ sql, kind }, at) =>
        kind === 'text' && at < order.length - 1 ? `${sql} collate larder_names` : sql,
      )
      const next = `(${columns}) ${ascending ? '>' : '<'} (${columns.map((_, at) => `$${values.length - columns.length + at}`)})`
      const conditions = [
        sqlOf(comparisons),
        ...numbered(and, comparisons.length).map(condition => `(${condition})`),
        after ? next : '',
      ]
      return `select ${this.columns()} from ${quote(this.name)}
        where ${conditions.filter(condition => condition !== '').join(' and ') || 'true'}
        order by ${columns.map(column => `${column} ${ascending ? 'asc' : 'desc'}`)} limit $${values.length}`
    })
    const rows = await this.query(unit, text, values)
    return toPage(rows, limit, row => [
      ...(byName ? [NAME_ORDER] : []),
      ...names.map(name => (row as Properties)[name] as CursorValue),
    ])
  }

  private isVisible(property: string): boolean {
    return this.visible.some(column => column.property === property)
  }

  private orderOf(sortBy: keyof Row | undefined): Column[] {
    const key = this.options.key ?? 'id'
    const order = (sortBy === undefined || sortBy === key ? [key] : [sortBy, key]).map(name => this.columnOf(name))
    for (const { property, kind, isNullable } of order)
      if (isNullable || !['text', 'integer'].includes(kind))
        throw new Error(`${this.name} can't be ordered by '${property}': a cursor doesn't hold its values exactly`)
    return order
  }

  private columnOf(property: PropertyKey): Column {
    const column = this.byProperty.get(String(property))
    if (!column) throw new Error(`${this.name} has no column for '${String(property)}'`)
    return column
  }

  private comparisonsOf(where: object): Comparison[] {
    if (Object.keys(where).length === 0) throw new Error(`${this.name}: a statement needs a condition`)
    return this.comparisons(where)
  }

  private comparisons(where: object): Comparison[] {
    return Object.entries(where).map(([property, value]) => {
      if (value === undefined || value === null)
        throw new Error(`${this.name}: '${property}' is compared with no value`)
      return { column: this.columnOf(property), isList: Array.isArray(value), value }
    })
  }

  private valueOf(values: object, { property }: Column): unknown {
    const value = (values as Properties)[property]
    return value === undefined ? ((this.options.defaults as Properties | undefined)?.[property] ?? null) : value
  }

  private textOf(shape: string, build: () => string): string {
    const known = this.texts.get(shape)
    if (known !== undefined) return known
    const built = build()
    this.texts.set(shape, built)
    return built
  }

  private requireOne([row]: readonly Row[]): Row {
    if (row === undefined) throw common.not_found({ what: this.options.what })
    return row
  }
}

/** Part of cursors, so that those of another order are rejected. */
const NAME_ORDER = 'und'

function decodeOrdered(cursor: string | undefined, width: number, byName: boolean): CursorValue[] | undefined {
  if (!byName) return decodeCursor(cursor, width)
  const [order, ...values] = decodeCursor(cursor, width + 1) ?? [NAME_ORDER]
  if (order !== NAME_ORDER) throw common.invalid_cursor()
  return cursor === undefined ? undefined : values
}

const encode = (column: Column, value: unknown): unknown => (column.encode ? column.encode(value) : value)

const definedOnly = (where: object): object =>
  Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined))

const shapeOf = (comparisons: readonly Comparison[]): string =>
  comparisons.map(({ column, isList }) => (isList ? `${column.property}[]` : column.property)).join(',')

const sqlOf = (comparisons: readonly Comparison[], before = 0): string =>
  comparisons
    .map(({ column, isList }, at) => `${column.sql} = ${isList ? `any ($${before + at + 1})` : `$${before + at + 1}`}`)
    .join(' and ')

const valuesOf = (comparisons: readonly Comparison[]): unknown[] => comparisons.map(({ value }) => value)

/** The texts, with the parameters of each after those before it. */
function numbered(parts: readonly Condition[], before: number): string[] {
  let offset = before
  return parts.map(([text, values = []]) => {
    const start = offset
    offset += values.length
    return text.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + start}`)
  })
}
