import { defineProblems } from '@larder-dev/larder/kernel'

export const operatorProblems = defineProblems({
  impersonation_off: [403, 'Impersonation is turned off in this installation.'],
  operator_account: [403, "You can't act as yourself or as another operator."],
  invalid_claim: [
    403,
    'This claim code is invalid, already used or older than one hour. Restart the installation to get a new one.',
  ],
  operator_tenant: [409, "The operator's workspace can't be deleted or suspended."],
})
