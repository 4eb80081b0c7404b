import { defineProblems } from '@larder-dev/larder/kernel'

export const workspaceProblems = defineProblems({
  operator_tenant: [409, "The operator's workspace can't be deleted or suspended."],
  one_workspace: [403, "This product has one workspace: the operator's. Nobody creates or leaves it."],
  slug_taken: [409, 'Another workspace uses this slug. Choose another one.'],
})
