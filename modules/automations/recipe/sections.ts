/** The section `automations` of a recipe. */
import { POSITIVE_DURATION_PATTERN, type Static, Type } from '@larder-dev/larder/kernel'
import { conditionsSchema } from '@larder-dev/larder/kernel/internal'
import { MAX_STEPS } from '../domain/definition/automation.ts'
import type { DeclaredAutomations } from '../domain/definition/declared.ts'

/** Except for those that have routes of their own. */
export const AUTOMATION_KEY = '^[a-z][a-z0-9]*([_-][a-z0-9]+)*$'
const MAX_AUTOMATIONS = 500
const MAX_CONDITIONS = 20

const Duration = (description: string, example: string) => ({
  type: 'string',
  pattern: POSITIVE_DURATION_PATTERN,
  description,
  examples: [example],
})
const Text = (description: string, example: string, maxLength = 200) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
  examples: [example],
})
const LocalText = (description: string, example: string, maxLength = 200) => ({
  anyOf: [
    { type: 'string', minLength: 1, maxLength },
    { type: 'object', minProperties: 1, additionalProperties: { type: 'string', minLength: 1, maxLength } },
  ],
  description,
  examples: [example],
})
const Condition = (description: string, example: object) => ({
  ...conditionsSchema(MAX_CONDITIONS),
  description,
  examples: [example],
})
const Name = { type: 'string', maxLength: 60, pattern: '^[a-z][a-zA-Z0-9_]*$' }
const TimeZone = { ...Text('Time zone (IANA)', 'Europe/Berlin', 60) }
const Roles = {
  type: 'array',
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  items: { type: 'string', maxLength: 100 },
  description: 'Roles that see it and may press it',
  examples: [['tenant.support']],
}
const Inputs = {
  type: 'object',
  maxProperties: 20,
  propertyNames: Name,
  additionalProperties: {
    type: 'object',
    required: ['type'],
    properties: {
      type: { type: 'string', description: 'Type of the field, as in a collection', examples: ['text'] },
      label: LocalText('Label of the field', 'Amount'),
      required: { type: 'boolean', description: 'Whether it must be filled in' },
    },
    additionalProperties: true,
  },
  description: 'Fields of the form, as those of a collection',
  examples: [{ amount: { type: 'money', currency: 'EUR' } }],
}
const moment = (word: 'before' | 'after', example: object) => ({
  type: 'object',
  required: ['field', 'by'],
  additionalProperties: false,
  properties: {
    field: Text('Collection and field with the date', 'appointments.startsAt'),
    by: { ...Duration(`How long ${word} the date`, '24h'), pattern: '^(0[smhd]|\\d{1,9}s|\\d{1,7}m|\\d{1,5}[hd])$' },
    at: {
      type: 'string',
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      description: 'Time of day, for a field of type date',
      examples: ['09:00'],
    },
    timeZone: TimeZone,
  },
  description: `A time ${word} a date of each row; it moves with the date`,
  examples: [example],
})

export const stepWords = {
  when: Condition('Runs the step only if all of these match', { 'row.status': { ne: 'solved' } }),
  as: { ...Name, description: 'Name under which later steps read its result: $steps.answer', examples: ['answer'] },
  each: {
    type: 'string',
    pattern: '^\\$[a-zA-Z]',
    maxLength: 200,
    description: 'A list of at most 1,000 items; the step runs once for each, as $item',
    examples: ['$row.items'],
  },
  retry: {
    type: 'object',
    required: ['times', 'within'],
    additionalProperties: false,
    properties: {
      times: { type: 'integer', minimum: 0, maximum: 20, description: 'Attempts after the first one', examples: [5] },
      within: Duration('Time in which the attempts are made', '1h'),
    },
    description: 'Attempts after an error; 5 within one hour by default',
    examples: [{ times: 3, within: '1h' }],
  },
  onError: { enum: ['continue'], description: 'Goes on with the next step after the last attempt' },
  wait: {
    anyOf: [
      Duration('How long', '2d'),
      {
        type: 'object',
        required: ['until'],
        additionalProperties: false,
        properties: { until: Text('A value that is a time', '$row.startsAt') },
      },
    ],
    description: 'Waits for a duration, or until a time; at most 400 days',
    examples: ['2d', { until: '$row.startsAt' }],
  },
  ask: {
    type: 'object',
    required: ['role', 'text', 'choices'],
    additionalProperties: false,
    properties: {
      role: Text('Members with this role can answer', 'tenant.manager'),
      text: LocalText('The question', 'Refund {{input.amount}}?', 1000),
      choices: {
        type: 'array',
        minItems: 1,
        maxItems: 10,
        uniqueItems: true,
        items: Name,
        description: 'The answers',
        examples: [['approve', 'reject']],
      },
      timeout: Duration('Goes on without an answer after this time; 7d by default', '3d'),
    },
    description: 'Asks the members with a role; the first answer decides',
    examples: [{ role: 'tenant.manager', text: 'Refund {{input.amount}}?', choices: ['approve', 'reject'] }],
  },
} as const

/** @param actions schemas of inputs by action, if they are known. */
export const stepSchema = (actions?: Readonly<Record<string, object>>) => ({
  type: 'object',
  minProperties: 1,
  properties: { ...stepWords, ...actions },
  ...(actions
    ? { additionalProperties: false }
    : {
        // The check of the automations says which actions exist.
        additionalProperties: { type: ['object', 'null'] },
      }),
  description: 'An action with its input, or wait, or ask',
})

/** @param step the schema of a step. @param events the types of known events. */
export const automationSchema = (step: object, events?: readonly string[]) => {
  const event = { ...Text('Type of an event', 'collections.tickets.created'), ...(events && { examples: events }) }
  return {
    type: 'object',
    required: ['steps'],
    additionalProperties: false,
    properties: {
      label: LocalText('Name in the console', 'Tell the team'),
      on: {
        anyOf: [event, { type: 'array', minItems: 1, maxItems: 20, uniqueItems: true, items: event }],
        description: 'Starts with each event of this type, or of one of these types',
        examples: ['collections.tickets.created'],
      },
      changed: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        items: Name,
        description: 'With an event of an updated row: starts only if one of these fields has changed',
        examples: [['status']],
      },
      every: Text('Cron expression of five fields', '0 8 1 * *', 100),
      timeZone: { ...TimeZone, description: 'Time zone (IANA) of every; UTC by default' },
      before: moment('before', { field: 'appointments.startsAt', by: '24h' }),
      after: moment('after', { field: 'trials.endsAt', by: '1d' }),
      button: {
        type: 'object',
        required: ['on', 'label', 'roles'],
        additionalProperties: false,
        properties: {
          on: Text('Collection whose rows have the button', 'orders'),
          label: LocalText('Text of the button', 'Refund'),
          roles: Roles,
          confirm: LocalText('Question before it starts', 'Refund this order?'),
          input: Inputs,
        },
        description: 'A button on rows of a collection, with a form',
        examples: [{ on: 'orders', label: 'Refund', roles: ['tenant.support'] }],
      },
      hook: {
        type: 'object',
        required: ['verify', 'secret'],
        additionalProperties: false,
        properties: {
          verify: {
            enum: ['standard-webhooks', 'hmac', 'secret'],
            description:
              'How deliveries are verified: Standard Webhooks, a signature in a header, or a secret in a header',
          },
          secret: {
            anyOf: [
              { type: 'string', minLength: 16, maxLength: 500 },
              { type: 'array', minItems: 1, maxItems: 5, items: { type: 'string', minLength: 16, maxLength: 500 } },
            ],
            description: 'From the environment; several while one replaces another',
            examples: [`\${GITHUB_WEBHOOK_SECRET}`],
          },
          header: Text('Header with the signature or the secret', 'x-hub-signature-256', 100),
          prefix: { type: 'string', maxLength: 20, description: 'Before the signature', examples: ['sha256='] },
          encoding: { enum: ['hex', 'base64'], description: 'Encoding of the signature; hex by default' },
          id: Text('Header with the ID of the delivery', 'x-github-delivery', 100),
          input: Inputs,
        },
        description: 'Starts with a request to /v1/hooks/<name of the automation>',
        examples: [{ verify: 'standard-webhooks', secret: `\${WEBHOOK_SECRET}` }],
      },
      each: {
        anyOf: [
          { enum: ['workspaces'] },
          {
            type: 'object',
            required: ['collection'],
            additionalProperties: false,
            properties: {
              collection: Text('Name of a collection', 'projects'),
              filter: Condition('Rows, by their fields', { active: true }),
            },
          },
        ],
        description: 'With every: once for each row, or once in each workspace',
        examples: [{ collection: 'projects', filter: { active: true } }],
      },
      when: Condition('Starts only if all of these match', { 'row.priority': 'high' }),
      imports: { type: 'boolean', description: 'Whether imported, seeded and restored rows start it' },
      was: { type: 'string', pattern: AUTOMATION_KEY, maxLength: 60, description: 'Earlier name, whose runs continue' },
      steps: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_STEPS,
        items: step,
        description: 'What it does, in this order',
        examples: [[{ wait: '2d' }]],
      },
    },
  }
}

export const automationsSchema = (automation: object) =>
  Type.Unsafe<DeclaredAutomations>({
    type: 'object',
    propertyNames: { type: 'string', pattern: AUTOMATION_KEY, maxLength: 60 },
    maxProperties: MAX_AUTOMATIONS,
    additionalProperties: automation,
    description: 'What happens when something happens, by name',
    examples: [{ 'tell-the-team': { on: 'collections.tickets.created', steps: [] } }],
  })

export const sections = { automations: automationsSchema(automationSchema(stepSchema())) }
export type Sections = { [K in keyof typeof sections]: Static<(typeof sections)[K]> }
