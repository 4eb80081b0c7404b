import { common, defineOperatorErrors, defineProblems, type FieldError, FieldErrors, type Problem } from 'larder/kernel'

export const problems = defineProblems({
  row_action_forbidden: [403, "Your roles don't allow you to {action} this row.", { errors: FieldErrors }],
  field_forbidden: [
    403,
    "Your roles don't allow you to set some of these fields; see `errors`.",
    { errors: FieldErrors },
  ],
  value_taken: [409, 'Another row has the same value in a unique field; see `errors`.', { errors: FieldErrors }],
  row_in_use: [409, 'Other rows refer to this row. Delete them first or remove the reference.'],
  reference_in_trash: [
    409,
    'This row depends on a row in the trash. Restore that row first; see `errors`.',
    { errors: FieldErrors },
  ],
  hook_failed: [
    500,
    'A hook of the collection {collection} failed, so nothing was changed. Contact support with the request ID.',
  ],
  hook_timed_out: [
    503,
    'A hook of the collection {collection} took longer than {seconds} seconds, so nothing was changed.',
  ],
  too_many_dependent_rows: [409, 'More than {limit} rows depend on this row. Delete them first.'],
})

/** 422 for errors that the schema of the body can't express. */
export const invalidFields = (errors: readonly FieldError[]): Problem => common.validation_failed({}, { errors })

/** Errors that stop a start. */
export const operatorErrors = defineOperatorErrors({
  collections_lose_data: [
    'The recipe changes collections in a way that loses data:\n{changes}\n',
    'Run `larder recipe plan`, then `larder recipe apply`, and start again.',
  ],
  collections_blocked: [
    'Existing rows do not fit the collections of the recipe:\n{changes}\n',
    'Correct the rows or the recipe.',
  ],
  collections_seed_invalid: [
    'Row {row} of the seed of collection {collection} is invalid: {reason}.',
    'Correct the row.',
  ],
  collections_seed_unreadable: [
    'The seed of collection {collection} could not be read from {file}: {reason}.',
    'Correct the file, or remove `seed` from the collection.',
  ],
  collections_locked: [
    'Tables of collections could not be changed, because other transactions used them for {seconds} seconds.',
    'Start again when long transactions have ended.',
  ],
})
