/** Errors of query parameters. Pure. */
import { common, type FieldError, type Problem } from '@larder-dev/larder/kernel'
import { malformed } from '@larder-dev/larder/kernel/internal'

/** 400 for a parameter that names something unknown. @param detail the end of a sentence that begins with the parameter. */
export const badParameter = (name: string, code: string, detail: string): Problem =>
  malformed.parameter(
    { name, problem: detail },
    { errors: [{ pointer: `query/${name}`, code, detail } satisfies FieldError] },
  )

/** 422 for a value of the wrong type. */
export const badValue = (name: string, code: string, detail: string): Problem =>
  common.validation_failed({}, { errors: [{ pointer: `query/${name}`, code, detail } satisfies FieldError] })
