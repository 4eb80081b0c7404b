import { defineProblems } from 'larder/kernel'

export const problems = defineProblems({
  not_dead: [404, 'There is no dead letter with this id. It may have been retried already.'],
})
