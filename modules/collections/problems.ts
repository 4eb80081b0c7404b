import { common, defineProblems, defineReasons, Type } from '@larder-dev/larder/kernel'
import { defineOperatorErrors, FieldErrors, ProofChallenge } from '@larder-dev/larder/kernel/internal'

export const problems = defineProblems({
  row_action_forbidden: [403, "Your roles don't allow this for this row.", { errors: FieldErrors }],
  field_forbidden: [
    403,
    "Your roles don't allow you to set some of these fields; see `errors`.",
    { errors: FieldErrors },
  ],
  value_taken: [409, 'Another row has the same value in a unique field; see `errors`.', { errors: FieldErrors }],
  transition_refused: [
    409,
    "The row can't come into this state from its current one. `allowed` lists the states that the caller may choose now, by field.",
    { errors: FieldErrors, allowed: Type.Record(Type.String(), Type.Array(Type.String())) },
  ],
  period_taken: [
    409,
    'The period overlaps with that of another row; see `errors`.',
    {
      errors: FieldErrors,
      rows: Type.Array(Type.String(), { description: 'IDs of the other rows that the caller may read' }),
    },
  ],
  capacity_reached: [
    409,
    'The row that this one refers to has no free place; see `errors`. Choose another one, or wait until a place is free.',
    { errors: FieldErrors },
  ],
  guest_rows_full: [403, "This can't take more entries at the moment."],
  proof_required: [
    403,
    'People who are not signed in solve a task for each of these rows. Solve `challenge`, and send the solution as the query parameter `proof`.',
    { challenge: ProofChallenge },
  ],
  unknown_collection: [422, 'This product has no collection {name}.'],
  rows_elsewhere: [403, "The rows of {name} belong to the operator's workspace."],
  row_in_use: [409, 'Other rows refer to this row. Delete them first or remove the reference.'],
  reference_in_trash: [
    409,
    'This row depends on a row in the trash. Restore that row first; see `errors`.',
    { errors: FieldErrors },
  ],
  import_encoding_invalid: [
    422,
    'The file is not valid {encoding}. Save it as UTF-8, or name its encoding in the content type, such as `text/csv; charset=iso-8859-1`.',
  ],
  import_malformed: [422, 'The file could not be read at line {line}: {reason}.'],
  import_columns_invalid: [
    422,
    "The columns of the file don't match the collection; see `errors`.",
    { errors: FieldErrors },
  ],
  import_empty: [422, 'The file contains no rows.'],
  import_too_large: [413, 'The file has more than {limit} {unit}. Split it into several imports.'],
  import_too_slow: [408, 'The file arrived too slowly.'],
  import_incomplete: [400, 'The file ended too early.'],
  too_many_imports: [409, '{limit} imports are already waiting or running. Wait for one to end.'],
  too_many_exports: [409, '{limit} exports exist already. Delete one, or wait until the oldest one expires.'],
  export_not_ready: [409, 'This export has no file: its state is {state}.'],
  import_ended: [409, 'The import has already ended.'],
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

/** Errors that stop a start. */
/** By the action that the caller's roles don't allow. */
export const forbiddenActions = defineReasons(problems.row_action_forbidden, {
  read: "Your roles don't allow you to read this row.",
  create: "Your roles don't allow you to create this row.",
  update: "Your roles don't allow you to update this row.",
  delete: "Your roles don't allow you to delete this row.",
})

/** By what is wrong with the query parameter `proof`. */
export const proofFaults = defineReasons(problems.proof_required, {
  unreadable:
    '`proof` must be base64 of a JSON object with `challenge` and `solution`. Solve the `challenge` of this response.',
  foreign: 'The challenge in `proof` is none of this collection and workspace. Solve the `challenge` of this response.',
  unsolved: 'The solution in `proof` is wrong. Solve the `challenge` of this response.',
  expired: 'The challenge in `proof` has expired. Solve the `challenge` of this response.',
  used: 'This `proof` was used before. Solve the `challenge` of this response.',
})

export const mediaTypes = defineReasons(common.unsupported_media_type, {
  import: 'Send the body as text/csv, application/x-ndjson, or application/octet-stream with the parameter format.',
  not_encoded: 'Send the body as {type}, without Content-Encoding.',
  charset: 'Send the body as text with a charset such as utf-8, utf-16le or iso-8859-1.',
})

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
