import { type Static, Type } from '@larder-dev/larder/kernel'

export const ContentOptions = Type.Object(
  {
    versions: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 100,
      description: 'Number of versions kept per page, in addition to the published one',
    }),
    editable: Type.Boolean({
      default: false,
      description: "Whether the operator's editors may change the recipe's menus, and its pages by default",
    }),
    templates: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_-]*$', maxLength: 64 }), {
      default: [],
      description:
        'Page templates in addition to page, landing and start: content.<name>.hbs in the pages folder of the theme',
    }),
    redirects: Type.Object(
      {
        allowHosts: Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '^[\\w.-]+(:\\d{1,5})?$' }), {
          default: [],
          description: 'Other hosts that redirects may target, such as docs.acme.test or localhost:3000',
        }),
      },
      { additionalProperties: false, default: {} },
    ),
  },
  { additionalProperties: false },
)
export type ContentOptions = Static<typeof ContentOptions>

/** Templates of this module. */
export const DEFAULT_TEMPLATE = 'page'
const BUILT_IN_TEMPLATES = [DEFAULT_TEMPLATE, 'landing', 'start']
export const templatesOf = ({ templates }: ContentOptions): string[] => [
  ...new Set([...BUILT_IN_TEMPLATES, ...templates]),
]
