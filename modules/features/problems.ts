import { common, defineProblems, type Problem } from 'larder/kernel'
import type { Fault } from './domain/validation.ts'
import type { Failure } from './domain/outcome.ts'

export const problems = defineProblems({
  feature_not_found: [404, '{reason}'],
  feature_unanswered: [400, '{reason}'],
  feature_exists: [409, 'There is a feature with this key.'],
  feature_required: [409, 'The feature {by} requires this one as it is.'],
  too_many_features: [409, 'There are {limit} features: more are not kept.'],
  features_too_large: [409, 'All features, or all overrides, are over the limit of {limit} bytes together.'],
})

/** 422 for fields of the body, for what a schema cannot know. */
export const invalid = (faults: readonly Fault[]): Problem =>
  common.validation_failed(
    {},
    { errors: faults.map(({ place, code, detail }) => ({ pointer: `/${place.join('/')}`, code, detail })) },
  )

/** OFREP's words stand beside the house's own. */
export function unanswered({ key, errorCode, errorDetails }: Failure): Problem {
  const words = { key, errorCode, errorDetails }
  const make = errorCode === 'FLAG_NOT_FOUND' ? problems.feature_not_found : problems.feature_unanswered
  return make({ reason: errorDetails }, words)
}
