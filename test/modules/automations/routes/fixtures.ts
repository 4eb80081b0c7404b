/** A product with orders, whose buttons, hooks and questions tests use. */
import { fileURLToPath } from 'node:url'

export const SECRETS = {
  standard: `whsec_${Buffer.from('a key of 24 bytes, or so').toString('base64')}`,
  github: 'the secret of the repository',
  stripe: 'whsec_of_the_payment_provider',
  plain: 'a secret in the header',
}

export const shopRecipe = {
  modules: {
    identity: { impersonation: true },
    comms: { transport: 'mailbox' },
    collections: {},
    automations: {},
    desk: { use: fileURLToPath(new URL('../desk/module.js', import.meta.url)) },
  },
  roles: {
    'tenant.support': { name: 'Support', permissions: ['collections.orders.*', 'collections.notes.*'] },
    'tenant.manager': { name: 'Manager', permissions: ['collections.orders.*', 'collections.notes.*'] },
    'tenant.admin': { name: 'Admin', permissions: ['*'] },
    'tenant.reader': { name: 'Reader', permissions: ['collections.orders.read'] },
    'tenant.customer': { name: 'Customer', permissions: [] },
  },
  collections: {
    orders: {
      fields: {
        number: { type: 'text', required: true },
        state: { type: 'enum', values: ['open', 'closed'], default: 'open' },
        margin: { type: 'text', read: ['tenant.manager'] },
        pin: { type: 'text', private: true },
      },
      access: { read: { 'tenant.customer': { state: 'closed' } } },
    },
    notes: { fields: { text: { type: 'text', required: true } } },
  },
  automations: {
    refund: {
      button: {
        on: 'orders',
        label: { en: 'Refund', de: 'Erstatten' },
        roles: ['tenant.support', 'tenant.customer'],
        input: {
          amount: { type: 'integer', required: true, min: 1, max: 1000 },
          reason: { type: 'enum', values: ['broken', 'late'] },
        },
      },
      when: { 'row.state': 'open' },
      steps: [{ 'desk.note': { text: 'refund {{input.amount}} {{row.number}}' }, as: 'note' }],
    },
    touch: {
      button: { on: 'orders', label: 'Touch', roles: ['tenant.customer'] },
      steps: [{ 'desk.note': { text: 'touched {{row.number}}' } }],
    },
    hold: {
      button: { on: 'orders', label: 'Hold', roles: ['tenant.support'] },
      steps: [{ wait: '1h' }],
    },
    close: {
      button: { on: 'orders', label: 'Close', roles: ['tenant.support'] },
      when: { 'row.state': 'open' },
      steps: [
        { 'collections.update': { row: '$row', set: { state: 'closed' } } },
        { 'desk.note': { text: 'closed {{row.number}}' } },
      ],
    },
    'read-secrets': {
      on: 'collections.orders.created',
      when: { 'row.number': 'secrets' },
      steps: [
        { 'desk.note': { text: 'open {{row.number}}' } },
        { 'desk.call': { text: '{{row.margin}}' }, as: 'margin' },
        { 'desk.note': { text: 'after {{steps.margin}}' } },
        { 'desk.call': { text: '$row.pin' }, retry: { times: 0, within: '1s' } },
      ],
    },
    returns: {
      on: 'collections.orders.created',
      when: { 'row.number': 'returns' },
      steps: [
        { 'desk.note': { text: 'returned {{row.number}}' }, as: 'note' },
        { 'desk.call': { text: 'note {{steps.note.id}}' } },
        { 'desk.meet': { who: '$row.createdBy' } },
      ],
    },
    decide: {
      on: 'collections.orders.created',
      when: { 'row.number': 'decide' },
      steps: [
        {
          ask: {
            role: 'tenant.manager',
            text: { en: 'Ship {{row.number}}?', de: '{{row.number}} versenden?' },
            choices: ['ship', 'wait'],
          },
          as: 'answer',
        },
        { 'desk.note': { text: 'decided {{steps.answer.choice}}' } },
      ],
    },
    standard: {
      hook: {
        verify: 'standard-webhooks',
        secret: SECRETS.standard,
        input: { text: { type: 'text', required: true }, count: { type: 'integer' } },
      },
      when: { 'input.text': { ne: 'ignored' } },
      steps: [{ 'desk.note': { text: 'standard {{input.text}}' } }],
    },
    github: {
      hook: {
        verify: 'hmac',
        secret: SECRETS.github,
        header: 'x-hub-signature-256',
        prefix: 'sha256=',
        id: 'x-github-delivery',
      },
      steps: [{ 'desk.note': { text: 'github {{input.action}}' } }],
    },
    stripe: {
      hook: { verify: 'hmac', secret: [SECRETS.stripe], header: 'Stripe-Signature' },
      steps: [{ 'desk.note': { text: 'stripe {{input.type}}' } }],
    },
    plain: {
      hook: { verify: 'secret', secret: SECRETS.plain, header: 'authorization', prefix: 'Bearer ' },
      steps: [{ 'desk.note': { text: 'plain {{input.text}}' } }],
    },
  },
}

export interface Run {
  readonly id: string
  readonly state: string
  readonly automation: string
  readonly tenantId: string
}
export interface Problem {
  readonly code: string
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[]
}
