/** Errors of query parameters. Pure. */
import { fieldError, invalidField, type Problem, type Wording } from '@larder-dev/larder/kernel'
import { malformed } from '@larder-dev/larder/kernel/internal'

/** 400 for a parameter that names something unknown. @param text the end of a sentence that begins with the parameter. */
export const badParameter = (name: string, code: string, text: Wording): Problem =>
  malformed.parameter({ name, problem: text }, { errors: [fieldError(`query/${name}`, code, text)] })

/** 422 for a value of the wrong type. */
export const badValue = (name: string, code: string, text: Wording): Problem =>
  invalidField(`query/${name}`, code, text)
