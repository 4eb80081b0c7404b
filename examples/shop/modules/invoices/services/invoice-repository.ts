import { decodeCursor, toPage, type Unit } from 'larder/kernel'
import type { Transition } from '../domain/transitions.ts'
import type { Invoice, InvoiceQuery, NewInvoice } from '../ports.ts'

const COLUMNS = 'id, number, customer, amount, currency, status, due_at as "dueAt", created_at as "createdAt"'

/** Row level security restricts every statement to the tenant of the unit. */
export const invoiceRepository = {
  async find(unit: Unit, id: string): Promise<Invoice | undefined> {
    const { rows } = await unit.query<Invoice>(`select ${COLUMNS} from invoices_invoices where id = $1`, [id])
    return rows[0]
  },

  async list(unit: Unit, { limit, cursor, status }: InvoiceQuery) {
    const [before = null] = decodeCursor(cursor, 1) ?? []
    const { rows } = await unit.query<Invoice>(
      `select ${COLUMNS} from invoices_invoices
       where ($1::text is null or id < $1) and ($2::text is null or status = $2) order by id desc limit $3`,
      [before, status ?? null, limit + 1],
    )
    return toPage(rows, limit, invoice => [invoice.id])
  },

  /** Locks the tenant's counter until the transaction ends, so numbers have no gaps. */
  async nextNumber(unit: Unit, tenantId: string): Promise<number> {
    const { rows } = await unit.query<{ last: number }>(
      `insert into invoices_counters (tenant_id, last) values ($1, 1)
       on conflict (tenant_id) do update set last = invoices_counters.last + 1 returning last`,
      [tenantId],
    )
    return rows[0]?.last as number
  },

  async insert(unit: Unit, tenantId: string, invoice: NewInvoice & Pick<Invoice, 'id' | 'number'>): Promise<Invoice> {
    const { id, number, customer, amount, currency } = invoice
    const { rows } = await unit.query<Invoice>(
      `insert into invoices_invoices (id, tenant_id, number, customer, amount, currency)
       values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
      [id, tenantId, number, customer, amount, currency],
    )
    return rows[0] as Invoice
  },

  /** Returns undefined unless the invoice has the status `from`, so only one of two concurrent calls succeeds. */
  async move(unit: Unit, id: string, { from, to }: Transition, dueAt: Date | null): Promise<Invoice | undefined> {
    const { rows } = await unit.query<Invoice>(
      `update invoices_invoices set status = $3, due_at = coalesce($4, due_at)
       where id = $1 and status = $2 returning ${COLUMNS}`,
      [id, from, to, dueAt],
    )
    return rows[0]
  },
}
