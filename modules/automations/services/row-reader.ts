/** Rows as they are now, with their private fields. */
import { common, type Deps, Problem } from '@larder-dev/larder/kernel'

export interface RowReader {
  /**
   * In the surrounding unit. Undefined if the row is gone, or in the trash.
   * @param locks until the unit ends.
   */
  get(
    tenantId: string,
    collection: string,
    id: string,
    locks?: boolean,
  ): Promise<Readonly<Record<string, unknown>> | undefined>
}

export const createRowReader = ({ collections }: Deps<never, 'collections'>): RowReader => ({
  async get(tenantId, collection, id, locks = false) {
    try {
      const rows = collections?.rows(collection, { tenantId })
      return await (locks ? rows?.getForUpdate(id) : rows?.get(id))
    } catch (error) {
      if (Problem.is(error) && error.code === common.not_found.code) return undefined
      throw error
    }
  },
})
