/** Compiles conditions to SQL. Values are parameters; names come from the recipe and are quoted. Pure. */

import type { Collection } from '../declarations/collection.ts'
import { joinTableName } from '../declarations/naming.ts'
import { isNamed, NAME_COLLATION } from '../fields/column-types.ts'
import type { Comparable, Operator } from '../fields/field-types.ts'
import { quoteName } from '../tables/sql-literals.ts'
import type { Part, ResolvedCondition, Target, Test } from './resolved-condition.ts'

/** The values of a statement, in order. */
export class Parameters {
  readonly values: unknown[]
  constructor(first: readonly unknown[] = []) {
    this.values = [...first]
  }
  /** Returns `$1`, `$2`, … */
  add(value: unknown): string {
    return `$${this.values.push(value)}`
  }
}

export interface SqlContext {
  readonly parameters: Parameters
  /** The tenant that owns the rows of shared collections. */
  readonly operatorTenantId: string
  /** A condition on the rows that a reference leads to, in addition to being outside the trash. `true` for none. */
  readonly visible?: (collection: Collection, alias: string) => string
  /** Finds the collection that a reference of a filter leads to, if its rows may be hidden from the caller. */
  readonly hides?: (reference: string) => Collection | undefined
  nextAlias(): string
}

export function createSqlContext(
  operatorTenantId: string,
  options: Pick<SqlContext, 'visible' | 'hides'> & { readonly parameters?: Parameters } = {},
): SqlContext {
  let aliases = 0
  return { operatorTenantId, parameters: new Parameters(), nextAlias: () => `h${++aliases}`, ...options }
}

export const columnOf = (alias: string, column: string): string => `${alias}.${quoteName(column)}`

export const all = (conditions: readonly string[]): string => {
  const given = conditions.filter(condition => condition !== 'true')
  return given.length === 0 ? 'true' : given.length === 1 ? (given[0] as string) : `(${given.join(' and ')})`
}
export const any = (conditions: readonly string[]): string =>
  conditions.includes('true') ? 'true' : conditions.length === 0 ? 'false' : `(${conditions.join(' or ')})`

/**
 * An expression that is true for the rows that match; false or null for others. `true` for an empty condition.
 * @param alias of the table of the collection.
 */
export const conditionSql = (
  context: SqlContext,
  collection: Collection,
  condition: ResolvedCondition,
  alias: string,
): string => all(condition.map(part => partSql(context, collection, part, alias)))

function partSql(context: SqlContext, collection: Collection, part: Part, alias: string): string {
  if ('or' in part) return any(part.or.map(each => conditionSql(context, collection, each, alias)))
  if ('not' in part) return oppositeSql(context, collection, part.not, alias)
  if ('holds' in part) return String(part.holds === true)
  return testSql(context, collection, part, alias)
}

/** True for the rows of which a part of the condition fails. */
const oppositeSql = (
  context: SqlContext,
  collection: Collection,
  condition: ResolvedCondition,
  alias: string,
): string => any(condition.map(part => failsSql(context, collection, part, alias)))

/** A test whose operand has no value neither holds nor fails. A row without a value fails every test but those of absence. */
function failsSql(context: SqlContext, collection: Collection, part: Part, alias: string): string {
  if ('or' in part) return all(part.or.map(each => oppositeSql(context, collection, each, alias)))
  if ('not' in part) return conditionSql(context, collection, part.not, alias)
  if ('holds' in part) return String(part.holds === false)
  return part.operands && !part.isPartial ? `(${testSql(context, collection, part, alias)}) is not true` : 'false'
}

/** Excludes rows in the trash. */
export const notDeleted = (collection: Collection, alias: string): string =>
  collection.trashMs > 0 ? `${alias}.deleted_at is null` : 'true'

/** `ne` and `notIn` pass if their opposite fails. */
type PositiveOperator = Exclude<Operator, 'ne' | 'notIn'>
interface PositiveTest extends Omit<Test, 'operator' | 'operands'> {
  readonly operator: PositiveOperator
  readonly operands: readonly Comparable[]
}

function testSql(
  context: SqlContext,
  collection: Collection,
  { path, operator, operands }: Test,
  alias: string,
): string {
  if (!operands) return 'false'
  const fails = (opposite: PositiveTest) => `(${positiveSql(context, collection, opposite, alias)}) is not true`
  if (operator === 'ne') return fails({ path, operator: 'eq', operands })
  if (operator === 'notIn') return fails({ path, operator: 'in', operands })
  if (operator === 'exists' && operands[0] === false) return fails({ path, operator, operands: [true] })
  return positiveSql(context, collection, { path, operator, operands }, alias)
}

function positiveSql(context: SqlContext, collection: Collection, test: PositiveTest, alias: string): string {
  const { path, operator, operands } = test
  const { field, hops } = path
  const [hop, ...others] = hops
  const compare = (expression: string) => COMPARISONS[operator](expression, field, operands, context.parameters)
  if (hop) {
    const { collection: target } = hop
    const inner = { ...test, path: { field, hops: others } }
    return linkedRowSql(context, collection, hop.field, target, alias, found =>
      positiveSql(context, target, inner, found),
    )
  }
  if (field.kind === 'system' || !field.field.reference) return compare(columnOf(alias, field.column))
  const hidden = context.hides?.(field.field.reference.to)
  if (hidden)
    return linkedRowSql(context, collection, field.field, hidden, alias, found => compare(columnOf(found, 'id')))
  if (!field.field.reference.many) return compare(columnOf(alias, field.column))
  const join = context.nextAlias()
  const links = `${quoteName(joinTableName(collection.name, field.field.name))} ${join}`
  return `exists (select 1 from ${links} where ${joinedTo(join, alias)} and ${compare(`${join}.target_id`)})`
}

const joinedTo = (join: string, alias: string): string =>
  `${join}.tenant_id = ${alias}.tenant_id and ${join}.row_id = ${alias}.id`

type Reference = Pick<Extract<Target, { kind: 'field' }>['field'], 'name' | 'column' | 'reference'>

/** The tables and the condition of the rows that a reference of `alias` leads to, which the caller may see. */
export function linkedRows(
  context: SqlContext,
  collection: Collection,
  reference: Reference,
  target: Collection,
  alias: string,
  found: string,
): { readonly from: string; readonly where: string; readonly position: string | undefined } {
  const table = `${quoteName(target.table)} ${found}`
  const tenant =
    target.scope === collection.scope
      ? `${found}.tenant_id = ${alias}.tenant_id`
      : `${found}.tenant_id = ${context.parameters.add(context.operatorTenantId)}`
  const seen = [notDeleted(target, found), context.visible?.(target, found) ?? 'true']
  if (!reference.reference?.many) {
    const linked = `${found}.id = ${columnOf(alias, reference.column)}`
    return { from: table, where: all([tenant, linked, ...seen]), position: undefined }
  }
  const join = context.nextAlias()
  const from = `${quoteName(joinTableName(collection.name, reference.name))} ${join} join ${table} on ${found}.id = ${join}.target_id`
  return { from, where: all([joinedTo(join, alias), tenant, ...seen]), position: `${join}.position` }
}

function linkedRowSql(
  context: SqlContext,
  collection: Collection,
  reference: Reference,
  target: Collection,
  alias: string,
  test: (found: string) => string,
): string {
  const found = context.nextAlias()
  const { from, where } = linkedRows(context, collection, reference, target, alias, found)
  return `exists (select 1 from ${from} where ${where} and ${test(found)})`
}

type Compare = (expression: string, field: Target, operands: readonly Comparable[], parameters: Parameters) => string

const value = (field: Target, operand: Comparable | undefined, parameters: Parameters): string =>
  parameters.add(operand === undefined ? null : field.spec.toColumn(operand))
const binary =
  (operator: string): Compare =>
  (expression, field, [operand], parameters) =>
    `${expression} ${operator} ${value(field, operand, parameters)}`
const isReference = (field: Target) => field.kind === 'field' && field.field.reference !== undefined
const asName = (expression: string): string => `${expression} collate ${NAME_COLLATION}`
/** With the collation of the index of the field, which PostgreSQL wouldn't use otherwise. */
const indexed = (expression: string, target: Target): string =>
  target.kind === 'field' && target.field.isIndexed && !target.field.unique && isNamed(target.field)
    ? asName(expression)
    : expression
const equal: Compare = (expression, field, operands, parameters) =>
  binary('=')(indexed(expression, field), field, operands, parameters)
/** Texts are compared as names, independent of the locale of the database. */
const ordered =
  (operator: string): Compare =>
  (expression, field, operands, parameters) =>
    binary(operator)(
      field.kind === 'field' && isNamed(field.field) ? asName(expression) : expression,
      field,
      operands,
      parameters,
    )

const COMPARISONS: Readonly<Record<PositiveOperator, Compare>> = {
  eq: equal,
  in: (expression, field, operands, parameters) =>
    `${indexed(expression, field)} = any (${parameters.add(operands.map(operand => field.spec.toColumn(operand)))})`,
  gt: ordered('>'),
  gte: ordered('>='),
  lt: ordered('<'),
  lte: ordered('<='),
  contains: (expression, field, operands, parameters) =>
    isReference(field)
      ? equal(expression, field, operands, parameters)
      : `position(${value(field, operands[0], parameters)} in ${expression}) > 0`,
  startsWith: (expression, field, [operand], parameters) =>
    `starts_with(${expression}, ${value(field, operand, parameters)})`,
  endsWith: (expression, field, [operand], parameters) => {
    const end = value(field, operand, parameters)
    return `right(${expression}, char_length(${end})) = ${end}`
  },
  exists: expression => `${expression} is not null`,
}
