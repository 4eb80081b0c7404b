/** Schema parts that several routes use. */
import { Type } from '@larder-dev/larder/kernel'

/** Key → amount. */
export const Amounts = Type.Unsafe<Record<string, number>>({
  type: 'object',
  additionalProperties: { type: 'number' },
})
