import { Nullable, named, OneOf, Timestamp, Type } from '@larder-dev/larder/kernel'

const Text = Type.String()

export const AuditRecord = named(
  'AuditRecord',
  Type.Object({
    id: Text,
    tenantId: Text,
    action: Text,
    summary: Type.String({
      description:
        'Who did what, in the language of `Accept-Language`. Names users to callers with `identity.user.read_all`',
    }),
    facts: Type.Record(Text, Text, {
      description: 'What `summary` does not say, by labels in the same language. Times are in RFC 3339',
    }),
    actor: named(
      'AuditRecordActor',
      Type.Object({
        kind: OneOf(['login', 'apiKey', 'system']),
        id: Text,
        userId: Nullable(Text),
        impersonatedBy: Nullable(Text),
      }),
    ),
    subject: Nullable(Text),
    details: Type.Record(Type.String(), Type.Unknown()),
    createdAt: Timestamp,
  }),
)
