/**
 * The meaning of credentials: principal, rights and tenant, by the hash of the secret. A cached caller is used only
 * together with its precondition, which the database evaluates in the transaction of the request, so no entry needs an
 * invalidation. Only callers that exist are cached.
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
  type Precondition,
  type Principal,
  scopesOf,
  type TenantChoice,
} from 'larder/kernel'

export interface Known {
  readonly principal: Principal
  /** Without a tenant unless `isMember`. */
  readonly caller: Caller
  readonly isMember: boolean
  /** Must hold before anything is answered. Absent for what was read during this request. */
  readonly precondition?: Precondition
}

export interface Callers {
  /** Null for a credential that is unknown, expired or revoked. */
  find(credential: Credential, tenant: TenantChoice): Promise<Known | null>
  /** May return a cached caller, with its precondition, at once. */
  findCached(credential: Credential, tenant: TenantChoice): Known | Promise<Known | null>
  /** The number of cached callers. */
  readonly size: number
}

export interface CallersDeps {
  readonly authenticator?: Authenticator | undefined
  readonly clock: Clock
  readonly access: AccessCatalogue
}

interface Entry {
  known: Known
  readonly precondition: () => Precondition
  readonly loadedAt: number
  readonly reusableUntil: number
  /** The number of loads before this entry was last moved to the end. */
  position: number
}

/** About 1 KiB each. The least recently used entries are evicted first. */
const MAX_ENTRIES = 20_000
/** An entry in use moves to the end after this many loads: each move leaves garbage in the old generation of the heap. */
const MOVE_AFTER = MAX_ENTRIES / 4

export function createCallers({ authenticator, clock, access }: CallersDeps): Callers {
  const scopes = scopesOf(access)
  const entries = new Map<string, Entry>()
  const loads = new Map<string, Promise<unknown>>()
  let loadCount = 0

  function toKnown({ kind }: Credential, { principal, membership }: Authentication): Known {
    const can = (permission: string) => membership !== null && may(scopes, principal, membership, permission)
    return { principal, caller: callerOf(principal, kind, membership, can), isMember: membership !== null }
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
    entries.set(key, { known, precondition, loadedAt, reusableUntil, position: ++loadCount })
    return known
  }

  function cached(key: string): Known | undefined {
    const entry = entries.get(key)
    if (!entry) return undefined
    const now = clock.now()
    if (now < entry.loadedAt || now >= entry.reusableUntil) {
      entries.delete(key)
      return undefined
    }
    if (loadCount - entry.position >= MOVE_AFTER) {
      entry.position = loadCount
      entries.delete(key)
      entries.set(key, entry)
    }
    const precondition = entry.precondition()
    if (entry.known.precondition !== precondition) entry.known = { ...entry.known, precondition }
    return entry.known
  }

  async function loadShared(key: string, credential: Credential, tenant: TenantChoice): Promise<Known | null> {
    // A load that another request has started may have read an older state: its result needs the precondition.
    const other = loads.get(key)
    if (other) {
      await other.catch(() => {})
      const found = cached(key)
      if (found) return found
    }
    const loading = load(key, credential, tenant)
    loads.set(key, loading)
    try {
      return await loading
    } finally {
      loads.delete(key)
    }
  }

  return {
    get size() {
      return entries.size
    },
    find: (credential, tenant) => load(keyOf(credential, tenant), credential, tenant),
    findCached(credential, tenant) {
      const key = keyOf(credential, tenant)
      return cached(key) ?? loadShared(key, credential, tenant)
    },
  }
}

const keyOf = ({ kind, secret }: Credential, tenant: TenantChoice): string =>
  `${kind} ${hash('sha256', secret, 'base64')} ${typeof tenant === 'string' ? tenant : `=${tenant.named}`}`

function callerOf(
  principal: Principal,
  sent: Credential['kind'],
  member: Membership | null,
  decide: (permission: string) => boolean,
): Caller {
  const known = new Map<string, boolean>()
  return Object.freeze({
    kind: principal.kind,
    credential: principal.kind === 'apiKey' ? 'apiKey' : sent,
    principalId: principal.id,
    userId: principal.userId,
    impersonatedBy: principal.impersonatedBy,
    mustVerifyEmail: principal.mustVerifyEmail ?? false,
    tenantId: member?.tenantId,
    memberId: member?.memberId,
    roles: Object.freeze([...(member?.roles ?? [])]),
    permissions: Object.freeze([...(member?.permissions ?? [])]),
    can(permission: string) {
      const before = known.get(permission)
      if (before !== undefined) return before
      const now = decide(permission)
      known.set(permission, now)
      return now
    },
  })
}
