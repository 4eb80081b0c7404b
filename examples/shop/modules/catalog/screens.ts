/** What the module adds to the console: one of each kind. */
import type { ConsoleScreen } from '@larder-dev/larder/modules/console'

const file = (name: string) => new URL(`./screens/${name}`, import.meta.url)
const READ_PRODUCTS = 'collections.products.read'

export const screens = (): readonly ConsoleScreen[] => [
  { name: 'stock', title: 'Low stock', icon: 'box', permission: READ_PRODUCTS, file: file('stock.tsx') },
  {
    name: 'delivery',
    path: 'stock/$id',
    title: 'Delivery',
    permission: 'collections.products.update',
    file: file('delivery.tsx'),
  },
  {
    resource: 'collections.products',
    tab: 'sales',
    title: 'Sales',
    permission: 'collections.orders.read',
    file: file('product-sales.tsx'),
  },
  {
    resource: 'collections.orders',
    view: 'list',
    permission: 'collections.orders.read',
    file: file('order-list.tsx'),
  },
  { page: '/messages', title: 'Customer messages', icon: 'mail', permission: READ_PRODUCTS },
]
