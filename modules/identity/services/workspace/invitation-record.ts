import { iso, isoOrNull } from '../../domain/time.ts'
import type { Invitation } from '../../records/invitation.ts'

export interface InvitationRow {
  id: string
  tenant_id: string
  email: string
  email_key: string
  roles: string[]
  status: 'pending' | 'accepted' | 'revoked'
  version: number
  locale: string | null
  invited_by: string
  accepted_by: string | null
  accepted_at: Date | null
  expires_at: Date
  created_at: Date
  updated_at: Date
}

/** Computed on each read, so that no job has to mark expired invitations. */
export const isExpired = (row: Pick<InvitationRow, 'status' | 'expires_at'>, now: number): boolean =>
  row.status === 'pending' && row.expires_at.getTime() <= now

export const toInvitation = (row: InvitationRow, now: number): Invitation => ({
  id: row.id,
  email: row.email,
  roles: row.roles,
  locale: row.locale,
  status: isExpired(row, now) ? 'expired' : row.status,
  invitedBy: row.invited_by,
  expiresAt: iso(row.expires_at),
  acceptedAt: isoOrNull(row.accepted_at),
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})
