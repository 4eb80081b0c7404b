/** Changes of the suppression list by people. They are rare, so they use models. */
import { common, type Deps, newId } from 'larder/kernel'
import { emailKey } from '../domain/address.ts'
import { suppressionModel } from '../models.ts'
import type { Suppression } from './suppression-list.ts'

export type NewSuppression = Pick<Suppression, 'email' | 'category' | 'reason' | 'expiresAt'>

/** Methods join the surrounding unit of the tenant. */
export interface SuppressionAdmin {
  /** Adds an entry, or replaces reason and expiry of the entry with the same address and category. */
  add(tenantId: string, entry: NewSuppression): Promise<{ entry: Suppression; created: boolean }>
  /** Throws `not_found`. */
  remove(id: string): Promise<void>
}

export function createSuppressionAdmin({ models, clock }: Deps<'models' | 'clock'>): SuppressionAdmin {
  const model = suppressionModel(models)
  return {
    async add(tenantId, { email, category, reason, expiresAt }) {
      const Entries = await model()
      const id = newId('sup', clock.now())
      const at = new Date(clock.now())
      const values = { email: emailKey(email), category, reason, expiresAt, createdAt: at, updatedAt: at }
      const [row] = await Entries.upsert(
        { id, tenant_id: tenantId, ...values },
        { conflictFields: ['tenant_id', 'email', 'category'], fields: ['reason', 'expiresAt', 'updatedAt'] },
      )
      const entry = row.get({ plain: true })
      return { entry, created: entry.id === id }
    },

    async remove(id) {
      const Entries = await model()
      if ((await Entries.destroy({ where: { id } })) === 0) throw common.not_found({ what: 'suppression' })
    },
  }
}
