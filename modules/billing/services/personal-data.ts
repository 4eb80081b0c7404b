/** The plan and the credits of a customer, for the export of their account. Those of a workspace belong to it. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'
import { entryTable, subscriptionTable } from '../records.ts'
import type { Subjects } from './subjects.ts'

const SUBSCRIPTION = ['id', 'state', 'planKey', 'trialEndsAt', 'currentPeriodEnd', 'createdAt'] as const
const ENTRY = ['id', 'key', 'kind', 'amount', 'balanceAfter', 'reason', 'expiresAt', 'createdAt'] as const

type PersonalDataDeps = Deps<'database'> & { readonly subjects: Subjects }

export const personalData =
  ({ database, subjects }: PersonalDataDeps): Registrations['personalData'] =>
  async ({ tenantId, caller, limit }) => {
    if (!subjects.arePeople || !caller?.memberId) return { subscriptions: [], creditTransactions: [] }
    const unit = database.tenant(tenantId)
    const own = { tenantId, memberId: caller.memberId }
    const subscriptions = await subscriptionTable.newest(unit, own, SUBSCRIPTION, limit)
    const creditTransactions = await entryTable.newest(unit, own, ENTRY, limit)
    return { subscriptions, creditTransactions }
  }
