import type { Caller } from '@larder-dev/larder/kernel'

/** What an owner does about a member's second factor. The feature of the second factor does it. */
export interface MemberFactors {
  /**
   * Removes the authenticator app of a member who lost it. Throws `not_owner`, and `member_elsewhere` if the caller isn't
   * an owner of each of the member's workspaces: an account must not become weaker by joining another one.
   */
  remove(tenantId: string, memberId: string, caller: Caller): Promise<void>
}
