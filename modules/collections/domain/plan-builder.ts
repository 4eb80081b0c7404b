/** Collects the changes of a plan. Pure. */
import { identifier } from './naming.ts'
import type { Retired, SchemaChange, SchemaPlan } from './schema-plan.ts'
import { addForeignKeySql, type ForeignKey } from './table-sql.ts'

type ChangeInput = Pick<SchemaChange, 'change' | 'subject' | 'detail'> & Partial<SchemaChange>

export interface PlanBuilder {
  /** What earlier changes have retired. */
  readonly retired: readonly Retired[]
  add(change: ChangeInput): void
  addForeignKeys(keys: readonly ForeignKey[]): void
  /** Adds statements that follow those of all changes. */
  addLate(sql: readonly string[]): void
  /** A name that no retired object has. */
  retiredName(name: string): string
  finish(): SchemaPlan
}

const NOTHING: Omit<SchemaChange, keyof ChangeInput & ('change' | 'subject' | 'detail')> = {
  table: undefined,
  loss: undefined,
  lostRows: undefined,
  checks: [],
  statements: [],
  retires: [],
  restores: undefined,
}

/** @param now milliseconds; part of the names of what is retired. */
export function createPlanBuilder(retired: readonly Retired[], now: number): PlanBuilder {
  const changes: SchemaChange[] = []
  const foreignKeys: string[] = []
  const taken = new Set(retired.flatMap(({ tables, column }) => [...Object.values(tables), column]))
  return {
    retired,
    add: change => void changes.push({ ...NOTHING, ...change }),
    addForeignKeys: keys => void foreignKeys.push(...keys.map(addForeignKeySql)),
    addLate: sql => void foreignKeys.push(...sql),
    retiredName(name) {
      let seconds = Math.floor(now / 1000)
      while (taken.has(retiredAt(seconds, name))) seconds++
      return retiredAt(seconds, name)
    },
    finish: () => ({ changes, foreignKeys }),
  }
}

const retiredAt = (seconds: number, name: string): string => identifier(`retired_${seconds.toString(36)}_${name}`)
