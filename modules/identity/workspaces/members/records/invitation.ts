import {
  idPattern,
  Nullable,
  named,
  OneOf,
  type RecordOf,
  type Static,
  Time,
  Timestamp,
  Type,
  table,
} from '@larder-dev/larder/kernel'

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const

export const invitationFields = {
  id: Type.String({ pattern: idPattern('inv') }),
  email: Type.String(),
  roles: Type.Array(Type.String()),
  locale: Nullable(Type.String({ description: 'Language of the email; null: of the account, or the default' })),
  /** An expired invitation is stored as pending. */
  status: OneOf(['pending', 'accepted', 'revoked']),
  invitedBy: Type.String({ description: 'User ID; `system` for an automation' }),
  expiresAt: Timestamp,
  acceptedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
const internalFields = {
  tenantId: Type.String(),
  emailKey: Type.String(),
  /** Version of the link. Sending the invitation again makes earlier links invalid. */
  version: Type.Integer(),
  /** Whether this version of the link was mailed. Then only the recipient has it, so that its use proves the address. */
  mailed: Type.Boolean(),
  acceptedBy: Nullable(Type.String()),
  /** When the invitation was sent again, within the window of the limit. */
  resentAt: Type.Array(Time),
}

export const invitationTable = table('identity_invitations', Type.Object({ ...invitationFields, ...internalFields }), {
  what: 'invitation',
  defaults: { status: 'pending', version: 1, resentAt: [] },
})
export type StoredInvitation = RecordOf<typeof invitationTable>

export const Invitation = named(
  'Invitation',
  Type.Object({
    ...invitationFields,
    status: OneOf(INVITATION_STATUSES),
    link: Type.Optional(Type.String({ description: 'Returned once, only with `sendEmail: false`' })),
  }),
  { leavesOut: Object.keys(internalFields) },
)
export type Invitation = Static<typeof Invitation>
