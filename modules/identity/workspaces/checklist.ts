/** First steps of the operator on the home page. Modules register them under `checklist`. */
import { type Caller, type Deps, once } from '@larder-dev/larder/kernel'
import type { ChecklistStep } from '../ports.ts'

export interface ShownStep {
  readonly title: string
  readonly path: string
  readonly done: boolean
}
export interface Checklist {
  /** Returns the steps that the caller may take in the operator's workspace; none once all of them are done. */
  read(caller: Caller): Promise<readonly ShownStep[]>
}

/** Steps that are remembered, of all workspaces. */
const MAX_COMPLETED = 50_000

export function createChecklist({ registry, caches, operator }: Deps<'registry' | 'caches' | 'operator'>): Checklist {
  /** Steps that were taken stay done. Most visits of the home page are of people who have taken all of them. */
  const completed = caches.create<true | undefined>({
    name: 'identity.checklist',
    isOf: (tenantId, key) => key.startsWith(`${tenantId} `),
    maxWeight: MAX_COMPLETED,
  })
  /** Steps of the account come after those of the product itself. */
  const registered = once(() =>
    registry
      .collect<readonly ChecklistStep[]>('checklist')
      .toSorted((a, b) => Number(a.key === 'identity') - Number(b.key === 'identity'))
      .flatMap(({ value }) => value),
  )
  return {
    async read(caller) {
      const { tenantId } = caller
      if (tenantId !== operator.tenantId || caller.isCustomer) return []
      const check = async ({ title, path, isDone }: ChecklistStep): Promise<ShownStep> => {
        const key = `${tenantId} ${caller.userId} ${path}`
        const load = async () => (await isDone({ tenantId, caller })) || undefined
        return { title, path, done: (await completed.get(key, load)) === true }
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
