import { common, type Deps, decodeCursor, newId, toPage } from 'larder/kernel'
import type { Options } from './options.ts'
import type { Invoice, Invoices } from './ports.ts'
import { problems } from './problems.ts'

const DAY = 24 * 60 * 60 * 1000
const COLUMNS = 'id, number, customer, amount, currency, status, due_at as "dueAt", created_at as "createdAt"'

/** What `move` does to an invoice: from which state to which, and in which words it refuses. */
const SEND = { from: 'draft', to: 'sent' } as const
const PAY = { from: 'sent', to: 'paid' } as const

type Needs = Deps<'clock' | 'database' | 'events' | 'jobs'>

export function createInvoices({ clock, database, events, jobs }: Needs, { dueDays }: Options): Invoices {
  async function get(tenantId: string, id: string): Promise<Invoice> {
    const unit = database.tenant(tenantId)
    const { rows } = await unit.query<Invoice>(`select ${COLUMNS} from invoices_invoices where id = $1`, [id])
    if (!rows[0]) throw common.not_found({ what: 'invoice' })
    return rows[0]
  }

  /** The state is part of the condition: of two who move the same invoice at once, one is refused. */
  async function move(tenantId: string, id: string, { from, to }: typeof SEND | typeof PAY, dueAt: Date | null) {
    const { rows } = await database.tenant(tenantId).query<Invoice>(
      `update invoices_invoices set status = $3, due_at = coalesce($4, due_at)
       where id = $1 and status = $2 returning ${COLUMNS}`,
      [id, from, to, dueAt],
    )
    if (rows[0]) return rows[0]
    const { status } = await get(tenantId, id)
    throw problems.invoice_state({ status, needed: from, done: to })
  }

  return {
    get,
    create: (tenantId, { customer, amount, currency }) =>
      database.tenant(tenantId).transaction(async unit => {
        const counted = await unit.query<{ last: number }>(
          `insert into invoices_counters (tenant_id, last) values ($1, 1)
           on conflict (tenant_id) do update set last = invoices_counters.last + 1 returning last`,
          [tenantId],
        )
        const { rows } = await unit.query<Invoice>(
          `insert into invoices_invoices (id, tenant_id, number, customer, amount, currency)
           values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
          [newId('inv'), tenantId, counted.rows[0]?.last, customer, amount, currency],
        )
        return rows[0] as Invoice
      }),

    async list(tenantId, { limit, cursor, status }) {
      const [before = null] = decodeCursor(cursor, 1) ?? []
      const { rows } = await database.tenant(tenantId).query<Invoice>(
        `select ${COLUMNS} from invoices_invoices
         where ($1::text is null or id < $1) and ($2::text is null or status = $2) order by id desc limit $3`,
        [before, status ?? null, limit + 1],
      )
      return toPage(rows, limit, invoice => [invoice.id])
    },

    // State, event and reminder stand in one transaction: there is no sent invoice that nobody mails or reminds of.
    send: (tenantId, id) =>
      database.tenant(tenantId).transaction(async () => {
        const dueAt = new Date(clock.now() + dueDays * DAY)
        const invoice = await move(tenantId, id, SEND, dueAt)
        await events.publish('invoices.invoice.sent', { subject: id, payload: { invoiceId: id } })
        await jobs.enqueue('invoices.remind', { invoiceId: id }, { at: dueAt, key: id, tenantId })
        return invoice
      }),

    pay: (tenantId, id) =>
      database.tenant(tenantId).transaction(async () => {
        const invoice = await move(tenantId, id, PAY, null)
        await jobs.cancel('invoices.remind', id)
        await events.publish('invoices.invoice.paid', { subject: id, payload: { invoiceId: id } })
        return invoice
      }),
  }
}
