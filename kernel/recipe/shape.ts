/** What every recipe says, whatever modules it names. Their options and sections are checked by the modules' own schemas. */

import type { Static } from 'typebox'
import { PERMISSION_PATTERN, Type } from '../base/index.ts'

const LOCALE = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'

export const ProductShape = Type.Object(
  {
    key: Type.String({
      pattern: '^[a-z][a-z0-9_-]{0,31}$',
      description: 'Short name in lower case; API keys begin with it',
      examples: ['acme'],
    }),
    name: Type.String({ minLength: 1, maxLength: 100, description: 'What people read', examples: ['Acme'] }),
    publicUrl: Type.String({
      pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$',
      description: 'Address under which people reach the product',
      examples: ['https://acme.example'],
    }),
  },
  { description: 'The product that this recipe makes' },
)

export const LocalesShape = Type.Object(
  {
    default: Type.String({
      pattern: LOCALE,
      default: 'en',
      description: 'Language of those who chose none',
      examples: ['en'],
    }),
    available: Type.Array(Type.String({ pattern: LOCALE, examples: ['en', 'de'] }), {
      default: ['en'],
      minItems: 1,
      uniqueItems: true,
      description: 'Languages to choose from',
    }),
  },
  { default: {}, description: 'Languages, as BCP 47 tags: en, de, pt-BR' },
)

export const RolesShape = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$' }),
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100, description: 'What people read', examples: ['Support'] }),
    permissions: Type.Array(Type.String({ pattern: PERMISSION_PATTERN, examples: ['invoices.invoice.read'] }), {
      description: 'Permissions of the modules: area.resource.action, area.resource.* or area.*',
      examples: [['invoices.invoice.read']],
    }),
    scope: Type.Union([Type.Literal('tenant'), Type.Literal('platform')], {
      default: 'tenant',
      description: 'platform reaches across tenants',
    }),
  }),
  {
    default: {},
    description: 'Roles beside those of the modules: area.name → what they may',
    examples: [{ 'tenant.support': {} }],
  },
)

/** A module or service that doesn't ship with Larder. */
export const UsedModuleShape = Type.Object(
  {
    use: Type.String({
      minLength: 1,
      description: 'Where the module is: a path that begins with ./ or ../, or an npm package',
      examples: ['./modules/invoices'],
    }),
    optional: Type.Optional(Type.Boolean({ description: 'The rest starts without it where it fails' })),
    options: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'Options of the module' }),
    ),
  },
  { description: 'Your own module or service' },
)

export const RecipeShape = Type.Object({
  recipe: Type.Literal(1, { description: 'Version of this format' }),
  product: ProductShape,
  locales: LocalesShape,
  modules: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    default: {},
    description: 'Modules of the product, by name, with their options',
    examples: [{ invoices: { use: './modules/invoices' } }],
  }),
  services: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    default: {},
    description: 'Options of the core services, or replacements: service → { use: ./my-bus }',
    examples: [{ bus: { use: './services/bus' } }],
  }),
  roles: RolesShape,
})
export type RecipeValue = Static<typeof RecipeShape> & Record<string, unknown>

/** Keys that the reader takes before anything is checked. */
export const ReadShape = Type.Object({
  extends: Type.Optional(
    Type.String({
      description:
        'A recipe under this one: a path, or one that Larder ships. Maps merge deeply, lists and scalars replace',
      examples: ['larder/saas'],
    }),
  ),
  include: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: 'Parts that stand in other files; a key stands in one of them alone',
      examples: [['./plans.yaml', './pages/*.yaml']],
    }),
  ),
})
