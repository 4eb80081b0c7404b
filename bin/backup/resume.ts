/** `larder resume`. */
import type { Kernel } from '../../kernel/runtime/index.ts'
import { withKernel } from '../session.ts'
import { errors } from './errors.ts'

/** Its events and deliveries become jobs, mails and webhooks, which must wait before it is decided what to do with them. */
const UNPROCESSED = `
  select (select count(*) from larder_events where dispatched_at is null and occurred_at < held.held_since)::int as events,
    (select count(*) from larder_deliveries where state = 'pending' and next_attempt_at <= now())::int as deliveries
  from larder_installation held`

const GIVE_UP = `
  update larder_jobs set state = 'dead', finished_at = now(), last_error = 'given up by larder resume: the original may have done it'
  where state = 'waiting' and run_at <= now() and name = any ($1) and key is distinct from '@every'`

/** Returns what to tell. @throws OperatorError `backup_events_wait` */
export function resume(recipe: string | undefined, sends: boolean): Promise<string> {
  return withKernel('larder resume', recipe, async (kernel, progress) => {
    progress.done()
    return resumeIn(kernel, sends)
  })
}

async function resumeIn({ ports }: Kernel, sends: boolean): Promise<string> {
  const outgoing = ports.registry.running().flatMap(({ jobs }) => jobs.flatMap(job => (job.outgoing ? [job.name] : [])))
  const given = await ports.schemaOwner.connect(async ({ query }) => {
    const { rows: held } = await query('select 1 from larder_installation where held_since is not null')
    if (held.length === 0) return undefined
    const { rows } = await query<{ events: number; deliveries: number }>(UNPROCESSED)
    const waiting = (rows[0]?.events ?? 0) + (rows[0]?.deliveries ?? 0)
    if (waiting > 0) throw errors.backup_events_wait({ count: String(waiting) })
    return sends ? 0 : await giveUp(outgoing, ports, query)
  })
  if (given === undefined) return 'This installation is not held: it sends mail and webhooks and runs automations.'
  await ports.schemaOwner.connect(({ query }) => query('update larder_installation set held_since = null'))
  await ports.postgres.notify('larder_jobs', '')
  return sends || given === 0
    ? 'Mail, webhooks and automations go out again.'
    : `Mail, webhooks and automations go out again. ${given} that waited were given up. larder events dead lists jobs among them, and larder events retry runs them.`
}

type Query = <Row>(sql: string, values?: readonly unknown[]) => Promise<{ rows: readonly Row[]; rowCount: number }>

async function giveUp(outgoing: readonly string[], { registry }: Kernel['ports'], query: Query): Promise<number> {
  let count = (await query(GIVE_UP, [outgoing])).rowCount
  for (const { value } of registry.collect<() => Promise<number>>('giveUpOutgoing')) count += await value()
  return count
}
