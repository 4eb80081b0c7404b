/** The sections of a landing page in the recipe. */
import { LINE_PATTERN, type Static, Type } from '@larder-dev/larder/kernel'
import { localTextOf } from '@larder-dev/larder/kernel/internal'
import { ICON_NAMES } from '../domain/icons.ts'

const closed = { additionalProperties: false }

const Line = localTextOf(Type.String({ minLength: 1, maxLength: 200, pattern: LINE_PATTERN }))
const Words = localTextOf(Type.String({ minLength: 1, maxLength: 1000 }))
const Field = Type.String({ minLength: 1, maxLength: 64 })
/** Browsers and screens of phones have no room for more. */
const MAX_ACTIONS = 3
const MAX_FEATURES = 24
const MAX_CARDS = 24
export const DEFAULT_CARDS = 6
const MAX_FACTS = 6
const MAX_FILTERS = 4

const heading = { title: Line, text: Type.Optional(Words) }
const Action = Type.Object(
  { label: Line, path: Type.String({ minLength: 1, maxLength: 2000, description: 'Path of this site, or a URL' }) },
  closed,
)
export type Action = Static<typeof Action>

const Hero = Type.Object(
  {
    text: Type.Optional(Words),
    actions: Type.Optional(
      Type.Array(Action, {
        minItems: 1,
        maxItems: MAX_ACTIONS,
        description: 'Buttons, the first of which is emphasized. By default, visitors can sign up and sign in',
      }),
    ),
  },
  { ...closed, description: 'The title of the page in large letters, a sentence below it, and buttons' },
)
/** Editors complete the examples. An unknown name is reported with the sections, because a sign is also valid. */
const Icon = Type.String({
  minLength: 1,
  maxLength: 32,
  description: `A name (${ICON_NAMES.join(', ')}) or an emoji`,
  examples: ICON_NAMES,
})
const Features = Type.Object(
  {
    ...heading,
    items: Type.Array(Type.Object({ title: Line, text: Type.Optional(Words), icon: Type.Optional(Icon) }, closed), {
      minItems: 1,
      maxItems: MAX_FEATURES,
    }),
  },
  { ...closed, description: 'What the product does, each with an icon' },
)
const Plans = Type.Object(heading, { ...closed, description: 'The plans of the module billing, with their limits' })
const CollectionCards = Type.Object(
  {
    ...heading,
    collection: Type.String({ minLength: 1, maxLength: 64 }),
    filter: Type.Optional(Type.Unsafe<object>({ type: 'object', description: 'As in a query of a page template' })),
    sort: Type.Optional(Type.Array(Field, { minItems: 1, maxItems: 5 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_CARDS, description: `By default ${DEFAULT_CARDS}` })),
    card: Type.Object(
      {
        title: Field,
        text: Type.Optional(Field),
        image: Type.Optional(Field),
        facts: Type.Optional(
          Type.Array(Field, { minItems: 1, maxItems: MAX_FACTS, description: 'Such as a level, a category or a time' }),
        ),
      },
      { ...closed, description: 'The fields that each card shows' },
    ),
    search: Type.Optional(Type.Boolean({ description: 'Whether visitors search the rows' })),
    filters: Type.Optional(
      Type.Array(Field, {
        minItems: 1,
        maxItems: MAX_FILTERS,
        description: 'Enums, booleans and references that visitors filter by',
      }),
    ),
    link: Type.Optional(
      Type.String({
        maxLength: 512,
        pattern: '^/',
        description: 'Path of the page of a row, with fields as parameters',
        examples: ['/courses/:slug'],
      }),
    ),
    more: Type.Optional(Action),
  },
  { ...closed, description: 'Rows of a collection that the visitor may read, as cards' },
)

export const PageSection = Type.Object(
  {
    hero: Type.Optional(Hero),
    features: Type.Optional(Features),
    plans: Type.Optional(Plans),
    collection: Type.Optional(CollectionCards),
  },
  { ...closed, minProperties: 1, maxProperties: 1 },
)
export type PageSection = Static<typeof PageSection>
export type CollectionCards = Static<typeof CollectionCards>

/** As in `path: /courses/:slug`. */
export const LINK_PARAMETER = /:([A-Za-z][A-Za-z0-9_]*)/g

/** Whether visitors look through all rows: the section then has a search, filters, or both, pages, and the number of rows. */
export const isBrowsable = ({ search = false, filters }: CollectionCards): boolean => search || filters !== undefined

export const queryOf = (section: CollectionCards) => {
  const { collection, filter, sort, card, search, filters, limit = DEFAULT_CARDS } = section
  return {
    collection,
    ...(filter && { filter }),
    ...(sort && { sort }),
    ...(card.facts && { facts: card.facts }),
    ...(search && { q: '$query.q' }),
    ...(filters && { filters }),
    ...(isBrowsable(section) && { paginate: 'page', total: true }),
    limit,
  }
}

/** The template that shows sections. */
export const LANDING = 'landing'
