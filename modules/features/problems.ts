import { common, defineProblems, type Problem } from 'larder/kernel'
import type { Fault } from './core/faults.ts'
import type { Failure } from './core/outcome.ts'

export const problems = defineProblems({
  feature_not_found: [404, '{reason}'],
  feature_unanswered: [400, '{reason}'],
  feature_exists: [409, 'A feature with this key already exists.'],
  feature_required: [409, 'The feature {by} depends on this one.'],
  too_many_features: [409, 'The limit of {limit} features is reached.'],
  features_too_large: [409, 'All features or all overrides together exceed {limit} bytes.'],
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
