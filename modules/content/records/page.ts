/** Pages and their versions in request bodies and replies. */
import {
  bodyOf,
  idPattern,
  LOCALE_PATTERN,
  NameOf,
  Nullable,
  named,
  OneOf,
  type RecordOf,
  type Static,
  Time,
  Type,
  table,
  Writable,
} from '@larder-dev/larder/kernel'

export const PAGE_STATUSES = ['draft', 'scheduled', 'published'] as const

export const ManagedBy = Nullable(Type.String({ description: 'recipe, or null for content of the tenant' }))

export const Slug = Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' })
export const Path = Type.String({ minLength: 1, maxLength: 512, pattern: '^/', examples: ['/about'] })
export const MediaId = Type.String({
  pattern: idPattern('med'),
  description: 'Pages that show this image, in their newest or published text',
})
export const Locale = Type.String({ minLength: 2, maxLength: 35, pattern: LOCALE_PATTERN })
export const Title = NameOf(200)
/** Characters: every version stores its body. */
export const MAX_BODY_LENGTH = 200_000
export const Body = Type.String({ maxLength: MAX_BODY_LENGTH, description: 'Markdown' })
export const Template = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9_-]*$' })
export const Seo = named(
  'PageSeo',
  Type.Object({
    title: Type.Optional(Type.String({ maxLength: 200 })),
    description: Type.Optional(Type.String({ maxLength: 500 })),
    noindex: Type.Optional(Type.Boolean({ description: 'Excludes the page from search engines' })),
  }),
)
export type Seo = Static<typeof Seo>

const PublishAt = Nullable(
  Type.String({ format: 'date-time', maxLength: 40, description: 'Publishes the page at this time' }),
)

export const address = {
  slug: Writable(Type.String(), Slug),
  path: Writable(Type.String(), Type.Optional(Path)),
  locale: Type.String(),
}
/** What each version stores, except its body. */
const text = {
  title: Writable(Type.String(), Title),
  template: Writable(Type.String(), Type.Optional(Template)),
  seo: Writable(Seo, Type.Optional(Seo)),
}
const written = {
  ...bodyOf(address),
  ...bodyOf(text),
  body: Type.Optional(Body),
  publishAt: Type.Optional(PublishAt),
}
export const NewPage = Type.Object({ ...written, locale: Type.Optional(Locale) })
export type NewPage = Static<typeof NewPage>

export const PagePatch = Type.Partial(Type.Object(written))
export type PagePatch = Static<typeof PagePatch>

export const Publishing = Type.Object({ publishAt: Type.Optional(PublishAt) })

const listed = {
  id: Type.String({ pattern: idPattern('pag') }),
  ...address,
  ...text,
  status: OneOf(PAGE_STATUSES),
  version: Type.Integer({
    description: 'The version in this reply: the newest for editors, the published one for others',
  }),
  publishedVersion: Nullable(Type.Integer()),
  publishedAt: Nullable(Time),
  publishAt: Nullable(Time),
  managedBy: ManagedBy,
  editable: Type.Boolean({ description: 'Whether editors may change the page. Otherwise the recipe does' }),
  createdAt: Time,
  updatedAt: Time,
}
/** A page without its text. */
export const PageSummary = named('PageSummary', Type.Object(listed), { leavesOut: ['revision'] })
export type PageSummary = Static<typeof PageSummary>
export const Page = named(
  'Page',
  Type.Object({ ...listed, body: Type.String(), html: Type.String({ description: 'Sanitized' }) }),
  { leavesOut: ['revision', 'recipeHash', 'recipeVersion'] },
)
export type Page = Static<typeof Page>

const summary = {
  version: Type.Integer(),
  ...text,
  published: Type.Boolean(),
  createdBy: Nullable(Type.String({ description: 'User id; null for the recipe' })),
  createdAt: Time,
}
export const VersionSummary = named('PageVersionSummary', Type.Object(summary))
export type VersionSummary = Static<typeof VersionSummary>
export const Version = named('PageVersion', Type.Object({ ...summary, body: Type.String(), html: Type.String() }))
export type Version = Static<typeof Version>

/** The address and the state of a page. Its versions have the text. */
export const pageTable = table(
  'content_pages',
  Type.Object({
    id: Type.String(),
    ...address,
    /** The newest version. */
    version: Type.Integer(),
    publishedVersion: Nullable(Type.Integer()),
    publishedAt: Nullable(Time),
    publishAt: Nullable(Time),
    revision: Type.Integer(),
    managedBy: ManagedBy,
    editable: Type.Boolean(),
    recipeHash: Nullable(Type.String()),
    recipeVersion: Nullable(Type.Integer()),
    createdAt: Time,
    updatedAt: Time,
  }),
  {
    what: 'page',
    defaults: { version: 1, revision: 1, editable: true },
    hidden: { tenantId: Type.String() },
    revision: 'revision',
  },
)
export type PageRow = Readonly<RecordOf<typeof pageTable>>

/** The text of a version, with the HTML rendered from it. */
export const textTable = table('content_versions', Type.Object({ ...text, body: Type.String(), html: Type.String() }), {
  what: 'version',
  hidden: {
    tenantId: Type.String(),
    pageId: Type.String(),
    number: Type.Integer(),
    createdBy: Nullable(Type.String()),
    createdAt: Time,
  },
})
export type RenderedText = Readonly<RecordOf<typeof textTable>>
