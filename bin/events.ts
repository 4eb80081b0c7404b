import { type Command, InvalidArgumentError } from 'commander'
import type { PageOf } from '../kernel/base/index.ts'
import type { DeadJob, DeliveryRecord, EventRecord, Inspector } from '../kernel/contract/index.ts'
import { withKernel } from './session.ts'
import { printResult, table } from './shell.ts'

interface Flags {
  recipe?: string
  json?: boolean
  limit?: number
  tenant?: string
  type?: string
  cursor?: string
  force?: boolean
  all?: boolean
}
const PAGE_SIZE = 50

export function eventCommands(program: Command): void {
  const events = program.command('events').description('list, retry and replay events')
  const listed = (name: string, about: string) =>
    reading(events.command(name).description(about))
      .option('-n, --limit <count>', 'rows per page, at most 200', count, PAGE_SIZE)
      .option('--cursor <cursor>', 'cursor of the previous page')
      .option('--tenant <id>', 'only events of this tenant')
  listed('list', 'list events, newest first')
    .option('--type <type>', 'only events of this type, for example identity.user.created')
    .action((flags: Flags) => run('larder events list', flags, inspector => list(inspector, flags)))
  listed('dead', 'list dead letters: deliveries and jobs that failed permanently').action((flags: Flags) =>
    run('larder events dead', flags, inspector => dead(inspector, flags)),
  )
  reading(events.command('retry [ids...]').description('retry dead deliveries (dlv_…) and jobs (job_…) now'))
    .option('--all', 'retry all dead letters')
    .action((ids: string[], flags: Flags, command: Command) => {
      if (!flags.all && ids.length === 0)
        command.error('error: name the dead letters to retry, or use --all. To list them, run larder events dead.')
      return run('larder events retry', flags, inspector => retry(inspector, ids, flags))
    })
  reading(events.command('replay <ids...>').description('deliver events (evt_…) again'))
    .option('--force', 'include handlers that already completed')
    .action((ids: string[], flags: Flags) =>
      run('larder events replay', flags, inspector => replay(inspector, ids, flags)),
    )
}

const reading = (command: Command): Command =>
  command.option('-r, --recipe <file>', 'recipe file').option('--json', 'print JSON')

function count(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 200)
    throw new InvalidArgumentError('Must be an integer from 1 to 200.')
  return value
}

async function run(title: string, flags: Flags, work: (inspector: Inspector) => Promise<string>): Promise<void> {
  await withKernel(title, flags.recipe, async ({ inspector }, progress) => {
    progress.done()
    printResult(await work(inspector))
  })
}

const pageOptions = (flags: Flags) => ({
  tenantId: flags.tenant ?? null,
  limit: flags.limit ?? PAGE_SIZE,
  cursor: flags.cursor,
})

async function list(inspector: Inspector, flags: Flags): Promise<string> {
  const page = await inspector.events.list({ ...pageOptions(flags), type: flags.type })
  const state = ({ deliveries }: EventRecord) =>
    deliveries.map(delivery => `${delivery.handler} ${delivery.state}`).join(', ') || '–'
  return show(page, flags, ['event', 'type', 'at', 'tenant', 'deliveries'], event => [
    event.id,
    event.type,
    event.occurredAt,
    event.tenantId,
    state(event),
  ])
}

async function dead(inspector: Inspector, flags: Flags): Promise<string> {
  const [deliveries, jobs] = await Promise.all([
    inspector.events.dead(pageOptions(flags)),
    inspector.jobs.dead(pageOptions(flags)),
  ])
  if (flags.json) return JSON.stringify({ deliveries, jobs }, null, 2)
  if (deliveries.data.length + jobs.data.length === 0) return 'No dead letters.'
  const row = (letter: DeliveryRecord | DeadJob) => [
    letter.id,
    'handler' in letter ? letter.handler : letter.name,
    letter.tenantId ?? '–',
    String(letter.attempts),
    letter.lastError ?? '–',
  ]
  const rows = [...deliveries.data, ...jobs.data].map(row)
  const more = deliveries.nextCursor ?? jobs.nextCursor
  const hint = more === null ? '' : '\nThere are more. --limit 200 shows up to 200 of each kind.'
  return `${table(['dead letter', 'handler or job', 'tenant', 'attempts', 'last error'], rows)}${hint}`
}

async function retry(inspector: Inspector, ids: readonly string[], flags: Flags): Promise<string> {
  const wanted = flags.all ? await allDeadIds(inspector) : ids
  return runForEach(wanted, flags, 'not found. To list dead letters, run larder events dead.', async id => {
    const retried = id.startsWith('job_')
      ? await inspector.jobs.retry(id, null)
      : await inspector.events.retry(id, null)
    return retried ? 'queued for retry' : null
  })
}

async function allDeadIds(inspector: Inspector): Promise<string[]> {
  const ids: string[] = []
  for (const area of [inspector.events, inspector.jobs])
    for (let cursor: string | undefined, first = true; first || cursor; first = false) {
      const page = await area.dead({ tenantId: null, limit: 200, cursor })
      ids.push(...page.data.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    }
  return ids
}

const replay = (inspector: Inspector, ids: readonly string[], flags: Flags): Promise<string> =>
  runForEach(ids, flags, 'not found. To list events, run larder events list.', async id => {
    const handlers = await inspector.events.replay(id, { tenantId: null, force: flags.force ?? false })
    return handlers === null ? null : `queued for ${handlers} ${handlers === 1 ? 'handler' : 'handlers'}`
  })

/** Runs `act` for every id. Unknown ids make the command fail after the others are done. */
async function runForEach(
  ids: readonly string[],
  flags: Flags,
  unknown: string,
  act: (id: string) => Promise<string | null>,
): Promise<string> {
  const results: { id: string; result: string }[] = []
  for (const id of ids) {
    const result = await act(id)
    if (result === null) process.exitCode = 1
    results.push({ id, result: result ?? unknown })
  }
  if (flags.json) return JSON.stringify(results, null, 2)
  return results.map(({ id, result }) => `${id} ${result}`).join('\n') || 'No dead letters.'
}

function show<T>(page: PageOf<T>, flags: Flags, head: readonly string[], row: (record: T) => string[]): string {
  if (flags.json) return JSON.stringify(page, null, 2)
  if (page.data.length === 0) return 'No results.'
  const next = page.nextCursor === null ? '' : `\nNext page: --cursor ${page.nextCursor}`
  return `${table(head, page.data.map(row))}${next}`
}
