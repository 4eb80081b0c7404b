import { defineProblems } from '@larder-dev/larder/kernel'

export const problems = defineProblems({
  page_slug_taken: [409, 'Another page in this language uses this slug. Choose another one.'],
  page_path_taken: [409, 'Another page in this language uses this path. Choose another one.'],
  page_path_fixed: [409, '{owner} already serves a page at this path. Choose another one.'],
  page_not_of_recipe: [409, "The recipe doesn't have this page."],
  menu_not_of_recipe: [409, "The recipe doesn't have this menu."],
  no_redirect: [404, 'No redirect exists for this path.'],
  redirect_exists: [409, 'A redirect from this path already exists. Edit it instead.'],
  redirect_loop: [
    409,
    'This redirect creates a loop or a chain of more than ten redirects. Point it at the final URL.',
  ],
  too_many_redirects: [409, 'The limit of {limit} redirects is reached. Replace several with a wildcard.'],
  page_gone: [410, 'This page has been permanently removed.'],
  body_too_costly: [422, 'The body is too complex to render. Simplify it.'],
})
