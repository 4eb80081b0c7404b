/** What every recipe says, whatever modules it names. Their options and sections are checked by the modules' own schemas. */

import { type Static, Type } from 'typebox'
import { DURATION_PATTERN, PERMISSION_PATTERN } from '../base/index.ts'

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

export const ThemeShape = Type.Object(
  {
    use: Type.String({
      default: 'default',
      minLength: 1,
      description: 'A theme of Larder, or the path of a folder: ./theme',
    }),
    tokens: Type.Record(
      Type.String({ pattern: '^[a-z][a-z0-9-]*$' }),
      Type.String({
        pattern: '^[^;{}<>\\r\\n]{1,200}$',
        description: 'a CSS value without ; { } < >; a colour stands in quotes',
        examples: ['#2457ff'],
      }),
      {
        default: {},
        description: 'Colours and sizes that replace those of the theme: name in lower case → CSS value',
        examples: [{ accent: '#2457ff' }],
      },
    ),
    logo: Type.Optional(Type.String({ minLength: 1, description: 'Path of an image' })),
  },
  { default: {}, description: 'How pages and mails look' },
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
    permissions: Type.Array(Type.String({ pattern: PERMISSION_PATTERN, examples: ['identity.member.read'] }), {
      description: 'Permissions of the modules: area.resource.action, area.resource.* or area.*',
      examples: [['identity.member.read']],
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

export const EmailsShape = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_-]*$' }),
  Type.Object({
    template: Type.String({
      minLength: 1,
      description: 'Path of the template; other languages stand beside it: welcome.hbs, welcome.de.hbs',
      examples: ['./emails/welcome.hbs'],
    }),
  }),
  {
    default: {},
    description: 'Mail templates in the place of those of the modules, or beside them: module.name → file',
  },
)

export const RateLimitShape = Type.Object({
  points: Type.Integer({ minimum: 1, description: 'Requests that are let through', examples: [300] }),
  window: Type.String({ pattern: DURATION_PATTERN, description: 'In which time', examples: ['1m'] }),
})
const RateLimitsShape = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_.-]*$' }), RateLimitShape, {
  default: {},
  description: 'Limits in the place of those of the routes, by their name; api is what each caller may ask in all',
  examples: [{ api: { points: 300, window: '1m' } }],
})

/** A module that Larder does not bring. */
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
  { description: 'A module of your own' },
)

export const RecipeShape = Type.Object({
  recipe: Type.Literal(1, { description: 'Version of this format' }),
  product: ProductShape,
  theme: ThemeShape,
  locales: LocalesShape,
  modules: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    default: {},
    description: 'What the product is made of: module → its options. The module platform is always there',
    examples: [{ identity: {} }],
  }),
  roles: RolesShape,
  emails: EmailsShape,
  docs: Type.Boolean({ default: true, description: 'Whether /docs and the OpenAPI document are open to anybody' }),
  rateLimits: RateLimitsShape,
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
