/** Values of a field from other fields of the row, for existing rows: `using`. Pure. */
import type { FieldType } from '../declarations/collection.ts'
import { ExpressionError, parseExpression } from '../fields/expression.ts'
import { EXPRESSION_TYPES, expressionType } from '../fields/expression-types.ts'
import { expressionSql } from '../tables/expression-sql.ts'
import type { CollectionLayout, FieldLayout } from '../tables/layout.ts'

export interface UsingValue {
  /** SQL over the columns of a row. */
  readonly sql: string
  /** The same over the row that a trigger sees. */
  readonly triggerSql: string
  /** Names of fields. */
  readonly reads: readonly string[]
  readonly source: string
}

/** Beyond this, a double isn't an exact integer. */
const MAX_EXACT = Number.MAX_SAFE_INTEGER

/**
 * @param layout the collection before the change, and `columns` its columns by field.
 * @throws ExpressionError
 */
export function usingValue(
  source: string,
  to: Pick<FieldLayout, 'type' | 'columnType'>,
  layout: Pick<CollectionLayout, 'name' | 'fields'>,
  columns: ReadonlyMap<string, string>,
): UsingValue {
  const wanted = usingType(to.type)
  if (!wanted) throw new ExpressionError(`using can't make values of type ${to.type}`, 0)
  const reads = new Set<string>()
  const find = (name: string) => layout.fields.find(field => field.name === name)
  const expression = parseExpression(source)
  const found = expressionType(expression, name => {
    const field = find(name)
    if (!field) throw new Error(`Unknown field "${name}" in ${layout.name} before the change`)
    const type = EXPRESSION_TYPES[field.type]
    if (!type) throw new Error(`A field of type ${field.type} can't be used in an expression: "${name}"`)
    reads.add(name)
    return type
  })
  if (found !== undefined && found !== wanted)
    throw new ExpressionError(`The result of using is a ${found}, but the field is of type ${to.type}`, 0)
  const sqlOf = (record?: string) =>
    toColumn(
      expressionSql(expression, name => ({
        column: columns.get(name) ?? name,
        isNumber: EXPRESSION_TYPES[find(name)?.type ?? 'text'] === 'number',
        ...(record !== undefined && { record }),
      })),
      to,
    )
  return { sql: sqlOf(), triggerSql: sqlOf('new'), reads: [...reads], source }
}

/** Which type the expression of a field has; undefined if there can be none. */
export const usingType = (type: FieldType) => EXPRESSION_TYPES[type]

const toColumn = (sql: string, { columnType }: Pick<FieldLayout, 'columnType'>): string =>
  columnType === 'bigint'
    ? `(case when abs(${sql}) <= ${MAX_EXACT} then floor(${sql} + 0.5)::bigint end)`
    : `(${sql})::${columnType}`
