/** Routes for editors of pages: the choices for a page, and its rendered text before it is saved. */
import { type Deps, named, route, Type, workerPoolProblems } from '@larder-dev/larder/kernel'
import { type ContentOptions, templatesOf } from '../options.ts'
import { problems } from '../problems.ts'
import { Body } from '../records/page.ts'
import type { ContentServices } from '../services.ts'

const ContentLocales = named(
  'ContentLocales',
  Type.Object({ default: Type.String(), available: Type.Array(Type.String()) }),
)
const ContentChoices = named(
  'ContentChoices',
  Type.Object({
    templates: Type.Array(Type.String(), { description: 'Values for the `template` of a page' }),
    locales: ContentLocales,
  }),
)
const RenderedText = named('RenderedText', Type.Object({ html: Type.String({ description: 'Sanitized' }) }))

export function previewRoutes(
  { markdown, product }: Deps<'product'> & Pick<ContentServices, 'markdown'>,
  options: ContentOptions,
) {
  const choices = route({
    method: 'get',
    path: '/content/choices',
    operationId: 'getContentChoices',
    summary: 'Returns the templates and locales that pages can have.',
    allow: 'content.page.update',
    replies: { 200: ContentChoices },
    handle: async () => ({
      templates: templatesOf(options),
      locales: { default: product.locales.default, available: [...product.locales.available] },
    }),
  })

  const render = route({
    method: 'post',
    path: '/content/render',
    operationId: 'renderPageText',
    summary: 'Renders Markdown as pages show it. Nothing is stored.',
    allow: 'content.page.update',
    body: Type.Object({ body: Body }),
    // No unit: it would hold a connection while the text is rendered.
    unit: 'own',
    idempotent: false,
    replies: { 200: RenderedText },
    problems: [workerPoolProblems.worker_pool_busy, problems.body_too_costly],
    handle: async ({ tenantId, body }) => ({ html: (await markdown.render(tenantId, body.body)).html }),
  })

  return [choices, render]
}
