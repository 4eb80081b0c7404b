/** Rows of subscriptions: one per subject, created when it is first needed. */
import { type Deps, newId, together, type Unit } from '@larder-dev/larder/kernel'
import type { History } from '../domain/event-history.ts'
import { type Subject, subjectId } from '../domain/subject.ts'
import { checkoutTable, historyTable, type SubscriptionRow, subscriptionTable } from '../records.ts'
import type { Subjects } from './subjects.ts'

export interface SubscriptionRepository {
  /** Creates the subject's subscription on the default plan unless it has one. */
  create(unit: Unit, subject: Subject): Promise<void>
  /** Creates the row if necessary. */
  get(subject: Subject): Promise<SubscriptionRow>
  /** The same in one statement, which can write and is never repeated. */
  getOrCreate(subject: Subject): Promise<SubscriptionRow>
  /** The row, locked until the unit ends. Creates it if necessary. */
  lock(unit: Unit, subject: Subject): Promise<SubscriptionRow>
  /** The plan whose entitlements hold. Null: the default plan, also while payment is paused. */
  planKey(subject: Subject): Promise<string | null>
  /** The newest events of the subject's subscription; undefined for none. */
  history(unit: Unit, subject: Subject): Promise<History | undefined>
  writeHistory(unit: Unit, subject: Subject, history: History): Promise<void>
  /** Whether a checkout of this subscription of the provider was recorded before. */
  hasCheckout(unit: Unit, tenantId: string, subscription: string | null): Promise<boolean>
  recordCheckout(unit: Unit, tenantId: string, subscription: string): Promise<void>
  /** ID of the subject → the plan whose entitlements hold, without subjects that have no subscription. Across tenants. */
  planKeys(subjects: readonly Subject[]): Promise<ReadonlyMap<string, string | null>>
}

export function createSubscriptionRepository({
  database,
  systemDatabase,
  clock,
  subjects,
}: Deps<'database' | 'systemDatabase' | 'clock'> & { readonly subjects: Subjects }): SubscriptionRepository {
  const isKnown = `on conflict (${subjects.key}) do nothing`

  async function create(unit: Unit, { tenantId, memberId }: Subject): Promise<void> {
    const now = new Date(clock.now())
    const row = {
      tenantId,
      memberId,
      id: newId('sub', clock.now()),
      state: 'free',
      createdAt: now,
      updatedAt: now,
    } as const
    await unit.query(...subscriptionTable.insertStep(row, isKnown))
  }

  async function getOrCreate({ tenantId, memberId }: Subject): Promise<SubscriptionRow> {
    const unit = database.tenant(tenantId)
    const [row] = await subscriptionTable.query(
      unit,
      `with found as (select ${subscriptionTable.columns()} from billing_subscriptions
         where tenant_id = $1 and member_id = $2),
       created as (
         insert into billing_subscriptions (tenant_id, member_id, id, state, created_at, updated_at)
         select $1, $2, $3, 'free', $4, $4 where not exists (select from found)
         ${isKnown} returning ${subscriptionTable.columns()})
       select * from found union all select * from created`,
      [tenantId, memberId, newId('sub', clock.now()), new Date(clock.now())],
    )
    // Nothing is returned if another transaction has created it since this statement began.
    return row ?? subscriptionTable.get(unit, { tenantId, memberId })
  }

  return {
    create,
    getOrCreate,
    get: async subject =>
      (await subscriptionTable.find(database.tenant(subject.tenantId), whereOf(subject))) ?? getOrCreate(subject),
    async lock(unit, subject) {
      const lock = () => subscriptionTable.find(unit, whereOf(subject), { lock: true })
      const row = await lock()
      if (row) return row
      const { created } = await together({ inserted: create(unit, subject), created: lock() })
      return created as SubscriptionRow
    },
    async planKey(subject) {
      const { tenantId } = subject
      const current = database.currentTenant()
      const unit =
        current === undefined || current === tenantId
          ? database.tenant(tenantId)
          : systemDatabase.acrossTenants("the plan of a new tenant is read inside another tenant's unit of work")
      return effectivePlan(await subscriptionTable.find(unit, whereOf(subject)))
    },
    async history(unit, { tenantId, memberId }) {
      const { rows } = await unit.query<{ history: History }>(
        'select history from billing_event_histories where tenant_id = $1 and member_id = $2',
        [tenantId, memberId],
      )
      return rows[0]?.history
    },
    async writeHistory(unit, { tenantId, memberId }, history) {
      const replacing = `on conflict (${subjects.key}) do update set history = excluded.history`
      await unit.defer([historyTable.insertStep({ tenantId, memberId, history }, replacing)])
    },
    async hasCheckout(unit, tenantId, subscription) {
      const { rowCount } = await unit.query(
        'select from billing_checkouts where tenant_id = $1 and subscription = $2',
        [tenantId, subscription],
      )
      return rowCount > 0
    },
    async recordCheckout(unit, tenantId, subscription) {
      await unit.defer([checkoutTable.insertStep({ tenantId, subscription })])
    },
    async planKeys(subjects) {
      const unit = systemDatabase.acrossTenants('lists of tenants and of customers show their plans')
      const tenantId = [...new Set(subjects.map(subject => subject.tenantId))]
      const memberId = [...new Set(subjects.map(subject => subject.memberId))]
      const rows = await subscriptionTable.findMany(unit, { tenantId, memberId })
      return new Map(rows.map(row => [subjectId(row), effectivePlan(row)]))
    },
  }
}

const whereOf = ({ tenantId, memberId }: Subject) => ({ tenantId, memberId })

const effectivePlan = (row: Pick<SubscriptionRow, 'planKey' | 'paymentPaused'> | undefined): string | null =>
  row === undefined || row.paymentPaused ? null : row.planKey
