import { common, type Problem } from '../../kernel/contract.ts'
import type { FieldError } from '../../kernel/problem.ts'

/** 422 with every wrong field; pointers begin at `place`. */
export const invalidFields = (place: string, errors: readonly FieldError[]): Problem =>
  common.validation_failed({}, { errors: errors.map(error => ({ ...error, pointer: place + error.pointer })) })
