/** Looks up callers, at most once per second and credential. */

import {
  type AccessCatalogue,
  type Authenticator,
  type Caller,
  type CallersChanged,
  type Clock,
  type Credential,
  createTtlCache,
  type Membership,
  may,
  type Principal,
  SECOND,
  scopesOf,
  type UntypedBus,
} from 'larder/kernel'
export interface Callers {
  principal(credential: Credential): Principal | null | Promise<Principal | null>
  /** Null if the principal isn't a member of this tenant (ID or slug), or its key is bound to another one. */
  member(principal: Principal, kind: Credential['kind'], tenant: string): Caller | null | Promise<Caller | null>
  /** The caller outside any tenant. */
  withoutTenant(principal: Principal, kind: Credential['kind']): Caller
  close(): void
}

export interface CallersDeps {
  readonly authenticator?: Authenticator | undefined
  readonly bus: UntypedBus
  readonly clock: Clock
  readonly access: AccessCatalogue
}

export function createCallers({ authenticator, bus, clock, access }: CallersDeps): Callers {
  const scopes = scopesOf(access)
  const principals = createTtlCache<Principal | null>(clock, SECOND)
  const members = createTtlCache<Caller | null>(clock, SECOND)
  const forget = () => {
    principals.clear()
    members.clear()
  }
  const close = bus.subscribe(
    'callers.changed',
    message => {
      const changed = (message ?? {}) as CallersChanged
      principals.invalidate(principal => affects(changed, principal?.userId, undefined, principal?.id))
      members.invalidate(caller => affects(changed, caller?.userId, caller?.tenantId, caller?.principalId))
    },
    forget,
  )
  const lookUp = async (principal: Principal, kind: Credential['kind'], tenant: string): Promise<Caller | null> => {
    const member = (await authenticator?.membership(principal, tenant)) ?? null
    if (!member) return null
    if (principal.kind === 'apiKey' && member.tenantId !== principal.homeTenantId) return null
    return callerOf(principal, kind, member, permission => may(scopes, principal, member, permission))
  }

  return {
    principal: credential =>
      principals.get(
        `${credential.kind} ${credential.secret}`,
        async () => (await authenticator?.identify(credential)) ?? null,
        expiry,
      ),
    member: (principal, kind, tenant) =>
      members.get(
        `${kind} ${principal.id} ${tenant}`,
        () => lookUp(principal, kind, tenant),
        () => expiry(principal),
      ),
    withoutTenant: (principal, kind) => callerOf(principal, kind, undefined, () => false),
    close: () => {
      close()
      forget()
    },
  }
}

/** Milliseconds since 1970. */
const expiry = (principal: Principal | null): number =>
  principal?.expiresAt ? Date.parse(principal.expiresAt) : Number.POSITIVE_INFINITY

/** Entries without a principal (unknown credential, not a member) match every change. */
function affects(
  changed: CallersChanged,
  userId: string | undefined,
  tenantId: string | undefined,
  principalId: string | undefined,
): boolean {
  const other = (named: string | undefined, mine: string | undefined) =>
    named !== undefined && mine !== undefined && named !== mine
  return !(
    other(changed.userId, userId) ||
    other(changed.tenantId, tenantId) ||
    other(changed.principalId, principalId)
  )
}

function callerOf(
  principal: Principal,
  sent: Credential['kind'],
  member: Membership | undefined,
  decide: (permission: string) => boolean,
): Caller {
  const known = new Map<string, boolean>()
  return Object.freeze({
    kind: principal.kind,
    credential: principal.kind === 'apiKey' ? 'apiKey' : sent,
    principalId: principal.id,
    userId: principal.userId,
    mustVerifyEmail: principal.mustVerifyEmail ?? false,
    tenantId: member?.tenantId,
    memberId: member?.memberId,
    roles: member?.roles ?? [],
    permissions: member?.permissions ?? [],
    can(permission: string) {
      const before = known.get(permission)
      if (before !== undefined) return before
      const now = decide(permission)
      known.set(permission, now)
      return now
    },
  })
}
