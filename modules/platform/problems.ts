import { defineProblems } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  not_dead: [404, 'No dead letter has this ID. It may have been retried already.'],
})
