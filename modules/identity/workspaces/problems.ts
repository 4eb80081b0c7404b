import { defineProblems } from '@larder-dev/larder/kernel'

export const workspaceProblems = defineProblems({
  slug_taken: [409, 'Another workspace uses this slug. Choose another one.'],
})
