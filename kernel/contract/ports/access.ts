/** Callers, permissions and roles. */
import type { LocalText } from '../../base/index.ts'
import type { Caller } from '../caller.ts'
import type { Precondition } from './database.ts'

export type Credential =
  | { readonly kind: 'cookie'; readonly secret: string }
  | { readonly kind: 'bearer'; readonly secret: string }
  | { readonly kind: 'apiKey'; readonly secret: string }

/** The owner of a credential, independent of a tenant. */
export interface Principal {
  readonly kind: 'login' | 'apiKey'
  /** `lgn_…` or `key_…`. */
  readonly id: string
  readonly userId: string
  /** User ID of the operator who acts as the user. */
  readonly impersonatedBy?: string | undefined
  /** The tenant of an API key, and of any credential for the choices `home` and `last`. */
  readonly homeTenantId: string | null
  /** True if the user must verify their email address before they use routes with `verifiedEmail`. */
  readonly mustVerifyEmail?: boolean
  /** When the person last proved who they are (RFC 3339): at sign-in or later. Absent for an API key. */
  readonly authenticatedAt?: string
  /** RFC 3339. */
  readonly expiresAt: string | null
  /** The permissions that limit an API key; null for all permissions of its creator. */
  readonly permissions: readonly string[] | null
}

export interface Membership {
  readonly tenantId: string
  readonly memberId: string
  /** Role keys, including those of scope platform. */
  readonly roles: readonly string[]
  /** Patterns of scope tenant: `*`, `area.*`, `area.resource.*` or exact. */
  readonly permissions: readonly string[]
  /** Patterns of scope platform. */
  readonly platformPermissions: readonly string[]
  /** See `Caller`. */
  readonly isCustomer?: boolean
  /** What an operator has suspended. In a suspended tenant, only permissions of scope platform apply; a customer has none. */
  readonly suspended?: 'tenant' | 'customer' | undefined
}

/**
 * `home`: the tenant of an API key, or the one that the user joined first. `last`: the one in which the person worked last,
 * by default that of `home`. `named`: an ID or a slug.
 */
export type TenantChoice = 'none' | 'home' | 'last' | { readonly named: string }

export interface Authentication {
  readonly principal: Principal
  /** Null for an unknown tenant, for a principal that isn't a member, and without a tenant. */
  readonly membership: Membership | null
  /** Holds while everything in this result does. Without it, the result is used for one request only. */
  readonly precondition?: (() => Precondition) | undefined
  /** Milliseconds since 1970. Later requests authenticate again. Unlimited by default. */
  readonly reusableUntil?: number
}

/** Provided by identity. */
export interface Authenticator {
  /** Path of the page that browsers are redirected to when a page returns 401. It gets the query `next`. */
  readonly signInPath?: string
  /** Path of the page on which a signed-in person proves who they are, for `recentAuth`. It gets the query `next`. */
  readonly reauthenticationPath?: string
  /** Reads the current state. Returns null for a credential that is unknown, expired or revoked. */
  authenticate(credential: Credential, tenant: TenantChoice): Promise<Authentication | null>
  /** Keeps the tenant in which a person works, for the choice `last`. For others than its members, nothing happens. */
  keepTenant?(caller: Pick<Caller, 'userId' | 'impersonatedBy'>, tenantId: string): Promise<void>
}

/** Callers that lost rights: those that match every field. At least one field is set. */
export interface RevokedAccess {
  readonly userId?: string
  readonly tenantId?: string
  readonly principalId?: string
}

/** The permissions and roles of the recipe. */
export interface AccessCatalogue {
  permissions(): readonly PermissionEntry[]
  /** With the permissions that modules grant to them. */
  roles(): readonly RoleEntry[]
}
/**
 * Whether the role of customers may have a permission. `true`: it shows and changes only what is the caller's own, or what
 * everybody may see. `granted`: the module limits it by rules where it grants it; as a permission of the role, it has no limit.
 */
export type ForCustomers = true | 'granted'
export interface PermissionEntry {
  readonly key: string
  readonly title: LocalText
  readonly scope: 'tenant' | 'platform'
  /** Whether it counts in the operator's tenant only: even an owner of another one doesn't hold it there. */
  readonly operatorOnly?: boolean
  /** Whether customers of a product of people may have it. */
  readonly customers?: ForCustomers
  readonly module: string
}
export interface RoleEntry {
  readonly key: string
  readonly name: string
  /** Shown where the role is chosen. */
  readonly description: string | null
  readonly scope: 'tenant' | 'platform'
  /** Whether it has an effect in the operator's tenant only, and isn't offered in others. */
  readonly operatorOnly?: boolean
  readonly permissions: readonly string[]
  /** The module that declares it, or `recipe`. */
  readonly from: string
}

/** Counts of gauge entitlements. */
export interface Usage {
  keys(): readonly string[]
  count(key: string, tenantId: string): Promise<number>
  /** What one person has created in the workspace; 0 if no module counts it by person. */
  countPersonal(key: string, tenantId: string, userId: string): Promise<number>
}
