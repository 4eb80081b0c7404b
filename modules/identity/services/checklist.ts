/** First steps on the home page. Modules register them under `checklist`. */
import { type Caller, type Deps, once } from 'larder/kernel'
import type { ChecklistStep } from '../ports.ts'

export interface ShownStep {
  readonly title: string
  readonly path: string
  readonly done: boolean
}
export interface Checklist {
  /** Returns the steps that the caller may take; none once all of them are done. */
  read(caller: Caller): Promise<readonly ShownStep[]>
}

/** Steps that are remembered, of all workspaces. */
const MAX_COMPLETED = 50_000

export function createChecklist({ registry }: Deps<'registry'>): Checklist {
  /** Steps that were taken stay done. Most visits of the home page are of people who have taken all of them. */
  const completed = new Set<string>()
  const registered = once(() => registry.collect<readonly ChecklistStep[]>('checklist').flatMap(({ value }) => value))
  return {
    async read(caller) {
      const { tenantId } = caller
      if (tenantId === undefined) return []
      const check = async ({ title, path, isDone }: ChecklistStep): Promise<ShownStep> => {
        const key = `${tenantId} ${caller.userId} ${path}`
        const done = completed.has(key) || (await isDone({ tenantId, caller }))
        if (done) {
          if (completed.size >= MAX_COMPLETED) completed.clear()
          completed.add(key)
        }
        return { title, path, done }
      }
      const steps = await Promise.all(
        registered()
          .filter(({ permission }) => caller.can(permission))
          .map(check),
      )
      return steps.every(({ done }) => done) ? [] : steps
    },
  }
}
