import type { LocalText, Product, Registrations } from '@larder-dev/larder/kernel'
import type { MailTemplateInfo } from '@larder-dev/larder/kernel/internal'

const categories = { transactional: { title: 'Transactional' }, marketing: { title: 'Marketing' } }

const ACRONYMS = /\b(api|id|sso|url)\b/g

/** Words made from the last part of a key: `identity.password_reset` → `Password reset`. */
function keyWords(key: string): string {
  const words = key
    .slice(key.lastIndexOf('.') + 1)
    .replaceAll('_', ' ')
    .replace(ACRONYMS, word => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The names of templates by their keys. */
export const templateWords = (templates: readonly Pick<MailTemplateInfo, 'key'>[]): Record<string, LocalText> =>
  Object.fromEntries(templates.map(({ key }) => [key, keyWords(key)]))

/** @param templates in words */
export const resources = (
  templates: Readonly<Record<string, LocalText>>,
  { audience }: Pick<Product, 'audience'>,
): Registrations['resources'] => [
  {
    name: 'messages',
    group: 'messages',
    title: 'Emails',
    singular: 'Email',
    createTitle: 'Send email',
    label: 'subject',
    icon: 'mail',
    operations: { list: 'listEmails', get: 'getEmail', create: 'sendEmail' },
    labels: { to: 'Recipient', 'filter[to]': 'Recipient', templateKey: 'Template' },
    columns: ['subject', 'to', 'templateKey', 'status', 'attempts', 'locale', 'createdAt', 'sentAt'],
    filters: ['filter[status]', 'filter[to]'],
    actions: [
      { operation: 'getEmailContent', title: 'View content' },
      { operation: 'retryEmail', title: 'Send again' },
    ],
    sort: 'sort',
  },
  {
    name: 'all-messages',
    title: 'Emails of all workspaces',
    singular: 'Email of a workspace',
    label: 'subject',
    icon: 'mail-search',
    // A product of people has one workspace, whose emails have a list.
    isUnlisted: audience === 'people',
    operations: { list: 'listAllEmails', get: 'getAnyEmail' },
    labels: { to: 'Recipient', 'filter[to]': 'Recipient', templateKey: 'Template' },
    columns: ['subject', 'to', 'templateKey', 'status', 'tenantId', 'createdAt', 'sentAt'],
    filters: ['filter[status]', 'filter[to]', 'filter[tenantId]'],
    actions: [{ operation: 'resendAnyEmail', title: 'Send again' }],
  },
  {
    name: 'templates',
    title: 'Email templates',
    singular: 'Email template',
    label: 'key',
    key: 'key',
    icon: 'layout-template',
    operations: { list: 'listEmailTemplates', get: 'getEmailTemplate', update: 'overrideEmailTemplate' },
    columns: ['key', 'category', 'locales', 'own', 'source', 'sendable'],
    labels: { key: 'Template', own: 'Overridden in' },
    states: {
      category: categories,
      key: Object.fromEntries(Object.entries(templates).map(([key, title]) => [key, { title, tone: 'plain' }])),
    },
    fields: ['subject', 'preheader', 'html', 'text'],
    actions: [
      { operation: 'sendTestEmail', title: 'Send a test email' },
      {
        operation: 'deleteEmailTemplateOverride',
        title: 'Restore the original',
        danger: true,
        confirm: 'Delete your text of this email and use the original again?',
      },
    ],
  },
  {
    name: 'suppressions',
    title: 'Blocked addresses',
    singular: 'Blocked address',
    createTitle: 'Block address',
    label: 'email',
    icon: 'mail-minus',
    operations: {
      list: 'listSuppressions',
      get: 'getSuppression',
      create: 'createSuppression',
      delete: 'deleteSuppression',
    },
    columns: ['email', 'category', 'reason', 'createdAt', 'expiresAt'],
    states: {
      category: { ...categories, all: { title: 'All email' } },
      reason: {
        hard_bounce: { title: 'Undeliverable', tone: 'danger' },
        complaint: { title: 'Spam complaint', tone: 'danger' },
        unsubscribed: { title: 'Unsubscribed' },
        manual: { title: 'Manual' },
      },
    },
    filters: ['filter[email]'],
    actions: [{ operation: 'importSuppressions', title: 'Import', on: 'list' }],
  },
]
