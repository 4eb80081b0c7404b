/** Callers of background work, with the rights that they had at its start. Pure. */
import { type Caller, inEnglish, unworded, type Wording, wording } from '@larder-dev/larder/kernel'
import { anyCovers, type Membership } from '@larder-dev/larder/kernel/internal'

export type StoredCaller = Pick<
  Caller,
  'kind' | 'principalId' | 'userId' | 'memberId' | 'roles' | 'isCustomer' | 'permissions'
>

/** Why a job ended early. */
export interface JobFailure {
  readonly code: string
  readonly wording: Wording
}
/** Failures of earlier versions have only the English sentence. */
export type StoredFailure = { readonly code: string; readonly detail: string; readonly wording?: Wording }

export const storedFailure = ({ code, wording: text }: JobFailure): StoredFailure => ({
  code,
  detail: inEnglish(text),
  wording: text,
})
export const readFailure = (stored: StoredFailure | null): JobFailure | null =>
  stored && { code: stored.code, wording: stored.wording ?? unworded(stored.detail) }

export const RIGHTS_CHANGED: JobFailure = {
  code: 'rights_changed',
  wording: wording('The rights of the caller who started this changed. Start it again.'),
}

export const storedCaller = ({
  kind,
  principalId,
  userId,
  memberId,
  roles,
  isCustomer,
  permissions,
}: Caller): StoredCaller => ({
  kind,
  principalId,
  userId,
  memberId,
  roles,
  isCustomer,
  permissions,
})

export const callerOf = (caller: StoredCaller, tenantId: string): Caller => ({
  ...caller,
  credential: caller.kind === 'apiKey' ? 'apiKey' : 'bearer',
  tenantId,
  can: permission => anyCovers(caller.permissions, permission),
})

/** Whether a caller still has all the rights that they had. */
export const holdsStill = (now: Membership | null, before: StoredCaller): boolean =>
  now !== null &&
  now.memberId === (before.memberId ?? '') &&
  before.roles.every(role => now.roles.includes(role)) &&
  before.permissions.every(permission => anyCovers(now.permissions, permission))
