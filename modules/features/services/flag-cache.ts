/** Flags as they are evaluated: read once a tenant, kept until the bus says that they changed. */
import { byCodeUnits, currentContext, type Deps, MIB } from 'larder/kernel'
import { compileFlag, type Flag, readsOf } from '../domain/flag.ts'
import type { Value } from '../domain/value.ts'
import { createKept } from './kept.ts'
import { type FlagRow, type OverrideRow, ownFlags, recipeFlags } from './flag-repository.ts'

/** Message on this channel: whose flags are others now; null is everybody's. */
export interface FeaturesChanged {
  readonly tenantId: string | null
}
const CHANGED = 'features.changed'
/** A message that was lost costs so long at most. Milliseconds. */
const LONGEST_LIFE = 60_000
/** Characters of all that tenants say themselves; whoever was read first goes first. */
const MOST = 64 * MIB
/** Of a tenant that says nothing itself. */
const LEAST = 1_000

export interface TenantFlags {
  /** Of this very set. */
  readonly id: number
  /** By key, in the order of keys. */
  readonly flags: ReadonlyMap<string, Flag>
  readonly overrides: ReadonlyMap<string, Value>
  /** Attributes that some answer hangs on. */
  readonly reads: readonly string[]
  /** Entitlements that some answer hangs on. */
  readonly entitlements: readonly string[]
  /** Characters that it holds beside those of the recipe. */
  readonly weight: number
}

export function createMemory({ database, bus, clock }: Deps<'database' | 'bus' | 'clock'>) {
  const bounds = { life: LONGEST_LIFE, most: MOST, weigh: ({ weight }: TenantFlags) => weight }
  const tenants = createKept<TenantFlags>(clock, bounds)
  const recipe = createKept<TenantFlags>(clock, bounds)
  let made = 0

  function setOf(flags: readonly Flag[], overrides: readonly OverrideRow[], own: readonly object[]): TenantFlags {
    const sorted = [...flags].sort((a, b) => byCodeUnits(a.key, b.key))
    const bound = sorted.flatMap(({ says }) => (says.entitlement === null ? [] : [says.entitlement]))
    return {
      id: ++made,
      flags: new Map(sorted.map(flag => [flag.key, flag])),
      overrides: new Map(overrides.map(({ key, value }) => [key, value])),
      reads: [...new Set(sorted.flatMap(readsOf))].sort(),
      entitlements: [...new Set(bound)].sort(),
      weight: LEAST + own.reduce((sum, row) => sum + JSON.stringify(row).length, 0),
    }
  }

  async function loadRecipe(): Promise<TenantFlags> {
    const rows = await recipeFlags(database)
    return setOf(rows.map(compiled), [], [])
  }

  async function loadTenant(tenantId: string): Promise<TenantFlags> {
    const common = await ofRecipe()
    const unit = database.tenant(tenantId)
    const [own, set] = await Promise.all([
      ownFlags(unit),
      unit.query<OverrideRow>('select key, value from features_overrides'),
    ])
    // Whoever has nothing of their own shares what is everybody's, and its answers.
    if (own.length + set.rows.length === 0) return common
    const shown = own.filter(({ key }) => !common.flags.has(key))
    return setOf([...common.flags.values(), ...shown.map(compiled)], set.rows, [...own, ...set.rows])
  }

  const ofRecipe = () => recipe.of('recipe', loadRecipe, isInUnit())
  const forget = () => {
    recipe.clear()
    tenants.clear()
  }
  const stop = bus.subscribe(
    CHANGED,
    message => {
      const { tenantId } = message as FeaturesChanged
      if (tenantId === null) forget()
      else tenants.forget(tenantId)
    },
    forget,
  )

  return {
    of(tenantId: string): TenantFlags | Promise<TenantFlags> {
      const own = database.currentTenant() ?? tenantId
      return tenants.of(tenantId, () => loadTenant(tenantId), isInUnit() && own === tenantId)
    },
    ofRecipe,
    stop,
    /** Every process reads anew once the unit that surrounds the call is committed. */
    changed(tenantId: string | null): void {
      database.afterCommit(() => bus.publish(CHANGED, { tenantId } satisfies FeaturesChanged))
    },
  }
}
/** Whether a unit of work surrounds the call. */
const isInUnit = (): boolean => currentContext().unit !== undefined

export type Memory = ReturnType<typeof createMemory>

const compiled = ({ key, says }: Pick<FlagRow, 'key' | 'says'>): Flag => compileFlag(key, says)
