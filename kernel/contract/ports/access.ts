/** Who is calling, and what there is to be allowed. */

export type Credential =
  | { readonly kind: 'cookie'; readonly secret: string }
  | { readonly kind: 'bearer'; readonly secret: string }
  | { readonly kind: 'apiKey'; readonly secret: string }

/** Who a credential is, before any tenant. */
export interface Principal {
  readonly kind: 'login' | 'apiKey'
  /** `lgn_…` or `key_…`. */
  readonly id: string
  readonly userId: string
  /** An API key is bound to it; a dashboard token without the header means it. */
  readonly homeTenantId: string | null
  /** True if the user must verify their email address before they use routes with `verifiedEmail`. */
  readonly mustVerifyEmail?: boolean
  /** RFC 3339; nothing is cached past it. */
  readonly expiresAt: string | null
  /** For an API key: what it may at most; null is all that its creator may. */
  readonly permissions: readonly string[] | null
}

export interface Membership {
  readonly tenantId: string
  readonly memberId: string
  /** Role keys, those of scope platform included. */
  readonly roles: readonly string[]
  /** Patterns of scope tenant: `*`, `area.*`, `area.resource.*` or exact. */
  readonly permissions: readonly string[]
  /** Patterns of scope platform. */
  readonly platformPermissions: readonly string[]
}

/** Given by identity. The kernel caches both answers for at most 1 s and drops them on `callers.changed`. */
export interface Authenticator {
  /** Path of the page that browsers are redirected to when a page returns 401. It gets the query `next`. */
  readonly signInPath?: string
  identify(credential: Credential): Promise<Principal | null>
  /** `tenant` is an id or a slug; null where the principal is no member, or there is no such tenant. */
  membership(principal: Principal, tenant: string): Promise<Membership | null>
}

/** Message on the bus channel `callers.changed`: what to drop. Nothing named means all. */
export interface CallersChanged {
  readonly userId?: string
  readonly tenantId?: string
  readonly principalId?: string
}

/** Every permission and role of this recipe. */
export interface AccessCatalogue {
  permissions(): readonly PermissionEntry[]
  roles(): readonly RoleEntry[]
}
export interface PermissionEntry {
  readonly key: string
  readonly title: string
  readonly scope: 'tenant' | 'platform'
  readonly module: string
}
export interface RoleEntry {
  readonly key: string
  readonly name: string
  readonly scope: 'tenant' | 'platform'
  readonly permissions: readonly string[]
  /** The module that brings it, or `recipe`. */
  readonly from: string
}

/** What gauge entitlements count. */
export interface Usage {
  keys(): readonly string[]
  count(key: string, tenantId: string): Promise<number>
}
