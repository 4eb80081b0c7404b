/** Records in the tables of PostgreSQL: their statements, and what SQL of one's own needs. */

export { IS_BACKED_UP_SQL, IS_HELD_SQL } from './effects.ts'
export { escapeLike, foldedContaining, likeContaining } from './like.ts'
export { lockStep, locksStep } from './lock.ts'
export { isLasting, reencryptColumn, type SealedColumn, type SealedValues, sealedValues } from './sealed-values.ts'
export { type Statement, statement } from './statement.ts'
export { statementTime } from './statement-time.ts'
export { type StoredColumn, type StoredTable, storedTables } from './stored-table.ts'
export { isSuspendedSql } from './suspension.ts'
export {
  type Condition,
  expression,
  type Match,
  type RecordOf,
  Table,
  type TableOptions,
  type TablePageQuery,
  table,
} from './table.ts'
export { type TableRoutes, tableRoutes } from './table-routes.ts'
export { isUniqueViolation } from './unique-violation.ts'
