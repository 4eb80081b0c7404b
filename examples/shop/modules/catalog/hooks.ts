import { rowHooks } from '@larder-dev/larder/collections'
import type { Deps } from '@larder-dev/larder/kernel'
import { orders, products } from './collections.ts'
import { problems } from './problems.ts'

export const catalogHooks = ({ collections }: Deps<'collections'>) => [
  rowHooks(orders, {
    problems: [problems.out_of_stock],
    /** Sells at the price of the moment, and never more than there is. */
    async beforeCreate({ values: { product: id, quantity }, tenantId }) {
      if (id === null || quantity === null) return undefined
      const store = collections.rows(products, { tenantId })
      const { name, price, stock } = await store.getForUpdate(id)
      if (stock < quantity) throw problems.out_of_stock({ name })
      await store.update(id, { stock: stock - quantity })
      return { total: price * quantity }
    },
  }),
]
