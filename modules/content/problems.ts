import { common, defineProblems, type Problem } from 'larder/kernel'

export const problems = defineProblems({
  page_slug_taken: [409, 'Another page has this slug in this language. Choose another one.'],
  page_path_taken: [409, 'Another page has this path in this language. Choose another one.'],
  page_path_fixed: [409, 'At this path stands a page of {owner}: nobody would see this one. Choose another one.'],
  no_redirect: [404, 'No redirect takes this path.'],
  redirect_exists: [409, 'There is a redirect from this path. Change that one.'],
  redirect_loop: [
    409,
    'This redirect would send its visitors round in a circle, or on more than ten steps. Lead it to the last address.',
  ],
  too_many_redirects: [409, 'There are {limit} redirects: more are not kept. A wildcard may stand for many.'],
  page_gone: [410, 'What was here has been removed for good.'],
  body_too_costly: [422, 'This body takes too long to render, or nests too deeply. Make it simpler.'],
})

/** 422 for one field of the body, for what a schema cannot know. */
export const invalidField = (pointer: string, code: string, detail: string): Problem =>
  common.validation_failed({}, { errors: [{ pointer, code, detail }] })
