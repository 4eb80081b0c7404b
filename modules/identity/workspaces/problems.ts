import { defineProblems } from '@larder-dev/larder/kernel'

export const workspaceProblems = defineProblems({
  operator_tenant: [409, "The operator's workspace can't be deleted or suspended."],
  slug_taken: [409, 'Another workspace uses this slug. Choose another one.'],
})
