/** Rows as they are now, with their private fields. */
import { common, type Deps, Problem } from '@larder-dev/larder/kernel'

export interface RowReader {
  /** In the surrounding unit. Undefined if the row is gone, or in the trash. */
  get(tenantId: string, collection: string, id: string): Promise<Readonly<Record<string, unknown>> | undefined>
}

export const createRowReader = ({ collections }: Deps<never, 'collections'>): RowReader => ({
  async get(tenantId, collection, id) {
    try {
      return await collections?.rows(collection, { tenantId }).get(id)
    } catch (error) {
      if (Problem.is(error) && error.code === common.not_found.code) return undefined
      throw error
    }
  },
})
