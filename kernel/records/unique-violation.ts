/** SQLSTATE `unique_violation`. */
const UNIQUE_VIOLATION = '23505'

/** Whether a statement failed because it would repeat a unique value. @param constraint or unique index; any by default. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  error instanceof Error &&
  Reflect.get(error, 'code') === UNIQUE_VIOLATION &&
  (constraint === undefined || Reflect.get(error, 'constraint') === constraint)
