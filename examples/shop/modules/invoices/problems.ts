import { defineProblems } from 'larder/kernel'

export const problems = defineProblems({
  invoice_state: [409, 'This invoice is {status}. Only one that is {needed} can be {done}.'],
})
