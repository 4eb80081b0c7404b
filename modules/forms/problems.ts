/** 422 with every wrong field; pointers begin at `place`. */
import { common, type FieldError, type Problem } from 'larder/kernel'
export const invalidFields = (place: string, errors: readonly FieldError[]): Problem =>
  common.validation_failed({}, { errors: errors.map(error => ({ ...error, pointer: place + error.pointer })) })
