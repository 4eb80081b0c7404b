import type { Invitation, StoredInvitation } from './records/invitation.ts'

/** Computed on each read, so that no job has to mark expired invitations. */
export const isExpired = ({ status, expiresAt }: StoredInvitation, now: number): boolean =>
  status === 'pending' && Date.parse(expiresAt) <= now

export const toInvitation = (stored: StoredInvitation, now: number): Invitation => ({
  ...stored,
  status: isExpired(stored, now) ? 'expired' : stored.status,
})
