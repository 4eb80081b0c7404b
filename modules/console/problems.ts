import { defineProblems } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  view_name_taken: [409, 'You already have a view with this name.'],
  too_many_views: [409, 'You can save at most {limit} views of a list.'],
})
