import { common, DAY, type Deps, newId, type Unit } from 'larder/kernel'
import { PAY, SEND, type Transition } from '../domain/transitions.ts'
import type { Options } from '../options.ts'
import type { Invoice, Invoices } from '../ports.ts'
import { problems } from '../problems.ts'
import { invoiceRepository as rows } from './invoice-repository.ts'

type Needs = Deps<'clock' | 'database' | 'events' | 'jobs'>

export function createInvoices({ clock, database, events, jobs }: Needs, { dueDays }: Options): Invoices {
  async function get(unit: Unit, id: string): Promise<Invoice> {
    const invoice = await rows.find(unit, id)
    if (!invoice) throw common.not_found({ what: 'invoice' })
    return invoice
  }

  async function move(unit: Unit, id: string, transition: Transition, dueAt: Date | null): Promise<Invoice> {
    const moved = await rows.move(unit, id, transition, dueAt)
    if (moved) return moved
    const { status } = await get(unit, id)
    throw problems.invoice_state({ status, required: transition.from })
  }

  return {
    get: (tenantId, id) => get(database.tenant(tenantId), id),

    list: (tenantId, query) => rows.list(database.tenant(tenantId), query),

    create: (tenantId, invoice) =>
      database.tenant(tenantId).transaction(async unit => {
        const number = await rows.nextNumber(unit, tenantId)
        return rows.insert(unit, tenantId, { ...invoice, id: newId('inv', clock.now()), number })
      }),

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
        const invoice = await move(unit, id, PAY, null)
        await jobs.cancel('invoices.remind', id)
        await events.publish('invoices.invoice.paid', { subject: id, payload: { invoiceId: id } })
        return invoice
      }),
  }
}
