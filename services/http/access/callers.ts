/**
 * The caller of a request: principal, rights and tenant, by the hash of the secret. Requests that read may get a cached
 * caller, only together with its precondition, which the database evaluates with their first statement. So no entry
 * needs an invalidation. Requests that write read the current state, and run once. Only callers that exist are cached.
 */
import { hash } from 'node:crypto'
import {
  type AccessCatalogue,
  type Authentication,
  type Authenticator,
  type Caller,
  type Clock,
  type Credential,
  type Membership,
  may,
  type Operator,
  type Precondition,
  type Principal,
  scopesOf,
  type TenantChoice,
} from '@larder-dev/larder/kernel/internal'

export interface Known {
  readonly principal: Principal
  /** The caller has a tenant only if `isMember`. */
  readonly caller: Caller
  readonly isMember: boolean
  /** See `Membership`. */
  readonly suspended: Membership['suspended']
  /** The condition that must hold before a response is sent. Absent for a caller that was read during this request. */
  readonly precondition?: Precondition
}

export interface Callers {
  /** Reads the current state. Null for a credential that is unknown, expired or revoked. */
  find(credential: Credential, tenant: TenantChoice): Promise<Known | null>
  /** May return a cached caller, with its precondition. */
  findCached(credential: Credential, tenant: TenantChoice): Promise<Known | null>
  /** The number of cached callers. */
  readonly size: number
}

export interface CallersDeps {
  readonly authenticator?: Authenticator | undefined
  readonly clock: Clock
  readonly access: AccessCatalogue
  readonly operator: Operator
}

interface Entry {
  readonly known: Known
  readonly precondition: () => Precondition
  readonly loadedAt: number
  readonly reusableUntil: number
}

/** About 1 KiB each. The entries that were loaded first are evicted first. */
const MAX_ENTRIES = 20_000

export function createCallers({ authenticator, clock, access, operator }: CallersDeps): Callers {
  const scopes = scopesOf(access, operator.tenantId)
  const entries = new Map<string, Entry>()

  function toKnown({ kind }: Credential, { principal, membership }: Authentication): Known {
    const can = (permission: string) => membership !== null && may(scopes, principal, membership, permission)
    return {
      principal,
      caller: callerOf(principal, kind, membership, can),
      isMember: membership !== null,
      suspended: membership?.suspended,
    }
  }

  async function load(key: string, credential: Credential, tenant: TenantChoice): Promise<Known | null> {
    const loadedAt = clock.now()
    const found = (await authenticator?.authenticate(credential, tenant)) ?? null
    const known = found && toKnown(credential, found)
    entries.delete(key)
    if (!found?.precondition || !known || (tenant !== 'none' && !known.isMember)) return known
    const { precondition, reusableUntil = Number.POSITIVE_INFINITY } = found
    const [oldest] = entries.keys()
    if (entries.size >= MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
    entries.set(key, { known, precondition, loadedAt, reusableUntil })
    return known
  }

  function cached(key: string): Known | undefined {
    const entry = entries.get(key)
    const now = clock.now()
    if (!entry || now < entry.loadedAt || now >= entry.reusableUntil) return undefined
    return { ...entry.known, precondition: entry.precondition() }
  }

  return {
    get size() {
      return entries.size
    },
    find: (credential, tenant) => load(keyOf(credential, tenant), credential, tenant),
    async findCached(credential, tenant) {
      const key = keyOf(credential, tenant)
      return cached(key) ?? load(key, credential, tenant)
    },
  }
}

const keyOf = ({ kind, secret }: Credential, tenant: TenantChoice): string =>
  `${kind} ${hash('sha256', secret, 'base64')} ${typeof tenant === 'string' ? tenant : `=${tenant.named}`}`

function callerOf(
  principal: Principal,
  sent: Credential['kind'],
  member: Membership | null,
  can: (permission: string) => boolean,
): Caller {
  return Object.freeze({
    kind: principal.kind,
    credential: principal.kind === 'apiKey' ? 'apiKey' : sent,
    principalId: principal.id,
    userId: principal.userId,
    impersonatedBy: principal.impersonatedBy,
    mustVerifyEmail: principal.mustVerifyEmail ?? false,
    authenticatedAt: principal.authenticatedAt,
    tenantId: member?.tenantId,
    memberId: member?.memberId,
    roles: Object.freeze([...(member?.roles ?? [])]),
    isCustomer: member?.isCustomer,
    isSuspended: member?.suspended === 'customer',
    permissions: Object.freeze(member?.suspended ? [] : [...(member?.permissions ?? [])]),
    can,
  })
}
