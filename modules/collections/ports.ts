/** Ports and jobs of collections. Types only. */
import type { CollectionServices } from './services/collection-services.ts'

declare module 'larder/kernel' {
  interface Ports {
    /** Internal to the collections module. */
    collectionServices: CollectionServices
  }
  interface Jobs {
    'collections.purge_retired': object
    'collections.purge_trash': object
    'collections.import': { importId: string }
    'collections.sweep_imports': object
  }
}
