/** What the routes of this module take and answer. */
import { idPattern, listOf, Nullable, OneOf, type Static, Timestamp, Type } from '../../kernel/contract.ts'
import type { Message } from './messages.ts'
import { STATES } from './states.ts'
import type { Suppression } from './suppression.ts'

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

export const SendBody = Type.Object({
  templateKey: Type.String({ minLength: 1, maxLength: 100, description: 'e.g. identity.welcome' }),
  to: Type.String({ minLength: 3, maxLength: 254, description: 'one bare address' }),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'what the template is filled from' })),
  locale: Type.Optional(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 })),
})

export const TemplateBody = Type.Object({
  key: Type.String(),
  locales: Type.Array(Type.String()),
  source: Type.String({ description: 'the module that brings it, or recipe' }),
  category: OneOf(['transactional', 'marketing']),
})
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
