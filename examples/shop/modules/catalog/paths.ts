/** The requests of the screens, which the console has no types of. `larder types` writes those of a whole recipe. */
import type { ListOf } from '@larder-dev/larder/console'
import type { Order, Product } from './collections.ts'

declare module '@larder-dev/larder/console' {
  interface RecipePaths {
    '/v1/data/products': {
      get: { query?: { 'filter[stock][lt]'?: number; sort?: 'stock'; limit?: number }; response: ListOf<Product> }
    }
    '/v1/data/products/{id}': {
      get: { response: Product }
      patch: { body: Partial<Product>; response: Product }
    }
    '/v1/data/orders': {
      get: { query?: { 'filter[product]'?: string; sort?: '-createdAt' }; response: ListOf<Order> }
    }
  }
}
