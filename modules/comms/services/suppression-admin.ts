/** What people write into the suppression list: rare enough for models. */
import { common, type Deps, newId } from 'larder/kernel'
import { addressKey } from '../domain/address.ts'
import { suppressionModel } from '../models.ts'
import type { Suppression } from './suppression-list.ts'

export type NewSuppression = Pick<Suppression, 'email' | 'category' | 'reason' | 'expiresAt'>

/** Inside a unit of the tenant. */
export interface SuppressionAdmin {
  /** One entry per address and category: again replaces its reason and end, and is not `fresh`. */
  add(tenantId: string, entry: NewSuppression): Promise<{ entry: Suppression; fresh: boolean }>
  /** Throws problem `not_found`. */
  remove(id: string): Promise<void>
}

export function createSuppressionAdmin({ models, clock }: Deps<'models' | 'clock'>): SuppressionAdmin {
  const model = suppressionModel(models)
  return {
    async add(tenantId, { email, category, reason, expiresAt }) {
      const Entries = await model()
      const id = newId('sup', clock.now())
      const at = new Date(clock.now())
      const values = { email: addressKey(email), category, reason, expiresAt, createdAt: at, updatedAt: at }
      const [row] = await Entries.upsert(
        { id, tenant_id: tenantId, ...values },
        { conflictFields: ['tenant_id', 'email', 'category'], fields: ['reason', 'expiresAt', 'updatedAt'] },
      )
      const entry = row.get({ plain: true })
      return { entry, fresh: entry.id === id }
    },

    async remove(id) {
      const Entries = await model()
      if ((await Entries.destroy({ where: { id } })) === 0) throw common.not_found({ what: 'suppression' })
    },
  }
}
