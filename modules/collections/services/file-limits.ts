/** Who uses up the limit of imports or exports: a customer of a product of people, or the workspace. */
import type { Product } from '@larder-dev/larder/kernel'
import type { View } from '../domain/rights/view.ts'

const SHARER = `case when caller ->> 'isCustomer' = 'true' then caller ->> 'memberId' else tenant_id end`

/** The imports or exports that count with those of the caller, as a condition. Undefined if all of the workspace do. */
export const countedWith = (
  { audience }: Pick<Product, 'audience'>,
  { planHolder, tenantId }: Pick<View, 'planHolder' | 'tenantId'>,
): CountedFiles | undefined => {
  if (audience !== 'people') return undefined
  const sharer = typeof planHolder === 'string' ? tenantId : planHolder.memberId
  return { condition: parameter => `${SHARER} = ${parameter}`, sharer }
}
export interface CountedFiles {
  readonly condition: (parameter: string) => string
  readonly sharer: string
}
