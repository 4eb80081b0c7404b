/** The section `collections` of a recipe. */
import { DURATION_PATTERN, OneOf, type Static, Type } from '@larder-dev/larder/kernel'
import { conditionSchema, conditionsSchema } from '@larder-dev/larder/kernel/internal'
import { MAX_COLLECTIONS, MAX_FIELDS } from '../domain/declarations/collection.ts'
import { OFFERED_VARIABLES, requestVariable } from '../domain/declarations/condition.ts'
import type { DeclaredCollection, DeclaredProfile } from '../domain/declarations/declaration.ts'
import { CollectionName, Field, FieldName, MemberProfileField, Text, UserProfileField } from './field-schemas.ts'

const MAX_INLINE_ROWS = 1000
const MAX_HISTORY = 1000
const MAX_CONDITIONS = 20

const variables = Object.values(OFFERED_VARIABLES)
const Rule = {
  ...conditionsSchema(MAX_CONDITIONS, {
    names: Object.fromEntries(
      variables.filter(({ name }) => !requestVariable(name)).map(({ name, title }) => [name, title]),
    ),
    values: variables.map(({ name }) => name),
  }),
  type: ['boolean', 'object'],
  description: 'true for every row, or conditions on fields that must all match',
  examples: [true],
}
const rules = (action: string, example: object) => ({
  type: 'object',
  additionalProperties: Rule,
  description: `Roles that may ${action} rows, with the rows they may ${action}`,
  examples: [example],
})
const Access = {
  type: 'object',
  additionalProperties: false,
  properties: {
    read: {
      ...rules('read', { 'tenant.member': true }),
      // Offered by editors.
      properties: { anyone: Rule, signedIn: Rule },
      description:
        'Roles that may read rows, with the rows they may read. signedIn: everybody with an account; anyone: people who are not signed in too',
    },
    create: {
      ...rules('create', { 'tenant.member': true }),
      // Offered by editors.
      properties: { anyone: Rule },
      description:
        'Roles that may create rows, with the rows they may create. anyone: people who are not signed in too',
    },
    update: rules('update', { 'tenant.member': { createdBy: '$user' } }),
    delete: rules('delete', { 'tenant.owner': true }),
  },
  description: 'Who may read and write rows; owners of the workspace that has the rows may by default',
}

const FieldNames = (description: string, example: readonly string[]) => ({
  type: 'array',
  minItems: 1,
  maxItems: MAX_FIELDS,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 100 },
  description,
  examples: [example],
})

/** The keywords of each type are apart, so that an invalid key gets one error. */
const ConditionalKey = {
  required: ['fields', 'where'],
  additionalProperties: false,
  properties: {
    fields: FieldNames('Fields of the key', ['email']),
    where: {
      type: 'object',
      minProperties: 1,
      maxProperties: MAX_CONDITIONS,
      additionalProperties: conditionSchema(),
      description: 'Conditions on fields of the row. Only rows that match all of them count',
      examples: [{ status: 'active' }],
    },
  },
}
const MAX_KEYS = 20
const MAX_KEY_FIELDS = 8

export const CollectionSchema = Type.Unsafe<DeclaredCollection>({
  type: 'object',
  required: ['fields'],
  additionalProperties: false,
  properties: {
    label: { ...Text, description: 'Name of one row in the console, or one per locale', examples: ['Course'] },
    title: { ...Text, description: 'Name of the list in the console, or one per locale', examples: ['Courses'] },
    help: { ...Text, description: 'Help text in the console, or one per locale' },
    scope: OneOf(['tenant', 'shared'], {
      description:
        "tenant: rows belong to a workspace. shared: rows belong to the operator's workspace, and access.read opens them to other people",
    }),
    fields: {
      type: 'object',
      minProperties: 1,
      maxProperties: MAX_FIELDS,
      propertyNames: FieldName,
      additionalProperties: Field,
      description: 'Fields by name',
      examples: [{ title: { type: 'text' } }],
    },
    unique: {
      ...ConditionalKey,
      type: ['array', 'object'],
      maxItems: MAX_KEYS,
      items: {
        ...FieldNames('Fields of one key', ['course', 'member']),
        ...ConditionalKey,
        type: ['array', 'object'],
        minItems: 2,
        maxItems: MAX_KEY_FIELDS,
      },
      description:
        'Combinations of fields that can occur only once in a workspace; with where, only once among the rows that match',
      examples: [[['course', 'member']], { fields: ['email'], where: { status: 'active' } }],
    },
    index: {
      type: 'array',
      maxItems: MAX_KEYS,
      items: { ...FieldNames('Fields of one index', ['status', 'startsAt']), minItems: 2, maxItems: MAX_KEY_FIELDS },
      description: 'Combinations of fields that lists filter and sort by together',
      examples: [[['status', 'startsAt']]],
    },
    noOverlap: {
      type: 'object',
      required: ['from', 'to'],
      additionalProperties: false,
      properties: {
        by: {
          ...FieldNames('Fields whose values share a calendar; without it, all rows of a workspace do', ['technician']),
          maxItems: MAX_KEY_FIELDS,
        },
        from: {
          type: 'string',
          minLength: 1,
          maxLength: 100,
          description: 'Field with the begin',
          examples: ['startsAt'],
        },
        to: {
          type: 'string',
          minLength: 1,
          maxLength: 100,
          description: 'Field with the end, which is not part of the period',
          examples: ['endsAt'],
        },
      },
      description: 'Periods that must not overlap',
      examples: [{ by: ['technician'], from: 'startsAt', to: 'endsAt' }],
    },
    capacity: {
      type: 'object',
      required: ['of', 'max'],
      additionalProperties: false,
      properties: {
        of: {
          type: 'string',
          minLength: 1,
          maxLength: 100,
          description: 'Reference to the row that has the places',
          examples: ['course'],
        },
        max: {
          type: ['integer', 'string'],
          minimum: 1,
          minLength: 1,
          maxLength: 200,
          description:
            'Number of places, or the number field of that row that has it. A row without a value there has any number of places',
          examples: ['course.seats', 20],
        },
        where: {
          ...ConditionalKey.properties.where,
          description: 'Conditions on fields of the row. Only rows that match all of them take a place',
        },
      },
      description: 'How many rows can refer to one row',
      examples: [{ of: 'course', max: 'course.seats' }],
    },
    search: FieldNames('Text fields that the search covers, most important first', ['title']),
    limit: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description:
        'Entitlement that limits rows: a gauge how many exist, a meter how many are created in a day or month',
      examples: ['courses.count'],
    },
    access: Access,
    trash: {
      type: 'string',
      pattern: DURATION_PATTERN,
      description: 'How long deleted rows can be restored',
      examples: ['30d'],
    },
    history: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_HISTORY,
      description: 'Number of former versions that are kept per row',
      examples: [50],
    },
    rows: {
      type: 'array',
      maxItems: MAX_INLINE_ROWS,
      items: { type: 'object' },
      description: 'Rows for development, and for shared collections',
    },
    seed: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'CSV file with rows',
      examples: ['./courses.csv'],
    },
    was: { ...CollectionName, description: 'Earlier name of a renamed collection, which keeps its rows' },
  },
})

const MAX_PROFILE_FIELDS = 50

const profileFields = (whose: string, field: object) => ({
  type: 'object',
  additionalProperties: false,
  required: ['fields'],
  properties: {
    fields: {
      type: 'object',
      minProperties: 1,
      maxProperties: MAX_PROFILE_FIELDS,
      propertyNames: FieldName,
      additionalProperties: field,
      description: 'Fields by name',
      examples: [{ phone: { type: 'text' } }],
    },
  },
  description: whose,
})

export const sections = {
  profile: Type.Unsafe<DeclaredProfile>({
    type: 'object',
    additionalProperties: false,
    properties: {
      user: profileFields('Fields of every person, the same in all workspaces', UserProfileField),
      member: profileFields('Fields of a member, for each workspace', MemberProfileField),
    },
    description: 'Fields of people and of members, in addition to name and address',
  }),
  collections: Type.Unsafe<Record<string, DeclaredCollection>>({
    type: 'object',
    propertyNames: CollectionName,
    additionalProperties: CollectionSchema,
    maxProperties: MAX_COLLECTIONS,
    description: "The product's own data: collections of rows with an API, by name",
  }),
}
export type Sections = { [K in keyof typeof sections]: Static<(typeof sections)[K]> }
