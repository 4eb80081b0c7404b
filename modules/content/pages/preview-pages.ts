/** One page for each template, in the theme and without content. Editors fill it with a text that isn't saved yet. */
import { html, page } from '@larder-dev/larder/kernel'
import { type ContentOptions, templatesOf } from '../options.ts'

export const previewPages = (options: ContentOptions) =>
  templatesOf(options).map(name =>
    page({
      name: `content.${name}`,
      path: `/content/preview/${name}`,
      title: 'Preview',
      allow: 'content.page.update',
      load: async () => ({
        data: { heading: null, body: html('<div data-preview></div>'), sections: [] },
        headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' },
      }),
    }),
  )
