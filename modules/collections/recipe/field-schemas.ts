/** Schemas of the fields of a collection. */
import { DURATION_PATTERN, OneOf, SIZE_PATTERN, Type } from '@larder-dev/larder/kernel'
import { localTextOf } from '@larder-dev/larder/kernel/internal'
import { type FieldType, SIGNED_IN } from '../domain/declarations/collection.ts'
import type { DeclaredField } from '../domain/declarations/declaration.ts'
import { defaultVariables } from '../domain/declarations/default-variables.ts'
import { COLLECTION_NAME_PATTERN, FIELD_NAME_PATTERN, MAX_NAME_LENGTH } from '../domain/declarations/reserved.ts'
import { MAX_EXPRESSION_LENGTH } from '../domain/fields/expression.ts'
import { SEQUENCE_PATTERN } from '../domain/fields/sequences.ts'
import { TYPED } from '../domain/rows/page-form.ts'

/** Characters. */
const MAX_TEXT = 1_000_000

export const Text = localTextOf(Type.String({ minLength: 1, maxLength: 500 }))
export const CollectionName = { type: 'string', maxLength: MAX_NAME_LENGTH, pattern: COLLECTION_NAME_PATTERN }
export const FieldName = { type: 'string', maxLength: MAX_NAME_LENGTH, pattern: FIELD_NAME_PATTERN }
const RoleKey = { type: 'string', pattern: '^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$', examples: ['tenant.member'] }
const ReaderKey = { ...RoleKey, pattern: `^${SIGNED_IN}$|${RoleKey.pattern}` }
const Flag = (description: string) => ({ type: 'boolean', description })
const Roles = (description: string, items: object = RoleKey) => ({
  type: 'array',
  minItems: 1,
  maxItems: 50,
  items,
  description,
  examples: [['tenant.member']],
})

/** Options of every type that stores a value. */
const written = {
  required: Flag('Whether a row must have a value'),
  writeOnce: Flag('Set when the row is created, and never changed'),
  readOnly: Flag('Written by hooks and seeds only'),
  write: Roles('Roles that may write the field; all that may write the row by default'),
  using: {
    type: 'string',
    minLength: 1,
    maxLength: MAX_EXPRESSION_LENGTH,
    description:
      'Expression over the fields of the former recipe: the value of existing rows after a change of the type, or of a new required field',
    examples: ['number(price)'],
  },
}
const common = {
  label: { ...Text, description: 'Name of the field in the console, or one per locale', examples: ['Title'] },
  help: { ...Text, description: 'Help text in the console, or one per locale' },
  private: Flag('Never leaves the API: not in replies, filters, sorts, events or exports'),
  read: Roles(
    'Roles that may read the field, or signedIn for everybody with an account; all that may read the row by default',
    ReaderKey,
  ),
  was: {
    ...FieldName,
    description: 'Earlier name of a renamed field, which keeps its values and is served until this is removed',
  },
}
const unique = Flag('Whether a value can occur only once in a workspace')
const index = Flag('Creates an index, for filters and sorting')
const length = (name: string) => ({
  type: 'integer',
  minimum: 0,
  maximum: MAX_TEXT,
  description: `${name} number of characters`,
})
const lengths = { minLength: length('Smallest'), maxLength: length('Largest') }
const DEFAULT = 'Value of a new row that has none'
const DefaultExpression = {
  type: 'object',
  required: ['expression'],
  additionalProperties: false,
  properties: {
    expression: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_EXPRESSION_LENGTH,
      description: 'Expression over other fields of the row, and over the time',
      examples: ["lower(split(name, ' ', 1))"],
    },
  },
  examples: [{ expression: 'today() + 14' }],
}
/** A value, a variable, or an expression. */
const defaultOf = (value: object, variables: readonly string[] = []) => ({
  description: `${DEFAULT}${variables.length > 0 ? `; ${variables.join(' or ')}` : ''}; or an expression`,
  anyOf: [...(variables.length > 0 ? [{ type: 'string', enum: variables }] : []), value, DefaultExpression],
})
const textDefault = defaultOf({ type: 'string' })
const onUpdate = OneOf(['$now'], { description: 'Each change of the row sets the field to its time' })
const pattern = {
  type: 'string',
  minLength: 1,
  maxLength: 500,
  description: 'Regular expression (RE2) that values match',
  examples: ['^[A-Z]{3}$'],
}
const keys = { unique, index }
const limits = (value: object, variables: readonly string[] = []) => ({
  min: { ...value, description: 'Smallest value' },
  max: { ...value, description: 'Largest value' },
  default: defaultOf(value, variables),
})
const integer = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const dateText = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-01-31'] }
const timeText = { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00Z'] }
const durationText = { type: 'string', pattern: DURATION_PATTERN, examples: ['90m'] }

const States = {
  type: 'array',
  minItems: 1,
  maxItems: 200,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 100 },
}

/** The options of each type. */
const OPTIONS = {
  text: {
    ...written,
    ...lengths,
    ...keys,
    pattern,
    default: defaultOf({ type: 'string' }, defaultVariables('text')),
    sequence: {
      type: 'string',
      maxLength: 50,
      pattern: SEQUENCE_PATTERN,
      description: 'Numbers the rows of each workspace in this form, with at least as many digits as zeros in {}',
      examples: ['T-{0000}'],
    },
  },
  longtext: { ...written, ...lengths, default: textDefault },
  markdown: { ...written, ...lengths, default: textDefault },
  slug: {
    ...written,
    ...keys,
    maxLength: lengths.maxLength,
    from: { ...FieldName, description: 'Text field from which a missing slug is made', examples: ['title'] },
  },
  email: { ...written, ...keys, default: textDefault },
  url: { ...written, ...keys, maxLength: lengths.maxLength, default: textDefault },
  integer: { ...written, ...keys, ...limits(integer) },
  number: { ...written, ...keys, ...limits({ type: 'number' }) },
  money: {
    ...written,
    ...keys,
    currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217', examples: ['EUR'] },
    ...limits({ ...integer }),
  },
  boolean: { ...written, index, default: defaultOf({ type: 'boolean' }) },
  date: { ...written, ...keys, ...limits(dateText, defaultVariables('date')), onUpdate },
  datetime: { ...written, ...keys, ...limits(timeText, defaultVariables('datetime')), onUpdate },
  duration: { ...written, ...keys, ...limits(durationText) },
  enum: {
    ...written,
    ...keys,
    values: {
      type: 'array',
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 100 },
      description: 'Allowed values',
      examples: [['draft', 'published']],
    },
    labels: {
      type: 'object',
      maxProperties: 200,
      additionalProperties: Text,
      description: 'Words for values, or one per locale; by default the values themselves',
      examples: [{ draft: { en: 'Draft', de: 'Entwurf' } }],
    },
    transitions: {
      type: 'object',
      minProperties: 1,
      maxProperties: 200,
      additionalProperties: { ...States, minItems: 0 },
      description: 'Value → the values that may follow it. A value without an entry is final',
      examples: [{ open: ['waiting', 'solved'], waiting: ['open'] }],
    },
    initial: {
      ...States,
      description: 'With transitions: the values that a new row can have, beside the default',
      examples: [['open', 'waiting']],
    },
    roles: {
      type: 'object',
      maxProperties: 200,
      additionalProperties: Roles('Roles that may choose the value'),
      description: 'With transitions: value → roles that may choose it; all that may write the field by default',
      examples: [{ solved: ['tenant.agent'] }],
    },
    default: textDefault,
  },
  json: {
    ...written,
    schema: { type: 'object', description: 'JSON Schema of the value', examples: [{ type: 'array' }] },
    default: { description: DEFAULT },
  },
  file: {
    ...written,
    accept: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: { type: 'string', pattern: '^[a-z]+/(\\*|[A-Za-z0-9.+-]+)$', examples: ['image/*'] },
      description: 'Media types',
      examples: [['image/*']],
    },
    maxSize: { type: 'string', pattern: SIZE_PATTERN, description: 'Largest size of a file', examples: ['5MB'] },
  },
  member: {
    ...written,
    ...keys,
    default: OneOf(defaultVariables('member'), { description: 'The member who creates the row' }),
  },
  reference: {
    ...written,
    ...keys,
    to: { ...CollectionName, description: 'The collection that rows refer to', examples: ['categories'] },
    many: Flag('Whether a row refers to several rows'),
    onDelete: OneOf(['restrict', 'clear', 'cascade'], {
      description:
        'When the other row is deleted: refuse, remove the reference, or delete this row; restrict by default',
    }),
  },
  computed: {
    index,
    expression: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_EXPRESSION_LENGTH,
      description: 'Expression over fields of the row',
      examples: ['price * seats'],
    },
    of: OneOf(['text', 'number', 'integer', 'boolean', 'date', 'datetime'], { description: 'Type of the result' }),
  },
} satisfies Record<FieldType, Record<string, object>>

const REQUIRED: { readonly [Type in FieldType]?: readonly string[] } = {
  money: ['currency'],
  enum: ['values'],
  reference: ['to'],
  computed: ['expression', 'of'],
}

/** Names that other systems use. The message about an unknown type suggests what follows. */
const SYNONYMS = {
  string: 'text',
  varchar: 'text',
  char: 'text',
  uuid: 'text',
  phone: 'text',
  password: 'text with private: true',
  int: 'integer',
  bigint: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'money for prices, otherwise number',
  currency: 'money',
  bool: 'boolean',
  timestamp: 'datetime',
  time: 'text with pattern: "^[0-2][0-9]:[0-5][0-9]$"',
  array: 'json with schema: { type: array }, or reference with many: true',
  list: 'json with schema: { type: array }, or reference with many: true',
  object: 'json',
  jsonb: 'json',
  map: 'json',
  select: 'enum',
  choice: 'enum',
  richtext: 'markdown',
  html: 'markdown',
  image: 'file with accept: [image/*]',
  attachment: 'file',
  upload: 'file',
  relation: 'reference',
  ref: 'reference',
  link: 'reference for another row, or url',
  user: 'member',
  formula: 'computed',
}
const type = {
  type: 'string',
  enum: Object.keys(OPTIONS),
  description: 'Type of the field',
  examples: ['text'],
  'x-synonyms': SYNONYMS,
}

/** One alternative per type, chosen by `type`, so that only the errors of that type are reported. */
const variant = ([name, options]: [string, object], shared: object = common) => ({
  if: { properties: { type: { const: name } }, required: ['type'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: {
    type: 'object',
    properties: { type: { const: name }, ...options, ...shared },
    required: REQUIRED[name as FieldType] ?? [],
    additionalProperties: false,
  },
})
export const Field = Type.Unsafe<DeclaredField>({
  type: 'object',
  required: ['type'],
  properties: { type },
  allOf: Object.entries(OPTIONS).map(entry => variant(entry)),
  examples: [{ type: 'text', required: true }],
})

/** What bounds a value. The others are about rows of a table. */
const BOUNDS = ['minLength', 'maxLength', 'pattern', 'min', 'max', 'default', 'values', 'labels', 'currency', 'schema']
const boundsOf = (options: object) => ({
  ...Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => BOUNDS.includes(name))
      .map(([name, option]) => [name, name === 'default' ? plainDefault(option) : option]),
  ),
  required: Flag('Whether the value can be changed, but not removed. People are asked for it when they sign up'),
})
/** The value alone: a profile is created by its person, and has no other values. */
function plainDefault(option: {
  readonly anyOf?: readonly { readonly enum?: unknown; readonly properties?: unknown }[]
}) {
  const value = option.anyOf?.find(each => each.enum === undefined && each.properties === undefined)
  return value ? { ...value, description: DEFAULT } : option
}
/** People type these values, or programs write them. */
const PROFILE_TYPES = [...TYPED, 'json'] as const
/** What these refer to is deleted on its own, and a profile has no row that the database could compute from. */
const elsewhere = (kind: string) =>
  `a collection with a field of type member and one of type ${kind}, because nothing links a profile to what it names`
const PROFILE_SYNONYMS = {
  ...SYNONYMS,
  file: elsewhere('file'),
  image: elsewhere('file'),
  attachment: elsewhere('file'),
  upload: elsewhere('file'),
  member: elsewhere('member'),
  user: elsewhere('member'),
  reference: elsewhere('reference'),
  relation: elsewhere('reference'),
  ref: elsewhere('reference'),
  computed: 'a collection, because the database computes over columns of a table',
  formula: 'a collection, because the database computes over columns of a table',
}

/** A field of a profile. @param more options. */
const profileField = (more: object) =>
  Type.Unsafe<DeclaredField>({
    type: 'object',
    required: ['type'],
    properties: { type: { ...type, enum: [...PROFILE_TYPES], 'x-synonyms': PROFILE_SYNONYMS } },
    allOf: PROFILE_TYPES.map(name =>
      variant([name, boundsOf(OPTIONS[name])], { label: common.label, help: common.help, ...more }),
    ),
    examples: [{ type: 'text' }],
  })
export const MemberProfileField = profileField({})
export const UserProfileField = profileField({
  readOnly: Flag('Changed by operators only, so that rules can name it: $user.profile.…'),
})
