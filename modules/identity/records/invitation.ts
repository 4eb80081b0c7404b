import { idPattern, Nullable, named, OneOf, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const

export const Invitation = named(
  'Invitation',
  Type.Object({
    id: Type.String({ pattern: idPattern('inv') }),
    email: Type.String(),
    roles: Type.Array(Type.String()),
    locale: Nullable(Type.String({ description: 'Language of the email; null: of the account, or the default' })),
    status: OneOf(INVITATION_STATUSES),
    invitedBy: Type.String(),
    expiresAt: Timestamp,
    acceptedAt: Nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    link: Type.Optional(Type.String({ description: 'Returned once, only with `sendEmail: false`' })),
  }),
)
export type Invitation = Static<typeof Invitation>
