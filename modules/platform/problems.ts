import { defineProblems } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  not_dead: [404, 'No failed event or job has this ID. It may have been retried already.'],
})
