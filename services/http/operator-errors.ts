/** Errors of the HTTP service that prevent a start. */
import { defineOperatorErrors } from 'larder/kernel'

export const operatorErrors = defineOperatorErrors({
  invalid_page_query: [
    'The page template {template} has an invalid query data.{key}: {mistake}.',
    'Correct the front matter of the template.',
  ],
})
