import { common, defineProblems, fieldError, OneOf, type Problem, Type } from '@larder-dev/larder/kernel'
import { ERROR_CODES, type Failure } from './domain/outcome.ts'
import type { DefinitionError } from './domain/validation.ts'

/** OFREP's error fields. */
const failure = { key: Type.String(), errorCode: OneOf(ERROR_CODES), errorDetails: Type.String() }

export const problems = defineProblems({
  feature_not_found: [404, "The flag {flag} doesn't exist.", failure],
  evaluation_failed: [400, "The flag {flag} can't be evaluated in this context. See `errorDetails`.", failure],
  feature_exists: [409, 'A feature with this key already exists.'],
  feature_in_use: [409, 'The feature {by} depends on this one.'],
  too_many_features: [409, 'The limit of {limit} features is reached.'],
  features_too_large: [409, 'The features or the overrides exceed {limit} in total.'],
})

/** 422 for errors that the schema of the body can't express. */
export const invalidDefinition = (errors: readonly DefinitionError[]): Problem =>
  common.validation_failed(
    {},
    { errors: errors.map(({ path, code, detail }) => fieldError(`/${path.join('/')}`, code, detail)) },
  )

/** Carries OFREP's error fields as extra members. */
export function evaluationFailed({ key, errorCode, errorDetails }: Failure): Problem {
  const extras = { key, errorCode, errorDetails }
  const createProblem = errorCode === 'FLAG_NOT_FOUND' ? problems.feature_not_found : problems.evaluation_failed
  return createProblem({ flag: key }, extras)
}
