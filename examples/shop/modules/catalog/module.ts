import { defineModule } from '@larder-dev/larder/kernel'
import { orders, products } from './collections.ts'
import { catalogHooks } from './hooks.ts'
import { problems } from './problems.ts'
import { screens } from './screens.ts'

export default defineModule({
  name: 'catalog',
  version: '1.0.0',
  summary: 'Products, and orders that reduce their stock.',
  needs: ['collections'],
  problems,
  collections: [products, orders],
  rowHooks: catalogHooks,
  screens,
  locales: new URL('./locales/', import.meta.url),
})
