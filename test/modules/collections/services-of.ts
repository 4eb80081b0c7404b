import { createCollectionMap } from '../../../modules/collections/recipe/module-collections.ts'
import { type CollectionServices, services } from '../../../modules/collections/services.ts'
import type { TestKernel } from '../../../testing/index.ts'
import { servicesWith } from '../../fixtures/services.ts'

/** The private services of collections, made anew with the ports and the recipe of a running kernel. */
export const servicesOf = ({ kernel }: TestKernel): CollectionServices =>
  servicesWith(
    { collectionMap: createCollectionMap, ...services },
    kernel.ports,
    {},
    {
      sections: kernel.inspector.recipe(),
      resolveFile: () => '',
    },
  )
