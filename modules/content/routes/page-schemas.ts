/** Pages and redirects as they stand in bodies and answers. */
import { idPattern, Nullable, OneOf, type Static, Timestamp, Type } from 'larder/kernel'
import { REDIRECT_STATUSES as REDIRECT_STATUSES } from '../domain/redirect-rules.ts'

export const PAGE_STATUSES = ['draft', 'scheduled', 'published'] as const

/** The database gives a Date; it goes over the wire as RFC 3339. */
const Time = Type.Unsafe<Date>(Timestamp)
const ManagedBy = Nullable(Type.String({ description: 'recipe, or null where the tenant made it' }))

export const Slug = Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' })
export const Path = Type.String({ minLength: 1, maxLength: 512, pattern: '^/', examples: ['/about'] })
export const Locale = Type.String({ minLength: 2, maxLength: 35, pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$' })
export const Title = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' })
/** Characters; every version keeps its own. */
export const Body = Type.String({ maxLength: 200_000, description: 'Markdown' })
export const Template = Type.String({ minLength: 1, maxLength: 64, pattern: '^[a-z][a-z0-9_-]*$' })
export const Seo = Type.Object({
  title: Type.Optional(Type.String({ maxLength: 200 })),
  description: Type.Optional(Type.String({ maxLength: 500 })),
  noindex: Type.Optional(Type.Boolean({ description: 'Search engines leave it out' })),
})
export type Seo = Static<typeof Seo>

const PublishAt = Nullable(Type.String({ format: 'date-time', maxLength: 40, description: 'Published then by itself' }))

export const NewPage = Type.Object({
  slug: Slug,
  path: Type.Optional(Path),
  title: Title,
  body: Type.Optional(Body),
  locale: Type.Optional(Locale),
  template: Type.Optional(Template),
  seo: Type.Optional(Seo),
  publishAt: Type.Optional(PublishAt),
})
export type NewPage = Static<typeof NewPage>

export const PagePatch = Type.Object({
  slug: Type.Optional(Slug),
  path: Type.Optional(Path),
  title: Type.Optional(Title),
  body: Type.Optional(Body),
  template: Type.Optional(Template),
  seo: Type.Optional(Seo),
  publishAt: Type.Optional(PublishAt),
})
export type PagePatch = Static<typeof PagePatch>

export const Publishing = Type.Object({ publishAt: Type.Optional(PublishAt) })

const listed = {
  id: Type.String({ pattern: idPattern('pag') }),
  slug: Type.String(),
  path: Type.String(),
  locale: Type.String(),
  title: Type.String(),
  template: Type.String(),
  seo: Seo,
  status: OneOf(PAGE_STATUSES),
  version: Type.Integer({ description: 'Of what is shown here: the newest for editors, the published one for others' }),
  publishedVersion: Nullable(Type.Integer()),
  publishedAt: Nullable(Time),
  publishAt: Nullable(Time),
  managedBy: ManagedBy,
  createdAt: Time,
  updatedAt: Time,
}
/** Lists leave the text out. */
export const PageSummary = Type.Object(listed)
export type PageSummary = Static<typeof PageSummary>
export const Page = Type.Object({ ...listed, body: Type.String(), html: Type.String({ description: 'Sanitised' }) })
export type Page = Static<typeof Page>

const summary = {
  version: Type.Integer(),
  title: Type.String(),
  template: Type.String(),
  seo: Seo,
  published: Type.Boolean(),
  createdBy: Nullable(Type.String({ description: 'User id; null where the recipe wrote it' })),
  createdAt: Time,
}
export const VersionSummary = Type.Object(summary)
export type VersionSummary = Static<typeof VersionSummary>
export const Version = Type.Object({ ...summary, body: Type.String(), html: Type.String() })
export type Version = Static<typeof Version>

const RedirectFrom = Type.String({ minLength: 1, maxLength: 512, pattern: '^/', examples: ['/old/*'] })
const RedirectTo = Type.String({ minLength: 1, maxLength: 1024, examples: ['/new/:splat'] })
/** A number of these; the message of a wrong one lists them. */
const RedirectStatus = Type.Unsafe<(typeof REDIRECT_STATUSES)[number]>({
  type: 'integer',
  enum: [...REDIRECT_STATUSES],
})

export const NewRedirect = Type.Object({
  from: RedirectFrom,
  to: Type.Optional(Nullable(RedirectTo)),
  status: Type.Optional(RedirectStatus),
})
export type NewRedirect = Static<typeof NewRedirect>
export const RedirectPatch = Type.Partial(NewRedirect)
export type RedirectPatch = Static<typeof RedirectPatch>

export const Redirect = Type.Object({
  id: Type.String({ pattern: idPattern('red') }),
  from: Type.String(),
  to: Nullable(Type.String()),
  status: RedirectStatus,
  managedBy: ManagedBy,
  createdAt: Time,
  updatedAt: Time,
})
export type Redirect = Static<typeof Redirect>

export const Resolved = Type.Object({
  from: Type.String({ description: 'The rule that counts' }),
  to: Nullable(Type.String({ description: 'Where it leads from this path; null: gone' })),
  status: RedirectStatus,
})
export type Resolved = Static<typeof Resolved>
