/** What runs keep about a person. */
import type { Deps, Registrations } from '@larder-dev/larder/kernel'

/** The questions that the person answered. */
export const personalData =
  ({ database }: Deps<'database'>): Registrations['personalData'] =>
  async ({ tenantId, userId, limit }) => {
    const { rows } = await database.tenant(tenantId).query<object>(
      `select id, automation, text, choice, answered_at as "answeredAt" from automations_asks
       where tenant_id = $1 and answered_by = $2 order by id desc limit $3`,
      [tenantId, userId, limit],
    )
    return { answers: rows }
  }

interface Place {
  readonly table: string
  /** Columns that identify a row, as text. */
  readonly id: string
  readonly columns: readonly string[]
}
const PLACES: readonly Place[] = [
  { table: 'automations_runs', id: 'id', columns: ['input', 'error'] },
  { table: 'automations_steps', id: "run_id || ' ' || position || ' ' || item", columns: ['input', 'output', 'error'] },
  { table: 'automations_asks', id: 'id', columns: ['text'] },
]
const PAGE_SIZE = 1000

/** Addresses and the name in inputs, values and questions. Outputs that are encrypted are dropped with them. */
export const erasePersonalData =
  ({ database }: Deps<'database'>): Registrations['erasePersonalData'] =>
  async ({ tenantId, patterns, name, redact }) => {
    const unit = database.tenant(tenantId)
    for (const { table, id, columns } of PLACES) {
      const isFound = columns
        .map(column => `lower(${column}::text) like any ($3) or strpos(${column}::text, $4) > 0`)
        .join(' or ')
      const list = columns.map(column => `'${column}', ${column}`).join(', ')
      const set = columns.map(column => `${column} = nullif($3::jsonb -> '${column}', 'null'::jsonb)`).join(', ')
      for (let after: string | undefined = ''; after !== undefined; ) {
        const { rows }: { rows: readonly Found[] } = await unit.query<Found>(
          `select (${id}) as id, json_build_object(${list}) as texts from ${table}
           where tenant_id = $1 and (${id}) collate "C" > $2 and (${isFound}) order by (${id}) collate "C" limit $5`,
          [tenantId, after, patterns, name === null ? null : JSON.stringify(name), PAGE_SIZE],
        )
        for (const { id: found, texts } of rows)
          await unit.query(
            `update ${table} set ${set}${table === 'automations_steps' ? ', sealed = null' : ''}
             where tenant_id = $1 and (${id}) = $2`,
            [tenantId, found, JSON.stringify(redact(texts))],
          )
        after = rows.length === PAGE_SIZE ? rows.at(-1)?.id : undefined
      }
    }
  }

interface Found {
  readonly id: string
  readonly texts: Readonly<Record<string, unknown>>
}
