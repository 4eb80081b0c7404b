import { defineOperatorErrors } from 'larder/kernel'

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
  collections_locked: [
    'Tables of collections could not be changed, because other transactions used them for {seconds} seconds.',
    'Start again when long transactions have ended.',
  ],
})
