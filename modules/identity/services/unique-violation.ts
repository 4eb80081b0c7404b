const UNIQUE_VIOLATION = '23505'

/** True for the error of a statement that would repeat a unique value. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, 'code') === UNIQUE_VIOLATION
