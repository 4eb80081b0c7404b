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

export function createChecklist({ registry }: Deps<'registry'>): Checklist {
  const registered = once(() => registry.collect<readonly ChecklistStep[]>('checklist').flatMap(({ value }) => value))
  return {
    async read(caller) {
      const { tenantId } = caller
      if (tenantId === undefined) return []
      const allowed = registered().filter(({ permission }) => caller.can(permission))
      const steps = await Promise.all(
        allowed.map(async ({ title, path, isDone }) => ({ title, path, done: await isDone({ tenantId, caller }) })),
      )
      const shown = steps.flatMap(({ done, ...step }) => (done === null ? [] : { ...step, done }))
      return shown.every(({ done }) => done) ? [] : shown
    },
  }
}
