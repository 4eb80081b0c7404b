import { LINE_PATTERN, OneOf, type Static, Type } from '@larder-dev/larder/kernel'
import { localTextOf } from '@larder-dev/larder/kernel/internal'
import type { MenuItem } from '../domain/menu.ts'
import { RecipeMenuItems } from '../records/navigation.ts'
import { Body, Path, Seo, Slug, Template, Title } from '../records/page.ts'
import { PageSection } from '../records/page-section.ts'
import { NewRedirect } from '../records/redirect.ts'

const closed = { additionalProperties: false }

const MAX_SECTIONS = 20

export const RecipePage = Type.Object(
  {
    path: Type.Optional(Path),
    was: Type.Optional(
      Type.String({
        ...Slug,
        description: 'Earlier slug of a renamed page, which keeps its versions and leaves a redirect',
      }),
    ),
    title: localTextOf(Type.String({ ...Title, pattern: LINE_PATTERN })),
    body: Type.Optional(localTextOf(Body)),
    template: Type.Optional(Template),
    sections: Type.Optional(
      Type.Array(PageSection, {
        maxItems: MAX_SECTIONS,
        description: 'What a page with template: landing shows, from top to bottom; the body follows',
      }),
    ),
    seo: Type.Optional(Type.Object(Seo.properties, closed)),
    status: Type.Optional(OneOf(['published', 'draft'])),
    editable: Type.Optional(Type.Boolean({ description: 'Whether the operator’s editors may change the page' })),
  },
  closed,
)
export type RecipePage = Static<typeof RecipePage>

/** A map whose keys follow a pattern. */
const mapOf = <T>(key: object, value: object, description: string) =>
  Type.Unsafe<Record<string, T>>({ type: 'object', propertyNames: key, additionalProperties: value, description })

export const sections = {
  pages: mapOf<RecipePage>(Slug, RecipePage, 'Pages of the site by slug; a body that begins with ./ names a file'),
  navigation: mapOf<MenuItem[]>(
    { type: 'string', pattern: '^[a-z][a-z0-9_-]*$' },
    RecipeMenuItems,
    'Menus by key; pages of the site show main and footer',
  ),
  redirects: Type.Array(Type.Object(NewRedirect.properties, closed), { maxItems: 5000 }),
}
export type Sections = { [K in keyof typeof sections]: Static<(typeof sections)[K]> }
