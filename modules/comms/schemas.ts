/** What the routes of this module take and answer. */
import { idPattern, listOf, Nullable, OneOf, type Static, Timestamp, Type } from 'larder/kernel'
import type { Message } from './services/message-repository.ts'
import { STATES } from './domain/message-states.ts'
import type { Suppression } from './services/suppression-list.ts'

export const MessageId = Type.String({ pattern: idPattern('msg') })

export const MessageBody = Type.Object({
  id: MessageId,
  templateKey: Type.String(),
  to: Type.String(),
  locale: Type.String(),
  category: OneOf(['transactional', 'marketing']),
  subject: Type.String(),
  status: OneOf(STATES),
  attempts: Type.Integer(),
  events: Type.Array(
    Type.Object({
      type: OneOf([...STATES, 'deferred'], { description: 'deferred: refused for the moment, tried again later' }),
      at: Timestamp,
      detail: Type.Optional(Type.String()),
    }),
  ),
  sentAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export const MessageList = listOf(MessageBody)

export const SendBody = Type.Object(
  {
    templateKey: Type.String({ minLength: 1, maxLength: 100, description: 'e.g. identity.welcome' }),
    to: Type.String({ minLength: 3, maxLength: 254, description: 'one bare address' }),
    data: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'what the template is filled from' }),
    ),
    locale: Type.Optional(
      Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, examples: ['de'] }),
    ),
  },
  { examples: [{ templateKey: 'comms.test', to: 'ada@example.com', data: { note: 'Hello' } }] },
)

export const TemplateBody = Type.Object({
  key: Type.String(),
  locales: Type.Array(Type.String()),
  source: Type.String({ description: 'the module that brings it, or recipe' }),
  category: OneOf(['transactional', 'marketing']),
  own: Type.Array(Type.String(), { description: 'languages in which this tenant wrote its own text' }),
})
const KIB = 1024
export const TextBody = Type.Object(
  {
    subject: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: '^[^\\r\\n]*$',
      description: 'a template of one line',
      examples: ['Mail from {{product.name}}'],
    }),
    preheader: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
    html: Type.String({ minLength: 1, maxLength: 64 * KIB, description: 'a template of the body, inside the layout' }),
    text: Type.Optional(Nullable(Type.String({ maxLength: 64 * KIB, description: 'made from the HTML if left out' }))),
  },
  { examples: [{ subject: 'Mail from {{product.name}}', html: '<p>This is {{product.name}}.</p>' }] },
)
export const WholeTemplateBody = Type.Object({
  key: Type.String(),
  locale: Type.String({ description: 'of the text, where there is none in the language asked for' }),
  source: Type.String({ description: 'tenant, recipe, or the module that brings it' }),
  category: OneOf(['transactional', 'marketing']),
  subject: Type.String(),
  preheader: Nullable(Type.String()),
  html: Type.String(),
  text: Nullable(Type.String()),
  updatedAt: Nullable(Timestamp),
})
export const LocaleQuery = Type.Object({ locale: SendBody.properties.locale })
const { to, locale, data } = SendBody.properties
export const TestBody = Type.Object({ to, locale, data }, { examples: [{ to: 'ada@example.com' }] })
export const DraftBody = Type.Object(
  { locale, data, draft: Type.Optional(TextBody) },
  { examples: [{ draft: { subject: 'Mail from {{product.name}}', html: '<p>This is {{product.name}}.</p>' } }] },
)
export const PreviewBody = Type.Object({ subject: Type.String(), html: Type.String(), text: Type.String() })

export const SuppressionBody = Type.Object({
  id: Type.String({ pattern: idPattern('sup') }),
  email: Type.String(),
  category: OneOf(['all', 'marketing'], { description: 'all stops every mail, marketing that alone' }),
  reason: Type.String(),
  expiresAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const StopBody = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254 }),
    category: Type.Optional(SuppressionBody.properties.category),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    expiresAt: Type.Optional(Nullable(Timestamp)),
  },
  { examples: [{ email: 'ada@example.com', category: 'marketing', reason: 'asked by phone' }] },
)

export const KeptMailBody = Type.Object({
  id: Type.String({ pattern: idPattern('eml') }),
  messageId: MessageId,
  tenantId: Type.String(),
  from: Type.String(),
  to: Type.String(),
  subject: Type.String(),
  createdAt: Timestamp,
})
export const WholeMailBody = Type.Object({
  ...KeptMailBody.properties,
  headers: Type.Record(Type.String(), Type.String()),
  html: Type.String(),
  text: Type.String(),
})

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export const messageBody = ({
  template,
  history,
  sentAt,
  createdAt,
  updatedAt,
  ...rest
}: Message): Static<typeof MessageBody> => ({
  id: rest.id,
  templateKey: template,
  to: rest.to,
  locale: rest.locale,
  category: rest.category,
  subject: rest.subject,
  status: rest.status,
  attempts: rest.attempts,
  events: [...history],
  sentAt: iso(sentAt),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

export const suppressionBody = (entry: Suppression): Static<typeof SuppressionBody> => ({
  id: entry.id,
  email: entry.email,
  category: entry.category,
  reason: entry.reason,
  expiresAt: iso(entry.expiresAt),
  createdAt: entry.createdAt.toISOString(),
  updatedAt: entry.updatedAt.toISOString(),
})
