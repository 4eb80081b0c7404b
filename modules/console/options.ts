import { type LocalText, OneOf, PERIOD_STEPS, type PeriodStep, type Static, Type } from '@larder-dev/larder/kernel'

export type Scalar = string | number | boolean
/** Field → value, or operator → value; all must match. */
export type CardFilter = Readonly<Record<string, Scalar | Readonly<Record<string, Scalar | readonly Scalar[]>>>>

/** A card as a recipe or a module declares it. */
export interface DeclaredCard {
  readonly count?: string
  readonly chart?: string
  readonly filter?: CardFilter
  readonly by?: PeriodStep
  readonly time?: string
  readonly sum?: string
  readonly title?: LocalText
}

const MAX_CARDS = 12
const MAX_FILTERS = 10
const MAX_TITLE = 120
const MAX_VALUES = 100

const ScalarSchema = { type: ['string', 'number', 'boolean'], maxLength: 1000 }
const OPERATORS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'startsWith', 'endsWith', 'exists']
const Values = { type: 'array', minItems: 1, maxItems: MAX_VALUES, items: ScalarSchema }
/** A value, or operators. */
const Condition = {
  type: ['string', 'number', 'boolean', 'object'],
  maxLength: 1000,
  minProperties: 1,
  additionalProperties: false,
  properties: { ...Object.fromEntries(OPERATORS.map(name => [name, ScalarSchema])), in: Values, notIn: Values },
}
const Text = { type: 'string', minLength: 1, maxLength: MAX_TITLE }
const Collection = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })
const Field = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 100, description, examples: [example] })

const Card = Type.Object(
  {
    count: Type.Optional(Collection('Collection whose rows the card counts, with the change of this week')),
    chart: Type.Optional(Collection('Collection whose rows the card draws, compared with the period before')),
    filter: Type.Optional(
      Type.Unsafe<CardFilter>({
        type: 'object',
        minProperties: 1,
        maxProperties: MAX_FILTERS,
        additionalProperties: Condition,
        description:
          'Which rows, as field and value or field and operators; all must match. $member and $user are the reader, $today is the day in UTC and $now the time',
        examples: [{ status: 'open' }],
      }),
    ),
    by: Type.Optional(OneOf([...PERIOD_STEPS], { description: 'Length of the steps of a chart; day by default' })),
    time: Type.Optional(Field('Field of type date or datetime of a chart; createdAt by default', 'startsAt')),
    sum: Type.Optional(Field('Number field that a chart adds up; without it, rows are counted', 'price')),
    title: Type.Optional(
      Type.Unsafe<LocalText>({
        anyOf: [Text, { type: 'object', minProperties: 1, additionalProperties: Text }],
        description: 'Title, by language if it has several; that of the collection by default',
        examples: ['Open tickets'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const ConsoleOptions = Type.Object(
  {
    customers: Type.Optional(
      Type.Union([Type.Array(Type.String({ minLength: 1 }), { uniqueItems: true }), Type.Literal('all')], {
        description:
          "Areas of the console in workspaces other than the operator's: keys of modules and names of collections, or all. By default the collections and the product's own modules. Permissions stay the same",
      }),
    ),
    sidebar: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        uniqueItems: true,
        description:
          "Order of the navigation's groups: collections, people, content, money, messages, product, and keys of modules with a group of their own. Groups that are left out follow in this order, and the platform is last",
      }),
    ),
    home: Type.Optional(
      Type.Array(Card, {
        maxItems: MAX_CARDS,
        description:
          "Cards of the home screen: numbers and charts of the product's collections. By default every collection with the change of this week. People see the cards of collections that they may read",
        examples: [
          [
            { count: 'tickets', filter: { status: 'open' } },
            { chart: 'tickets', by: 'week' },
          ],
        ],
      }),
    ),
  },
  { additionalProperties: false },
)
export type ConsoleOptions = Static<typeof ConsoleOptions>
