/** What runs keep about a person. */
import type { Deps, Registrations, Unit } from '@larder-dev/larder/kernel'
import { createOutputs, type Outputs } from './runs/outputs.ts'

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
  ({ database, secrets, log }: Deps<'database' | 'secrets' | 'log'>): Registrations['erasePersonalData'] =>
  async ({ tenantId, patterns, name, redact }) => {
    const unit = database.tenant(tenantId)
    await eraseSealed(unit, createOutputs({ secrets, log }), { tenantId, redact })
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

/** No condition finds a person in what is encrypted. */
async function eraseSealed(
  unit: Unit,
  outputs: Outputs,
  { tenantId, redact }: Pick<Parameters<Registrations['erasePersonalData']>[0], 'tenantId' | 'redact'>,
): Promise<void> {
  for (let after: readonly unknown[] | undefined = ['', 0, 0]; after !== undefined; ) {
    const { rows }: { rows: readonly SealedStep[] } = await unit.query<SealedStep>(
      `select run_id as "runId", position, item, sealed from automations_steps
       where tenant_id = $1 and sealed is not null and (run_id collate "C", position, item) > ($2, $3, $4)
       order by run_id collate "C", position, item limit $5`,
      [tenantId, ...after, PAGE_SIZE],
    )
    for (const { runId, position, item, sealed } of rows) {
      const opened = outputs.tryOpen(sealed)
      // One that cannot be read any more is of no use, and may name the person.
      if (!opened || JSON.stringify(redact(opened.output)) !== JSON.stringify(opened.output))
        await unit.query(
          `update automations_steps set sealed = null
           where tenant_id = $1 and run_id = $2 and position = $3 and item = $4`,
          [tenantId, runId, position, item],
        )
    }
    const last = rows.at(-1)
    after = rows.length === PAGE_SIZE && last ? [last.runId, last.position, last.item] : undefined
  }
}
interface SealedStep {
  readonly runId: string
  readonly position: number
  readonly item: number
  readonly sealed: Buffer
}

interface Found {
  readonly id: string
  readonly texts: Readonly<Record<string, unknown>>
}
