/** Collects the changes of a plan. Pure. */

import { identifier } from '../declarations/naming.ts'
import { addForeignKeySql, type ForeignKey } from '../tables/table-sql.ts'
import type { StoredExpansion } from './expansion.ts'
import type { Retired, SchemaChange, SchemaPlan } from './schema-plan.ts'

type ChangeInput = Pick<SchemaChange, 'change' | 'subject' | 'detail'> & Partial<SchemaChange>

export interface PlanBuilder {
  /** What earlier changes have retired. */
  readonly retired: readonly Retired[]
  /** Milliseconds. */
  readonly now: number
  /** What serves an earlier recipe. Changes that are added update the list. */
  readonly expansions: readonly StoredExpansion[]
  add(change: ChangeInput): void
  addForeignKeys(keys: readonly ForeignKey[]): void
  /** Adds statements that follow those of all changes. */
  addLate(sql: readonly string[]): void
  /** A name that no retired object has. */
  retiredName(name: string): string
  finish(): SchemaPlan
}

/** What a change has by default. */
export const unchanged: Omit<SchemaChange, keyof ChangeInput & ('change' | 'subject' | 'detail')> = {
  table: undefined,
  breaks: undefined,
  loss: undefined,
  lostRows: undefined,
  mistakes: [],
  checks: [],
  notes: [],
  statements: [],
  retires: [],
  restores: undefined,
  expands: undefined,
  contracts: undefined,
}

/** @param now milliseconds; part of the names of what is retired. */
export function createPlanBuilder(
  retired: readonly Retired[],
  stored: readonly StoredExpansion[],
  now: number,
): PlanBuilder {
  const changes: SchemaChange[] = []
  let expansions = stored.filter(({ complete }) => complete)
  const foreignKeys: string[] = []
  const taken = new Set(retired.flatMap(({ tables, column }) => [...Object.values(tables), column]))
  return {
    retired,
    now,
    get expansions() {
      return expansions
    },
    add(change) {
      const { expands, contracts } = change
      const same = ({ collection, field, kind }: StoredExpansion) =>
        [expands, contracts].some(
          other => other?.collection === collection && other.field === field && other.kind === kind,
        )
      if (expands || contracts) expansions = expansions.filter(expansion => !same(expansion))
      if (expands) expansions = [...expansions, { ...expands, complete: false, since: now }]
      changes.push({ ...unchanged, ...change })
    },
    addForeignKeys: keys => void foreignKeys.push(...keys.map(addForeignKeySql)),
    addLate: sql => void foreignKeys.push(...sql),
    retiredName(name) {
      let seconds = Math.floor(now / 1000)
      while (taken.has(retiredAt(seconds, name))) seconds++
      return retiredAt(seconds, name)
    },
    finish: () => ({ changes: [...discards(stored, changes), ...changes], foreignKeys }),
  }
}

const retiredAt = (seconds: number, name: string): string => identifier(`retired_${seconds.toString(36)}_${name}`)

/** Removes what was prepared for a recipe that is no longer wanted. */
const discards = (stored: readonly StoredExpansion[], changes: readonly SchemaChange[]): SchemaChange[] =>
  stored.flatMap((expansion): SchemaChange[] => {
    const { collection, field, kind, complete, undo, table } = expansion
    const isWanted = changes.some(
      ({ expands }) => expands?.collection === collection && expands.field === field && expands.kind === kind,
    )
    if (complete || isWanted) return []
    return [
      {
        ...unchanged,
        change: 'change',
        subject: `field ${collection}.${field}`,
        detail: 'its interrupted change is discarded',
        table,
        statements: undo.map(sql => ({ sql })),
        contracts: expansion,
      },
    ]
  })
