import { defineProblems } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  invoice_state: [409, 'The invoice is {status}. This action requires the status {required}.'],
})
