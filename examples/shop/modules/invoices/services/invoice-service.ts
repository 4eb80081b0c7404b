import { DAY, type Deps, type Unit } from '@larder-dev/larder/kernel'
import { PAY, SEND, type Transition } from '../domain/transitions.ts'
import type { Options } from '../options.ts'
import { problems } from '../problems.ts'
import { type Invoice, invoiceTable } from '../records.ts'

type Needs = Deps<'clock' | 'database' | 'events' | 'jobs'>

export interface Invoices {
  /** Throws `not_found`. */
  get(tenantId: string, id: string): Promise<Invoice>
  /** Changes a draft to `sent`, mails it and schedules the reminder. Throws `not_found` and `invoice_state`. */
  send(tenantId: string, id: string): Promise<Invoice>
  /** Changes a sent invoice to `paid` and cancels the reminder. Throws `not_found` and `invoice_state`. */
  pay(tenantId: string, id: string): Promise<Invoice>
}

export function createInvoices({ clock, database, events, jobs }: Needs, { dueDays }: Options): Invoices {
  /** The lock lets only one of two concurrent calls succeed. */
  async function move(unit: Unit, id: string, { from, to }: Transition, dueAt?: Date): Promise<Invoice> {
    const { status } = await invoiceTable.get(unit, { id }, { lock: true })
    if (status !== from) throw problems.invoice_state({ status, required: from })
    return invoiceTable.update(unit, { id }, { status: to, dueAt })
  }

  return {
    get: (tenantId, id) => invoiceTable.get(database.tenant(tenantId), { id }),

    // Status, event and reminder commit together, so every sent invoice is mailed and followed up.
    send: (tenantId, id) =>
      database.tenant(tenantId).transaction(async unit => {
        const dueAt = new Date(clock.now() + dueDays * DAY)
        const invoice = await move(unit, id, SEND, dueAt)
        await events.publish('invoices.invoice.sent', { subject: id, payload: { invoiceId: id } })
        await jobs.enqueue('invoices.remind', { tenantId, invoiceId: id }, { at: dueAt, key: id, tenantId })
        return invoice
      }),

    pay: (tenantId, id) =>
      database.tenant(tenantId).transaction(async unit => {
        const invoice = await move(unit, id, PAY)
        await jobs.cancel('invoices.remind', id)
        await events.publish('invoices.invoice.paid', { subject: id, payload: { invoiceId: id } })
        return invoice
      }),
  }
}

/** Locks the tenant's counter until the transaction ends, so numbers have no gaps. */
export async function nextNumber(unit: Unit, tenantId: string): Promise<number> {
  const { rows } = await unit.query<{ last: number }>(
    `insert into invoices_counters (tenant_id, last) values ($1, 1)
     on conflict (tenant_id) do update set last = invoices_counters.last + 1 returning last`,
    [tenantId],
  )
  return rows[0]?.last as number
}
