import { type Static, Type } from 'larder/kernel'

export const ContentOptions = Type.Object(
  {
    versions: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 100,
      description: 'Versions of a page that are kept; the published one always is',
    }),
    editable: Type.Boolean({
      default: false,
      description:
        "Whether the operator's editors may change the recipe's menus, and pages that do not say so themselves",
    }),
    templates: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_-]*$', maxLength: 64 }), {
      default: [],
      description: 'Page templates beside page and landing: content.<name>.hbs among the pages of the theme',
    }),
    redirects: Type.Object(
      {
        allowHosts: Type.Array(Type.String({ minLength: 1, maxLength: 255, pattern: '^[\\w.-]+(:\\d{1,5})?$' }), {
          default: [],
          description: 'Other hosts that redirects may lead to: docs.acme.test, localhost:3000',
        }),
      },
      { additionalProperties: false, default: {} },
    ),
  },
  { additionalProperties: false },
)
export type ContentOptions = Static<typeof ContentOptions>

/** Templates that come with the module. */
const OWN_TEMPLATES = ['page', 'landing']
export const templatesOf = ({ templates }: ContentOptions): string[] => [...new Set([...OWN_TEMPLATES, ...templates])]
