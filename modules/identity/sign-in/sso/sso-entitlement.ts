import type { Deps } from '@larder-dev/larder/kernel'

const SSO = 'identity.sso'

/** Throws `entitlement_exceeded` if the plan of the workspace doesn't include single sign-on. */
export const requireSso = async ({ entitlements }: Deps<never, 'entitlements'>, tenantId: string): Promise<void> =>
  entitlements?.require(tenantId, SSO)

export const includesSso = async ({ entitlements }: Deps<never, 'entitlements'>, tenantId: string): Promise<boolean> =>
  entitlements === undefined || (await entitlements.check(tenantId, SSO)).allowed
