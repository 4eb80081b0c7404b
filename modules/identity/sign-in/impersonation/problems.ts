import { defineProblems } from '@larder-dev/larder/kernel'

export const impersonationProblems = defineProblems({
  impersonation_off: [403, 'Impersonation is turned off in this installation.'],
  operator_account: [403, "You can't act as yourself or as another operator."],
})
