/** Caches compiled flags: loaded once per tenant, and dropped when the bus reports a change. */

import { byCodeUnits, currentContext, type Deps, MIB, MINUTE, together } from '@larder-dev/larder/kernel'
import { attributesRead, compileFlag, type Flag } from '../domain/flag.ts'
import type { Value } from '../domain/value.ts'
import type { FlagRow } from '../records/flag.ts'
import { type OverrideRow, recipeFlags, tenantFlags } from './flag-repository.ts'

const CHANNEL = 'features.changed'
/** Bounds the effect of a lost message. */
const ENTRY_LIFE_MS = MINUTE
/** Characters of JSON of the flags and overrides of all cached tenants. */
const MAX_CACHE_WEIGHT = 64 * MIB
/** Weight of a tenant without its own flags or overrides. */
const BASE_WEIGHT = 1_000
/** No tenant has this id. */
const RECIPE_ENTRY = 'recipe'

/** The flags of one tenant. */
export interface FlagSet {
  /** Identifies this version of the set. */
  readonly id: number
  /** In the order of keys. */
  readonly flags: ReadonlyMap<string, Flag>
  readonly overrides: ReadonlyMap<string, Value>
  /** Attributes that evaluations of these flags read. */
  readonly attributes: readonly string[]
  /** Entitlements that evaluations of these flags check. */
  readonly entitlements: readonly string[]
  /** Characters of JSON, without flags of the recipe. */
  readonly weight: number
}

export interface FlagCache {
  forTenant(tenantId: string): FlagSet | Promise<FlagSet>
  forRecipe(): FlagSet | Promise<FlagSet>
  /** Drops the flags of a tenant, or of every tenant for null, in all processes when the surrounding unit commits. */
  invalidateAfterCommit(tenantId: string | null): void
}

export function createFlagCache({
  database,
  systemDatabase,
  caches,
  clock,
}: Deps<'database' | 'systemDatabase' | 'caches' | 'clock'>): FlagCache {
  const cache = caches.create<FlagSet, typeof CHANNEL>({
    channel: CHANNEL,
    isOf: (tenantId, key) => tenantId === key,
    isStale: ({ tenantId }, key) => tenantId === null || tenantId === key,
    maxWeight: MAX_CACHE_WEIGHT,
    weigh: ({ weight }) => weight,
    expiry: { clock, lifeMs: ENTRY_LIFE_MS },
  })
  let lastId = 0

  function flagSet(flags: readonly Flag[], overrides: readonly OverrideRow[], own: readonly object[]): FlagSet {
    const sorted = [...flags].sort((a, b) => byCodeUnits(a.key, b.key))
    const entitlements = sorted.flatMap(({ definition: { entitlement } }) =>
      entitlement === null ? [] : [entitlement],
    )
    return {
      id: ++lastId,
      flags: new Map(sorted.map(flag => [flag.key, flag])),
      overrides: new Map(overrides.map(({ key, value }) => [key, value])),
      attributes: [...new Set(sorted.flatMap(attributesRead))].sort(),
      entitlements: [...new Set(entitlements)].sort(),
      weight: BASE_WEIGHT + own.reduce((sum, row) => sum + JSON.stringify(row).length, 0),
    }
  }

  async function loadRecipe(): Promise<FlagSet> {
    const rows = await recipeFlags(systemDatabase)
    return flagSet(rows.map(compileRow), [], [])
  }

  async function loadTenant(tenantId: string): Promise<FlagSet> {
    const shared = await forRecipe()
    const unit = database.tenant(tenantId)
    const { own, overrides } = await together({
      own: tenantFlags(unit),
      overrides: unit.query<OverrideRow>('select key, value from features_overrides'),
    })
    // Tenants without their own flags or overrides share one set, and its cached responses.
    if (own.length + overrides.rows.length === 0) return shared
    const visible = own.filter(({ key }) => !shared.flags.has(key))
    const all = [...shared.flags.values(), ...visible.map(compileRow)]
    return flagSet(all, overrides.rows, [...own, ...overrides.rows])
  }

  /**
   * A call inside a unit of work loads within that unit and doesn't cache what it loaded: the unit sees uncommitted rows,
   * and a caller that holds a connection must not wait for callers that wait for one.
   */
  function get(key: string, load: () => Promise<FlagSet>, joinUnit: boolean): FlagSet | Promise<FlagSet> {
    if (joinUnit) return cache.peek(key) ?? load()
    return cache.get(key, () => database.beside(load))
  }

  const forRecipe = () => get(RECIPE_ENTRY, loadRecipe, isInUnit())

  return {
    forTenant(tenantId) {
      const unitTenant = database.currentTenant() ?? tenantId
      return get(tenantId, () => loadTenant(tenantId), isInUnit() && unitTenant === tenantId)
    },
    forRecipe,
    invalidateAfterCommit: tenantId => database.afterCommit(() => cache.invalidate({ tenantId })),
  }
}

const isInUnit = (): boolean => currentContext().unit !== undefined

const compileRow = ({ key, definition }: Pick<FlagRow, 'key' | 'definition'>): Flag => compileFlag(key, definition)
