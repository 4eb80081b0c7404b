/** Schemas of the keys of every recipe. Modules declare the schemas of their options and sections. */

import type { Static } from 'typebox'
import { LINE_PATTERN, PERMISSION_PATTERN, Type } from '../base/index.ts'

const LOCALE = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'

const Line = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 100, pattern: LINE_PATTERN, description, examples: [example] })

export const ProductShape = Type.Object(
  {
    key: Type.String({
      pattern: '^[a-z][a-z0-9_-]{0,31}$',
      description: 'Short lower-case name; the prefix of API keys',
      examples: ['acme'],
    }),
    name: Line('Display name', 'Acme'),
    publicUrl: Type.String({
      pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$',
      description: 'Public URL of the product',
      examples: ['https://acme.example'],
    }),
    audience: Type.Union([Type.Literal('teams'), Type.Literal('people')], {
      default: 'teams',
      description:
        "teams: each customer has a workspace. people: everybody is a customer in the operator's workspace, and plans belong to the person",
    }),
  },
  { description: 'The product that the recipe describes' },
)

export const LocalesShape = Type.Object(
  {
    default: Type.String({
      pattern: LOCALE,
      default: 'en',
      description: 'Language of users who have not chosen one',
      examples: ['en'],
    }),
    available: Type.Array(Type.String({ pattern: LOCALE, examples: ['en', 'de'] }), {
      default: ['en'],
      minItems: 1,
      uniqueItems: true,
      description: 'Languages that users can choose',
    }),
  },
  { default: {}, description: 'Languages as BCP 47 tags: en, de, pt-BR' },
)

const RoleKey = Type.String({ pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$' })

export const RolesShape = Type.Record(
  RoleKey,
  Type.Object({
    name: Line('Display name', 'Support'),
    description: Type.Optional(Line('What the role is for, shown where it is chosen', 'Answers support requests')),
    extends: Type.Optional(
      Type.Union([RoleKey, Type.Array(RoleKey)], {
        description: 'Roles of the recipe or of its modules whose permissions this role has too',
        examples: ['tenant.user'],
      }),
    ),
    permissions: Type.Array(Type.String({ pattern: PERMISSION_PATTERN, examples: ['invoices.invoice.read'] }), {
      description: 'Permissions of modules: area.resource.action, area.resource.* or area.*',
      examples: [['invoices.invoice.read']],
    }),
    scope: Type.Union([Type.Literal('tenant'), Type.Literal('platform')], {
      default: 'tenant',
      description: 'platform applies across tenants',
    }),
    operatorOnly: Type.Optional(
      Type.Boolean({ description: "Whether the role is offered in the operator's workspace only" }),
    ),
  }),
  {
    default: {},
    description: 'Roles in addition to those of the modules, by key',
    examples: [{ 'tenant.support': {} }],
  },
)

/** A module or service that doesn't ship with Larder. */
export const UsedModuleShape = Type.Object(
  {
    use: Type.String({
      minLength: 1,
      description: 'A path that begins with ./ or ../, or an npm package',
      examples: ['./modules/invoices'],
    }),
    optional: Type.Optional(Type.Boolean({ description: 'Whether the product starts without the module if it fails' })),
    options: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'Options of the module' }),
    ),
  },
  { description: 'A custom module or service' },
)

export const RecipeShape = Type.Object({
  recipe: Type.Literal(1, { description: 'Version of the format' }),
  product: ProductShape,
  locales: LocalesShape,
  modules: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    default: {},
    description: 'Modules of the product by name, with their options',
    examples: [{ invoices: { use: './modules/invoices' } }],
  }),
  services: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    default: {},
    description: 'Options of the core services, or replacements: bus: { use: ./my-bus }',
    examples: [{ bus: { use: './services/bus' } }],
  }),
  roles: RolesShape,
})
export type RecipeValue = Static<typeof RecipeShape> & Record<string, unknown>

/** Keys that are resolved before the recipe is validated. */
export const ReadShape = Type.Object({
  extends: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description:
        'Recipes to build on: paths, or shipped ones. Maps are merged deeply, lists and scalars are replaced, null removes a key',
      examples: ['larder/saas', ['larder/saas', 'larder/control-plane']],
    }),
  ),
  include: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: 'Other files with parts of the recipe. A value can be set in one file only',
      examples: [['./plans.yaml', './pages/*.yaml']],
    }),
  ),
})
