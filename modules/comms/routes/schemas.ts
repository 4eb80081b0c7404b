/** Schemas of messages and template data, which several routes use. */

import {
  idPattern,
  LOCALE_PATTERN,
  Nullable,
  named,
  OneOf,
  type Static,
  Timestamp,
  Type,
} from '@larder-dev/larder/kernel'
import { RequiredText } from '@larder-dev/larder/kernel/internal'
import { STATES } from '../domain/message-states.ts'
import type { Message } from '../records/message.ts'

export const Category = OneOf(['transactional', 'marketing'])
export const MessageId = Type.String({ pattern: idPattern('msg') })

export const MessageBody = named(
  'Email',
  Type.Object({
    id: MessageId,
    templateKey: Type.String(),
    to: Type.String(),
    locale: Type.String(),
    category: Category,
    subject: Type.String(),
    status: OneOf(STATES),
    attempts: Type.Integer(),
    events: Type.Array(
      named(
        'EmailEvent',
        Type.Object({
          type: OneOf([...STATES, 'deferred', 'unsubscribed'], {
            description:
              'deferred: a temporary failure; the message is retried. unsubscribed: the recipient unsubscribed at the provider',
          }),
          at: Timestamp,
          detail: Type.Optional(Type.String()),
        }),
      ),
    ),
    sentAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)

export const Recipient = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'One address without a display name',
})
export const TemplateData = Type.Record(Type.String(), Type.Unknown(), { description: 'Values for the template' })
export const Locale = Type.String({
  pattern: LOCALE_PATTERN,
  maxLength: 35,
  examples: ['de'],
})
export const LocaleQuery = Type.Object({ locale: Type.Optional(Locale) })

const KIB = 1024
/** Texts of a template, as a tenant writes them. */
export const OverrideBody = named(
  'EmailTemplateOverride',
  Type.Object(
    {
      subject: RequiredText(500, {
        pattern: '^[^\\r\\n]*$',
        description: 'A template of one line',
        examples: ['Mail from {{product.name}}'],
      }),
      preheader: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
      html: RequiredText(64 * KIB, { description: 'A template of the body, inside the layout' }),
      text: Type.Optional(
        Nullable(Type.String({ maxLength: 64 * KIB, description: 'Derived from the HTML if omitted' })),
      ),
    },
    { examples: [{ subject: 'Mail from {{product.name}}', html: '<p>This is {{product.name}}.</p>' }] },
  ),
)

export const toMessageBody = ({
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
  sentAt: sentAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
