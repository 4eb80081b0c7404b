/** Rows of the ledger, read and written; what they mean is in core/ledger.ts. */
import type { Actor, Deps, Step, Unit } from 'larder/kernel'
import type { Account, Entry, Lot } from '../domain/credit-ledger.ts'
import { dateOf, time } from '../domain/calendar.ts'
import type { LedgerEntry } from '../schemas.ts'

/** What is noted with an entry. */
export interface Note {
  readonly reason: string
  readonly reference: string | null
  /** What it is done for: once for each. */
  readonly source: string | null
  readonly by: Actor
}
export interface About {
  readonly tenantId: string
  readonly key: string
  readonly note: Note
}
export interface Opened {
  readonly account: Account
  /** What was written for the same source before. */
  readonly earlier: LedgerEntry | undefined
}
export interface EntryRow extends Omit<LedgerEntry, 'amount' | 'balanceBefore' | 'balanceAfter'> {
  readonly amount: string
  readonly balanceBefore: string
  readonly balanceAfter: string
}

export const ENTRY_COLUMNS = `id, key, kind, amount, balance_before as "balanceBefore", balance_after as "balanceAfter", reason,
  reference, expires_at as "expiresAt", created_at as "createdAt"`
export const toEntry = (row: EntryRow): LedgerEntry => ({
  ...row,
  amount: Number(row.amount),
  balanceBefore: Number(row.balanceBefore),
  balanceAfter: Number(row.balanceAfter),
})

export function createAccounts({ clock }: Deps<'clock'>) {
  /** Locked until the unit ends. All in one flight: each statement sees what the lock's last holder committed. */
  async function open(unit: Unit, { tenantId, key, note }: About): Promise<Opened> {
    const [, last, lots, earlier] = (await unit.batch([
      ['select pg_advisory_xact_lock(hashtextextended($1, 0))', [`billing ${tenantId} ${key}`]],
      [
        `select balance_after as balance from billing_credit_entries where tenant_id = $1 and key = $2
         order by seq desc limit 1`,
        [tenantId, key],
      ],
      [
        `select grant_id as "grantId", remaining, expires_at as "expiresAt" from billing_credit_lots
         where tenant_id = $1 and key = $2 and remaining > 0`,
        [tenantId, key],
      ],
      [
        `select ${ENTRY_COLUMNS} from billing_credit_entries where tenant_id = $1 and source = $2`,
        [tenantId, note.source],
      ],
    ])) as unknown as [unknown, Rows<{ balance: string }>, Rows<LotRow>, Rows<EntryRow>]
    return {
      account: { balance: Number(last.rows[0]?.balance ?? 0), lots: lots.rows.map(toLot) },
      earlier: earlier.rows[0] && toEntry(earlier.rows[0]),
    }
  }

  async function write(unit: Unit, about: About, entry: Entry): Promise<LedgerEntry> {
    const { id, kind, amount, before, after } = entry
    const { reason, reference } = about.note
    const [createdAt, expiresAt] = [new Date(clock.now()), dateOf(entry.expiresAt)]
    await unit.batch([insertion(about, entry, createdAt), ...lotSteps(about, entry)])
    const balances = { balanceBefore: before, balanceAfter: after }
    return { id, key: about.key, kind, amount, ...balances, reason, reference, expiresAt, createdAt }
  }

  async function find(unit: Unit, tenantId: string, id: string): Promise<LedgerEntry | undefined> {
    const sql = `select ${ENTRY_COLUMNS} from billing_credit_entries where tenant_id = $1 and id = $2`
    const { rows } = await unit.query<EntryRow>(sql, [tenantId, id])
    return rows[0] && toEntry(rows[0])
  }

  /** What of a draw was given back, and when the grants that it came from expire. */
  async function returned(unit: Unit, tenantId: string, entryId: string) {
    const { rows } = await unit.query<{ back: string; expiries: (string | null)[] }>(
      `select (select coalesce(sum(amount), 0) from billing_credit_entries
               where tenant_id = $1 and kind = 'refund' and reference = $2) as back,
         (select jsonb_agg(g.expires_at) from billing_credit_draws d join billing_credit_entries g on g.id = d.grant_id
          where d.tenant_id = $1 and d.entry_id = $2) as expiries`,
      [tenantId, entryId],
    )
    const { back, expiries } = rows[0] as { back: string; expiries: (string | null)[] }
    return { back: Number(back), expiries: expiries.map(at => (at === null ? null : Date.parse(at))) }
  }

  return { open, write, find, returned }
}

interface LotRow {
  readonly grantId: string
  readonly remaining: string
  readonly expiresAt: Date | null
}
interface Rows<Row> {
  readonly rows: readonly Row[]
}
const toLot = ({ grantId, remaining, expiresAt }: LotRow): Lot => ({
  grantId,
  remaining: Number(remaining),
  expiresAt: time(expiresAt),
})

function insertion({ tenantId, key, note }: About, entry: Entry, at: Date): Step {
  return [
    `insert into billing_credit_entries (tenant_id, id, key, kind, amount, balance_before, balance_after, reason,
       reference, expires_at, source, actor, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      tenantId,
      entry.id,
      key,
      entry.kind,
      entry.amount,
      entry.before,
      entry.after,
      note.reason,
      note.reference,
      dateOf(entry.expiresAt),
      note.source,
      JSON.stringify(note.by),
      at,
    ],
  ]
}

/** What comes on top makes a lot of its own; what is drawn leaves its links and shrinks its lots. */
function lotSteps({ tenantId, key }: About, { id, amount, draws, expiresAt }: Entry): Step[] {
  if (amount > 0)
    return [
      [
        `insert into billing_credit_lots (tenant_id, grant_id, key, remaining, expires_at) values ($1, $2, $3, $4, $5)`,
        [tenantId, id, key, amount, dateOf(expiresAt)],
      ],
    ]
  const taken = [draws.map(({ grantId }) => grantId), draws.map(draw => draw.amount)]
  return [
    [
      `insert into billing_credit_draws (tenant_id, entry_id, grant_id, amount)
       select $1, $2, grant_id, amount from unnest($3::text[], $4::bigint[]) as draw (grant_id, amount)`,
      [tenantId, id, ...taken],
    ],
    [
      `update billing_credit_lots l set remaining = l.remaining - draw.amount
       from unnest($2::text[], $3::bigint[]) as draw (grant_id, amount) where l.tenant_id = $1 and l.grant_id = draw.grant_id`,
      [tenantId, ...taken],
    ],
  ]
}
