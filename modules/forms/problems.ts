import { common, type FieldError, type Problem } from 'larder/kernel'

/** 422 with all invalid fields. @param prefix precedes each pointer. */
export const invalidFields = (prefix: string, errors: readonly FieldError[]): Problem =>
  common.validation_failed({}, { errors: errors.map(error => ({ ...error, pointer: prefix + error.pointer })) })
