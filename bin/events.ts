import { type Command, InvalidArgumentError } from 'commander'
import type { DeadJob, DeliveryRecord, EventRecord, Inspector, PageOf } from '../kernel/contract/index.ts'
import { withKernel } from './session.ts'
import { answer, table } from './shell.ts'

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
const PAGE = 50

export function eventCommands(program: Command): void {
  const events = program.command('events').description('what happened, and what could not be delivered')
  const listed = (name: string, about: string) =>
    reading(events.command(name).description(about))
      .option('-n, --limit <count>', 'rows a page, at most 200', count, PAGE)
      .option('--cursor <cursor>', 'where the page before ended')
      .option('--tenant <id>', 'of one tenant alone')
  listed('list', 'events, newest first')
    .option('--type <type>', 'of one type, e.g. identity.user.created')
    .action((flags: Flags) => run('larder events list', flags, inspector => list(inspector, flags)))
  listed('dead', 'deliveries and jobs that were given up').action((flags: Flags) =>
    run('larder events dead', flags, inspector => dead(inspector, flags)),
  )
  reading(events.command('retry [ids...]').description('try dead deliveries (dlv_…) and jobs (job_…) again, now'))
    .option('--all', 'every one that is dead')
    .action((ids: string[], flags: Flags, command: Command) => {
      if (!flags.all && ids.length === 0)
        command.error('error: name the dead letters to retry, or say --all. They are listed by: larder events dead')
      return run('larder events retry', flags, inspector => retry(inspector, ids, flags))
    })
  reading(events.command('replay <ids...>').description('deliver events (evt_…) again'))
    .option('--force', 'also to handlers that finished them')
    .action((ids: string[], flags: Flags) =>
      run('larder events replay', flags, inspector => replay(inspector, ids, flags)),
    )
}

const reading = (command: Command): Command =>
  command.option('-r, --recipe <file>', 'another recipe than the usual one').option('--json', 'as JSON')

function count(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 200)
    throw new InvalidArgumentError('It must be a whole number from 1 to 200.')
  return value
}

async function run(title: string, flags: Flags, work: (inspector: Inspector) => Promise<string>): Promise<void> {
  await withKernel(title, flags.recipe, async ({ inspector }, progress) => {
    progress.done()
    answer(await work(inspector))
  })
}

const asked = (flags: Flags) => ({
  tenantId: flags.tenant ?? null,
  limit: flags.limit ?? PAGE,
  cursor: flags.cursor,
})

async function list(inspector: Inspector, flags: Flags): Promise<string> {
  const page = await inspector.events.list({ ...asked(flags), type: flags.type })
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
  const [deliveries, jobs] = await Promise.all([inspector.events.dead(asked(flags)), inspector.jobs.dead(asked(flags))])
  if (flags.json) return JSON.stringify({ deliveries, jobs }, null, 2)
  if (deliveries.data.length + jobs.data.length === 0) return 'Nothing is dead.'
  const row = (letter: DeliveryRecord | DeadJob) => [
    letter.id,
    'handler' in letter ? letter.handler : letter.name,
    letter.tenantId ?? '–',
    String(letter.attempts),
    letter.lastError ?? '–',
  ]
  const rows = [...deliveries.data, ...jobs.data].map(row)
  const more = deliveries.nextCursor ?? jobs.nextCursor
  const hint = more === null ? '' : '\nThere are more: --limit 200 shows up to 200 of each kind.'
  return `${table(['dead letter', 'handler or job', 'tenant', 'attempts', 'last error'], rows)}${hint}`
}

async function retry(inspector: Inspector, ids: readonly string[], flags: Flags): Promise<string> {
  const wanted = flags.all ? await everyDead(inspector) : ids
  return each(wanted, flags, 'is no dead letter: larder events dead lists them', async id => {
    const retried = id.startsWith('job_')
      ? await inspector.jobs.retry(id, null)
      : await inspector.events.retry(id, null)
    return retried ? 'will be tried now' : null
  })
}

async function everyDead(inspector: Inspector): Promise<string[]> {
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
  each(ids, flags, 'is no event: larder events list shows them', async id => {
    const handlers = await inspector.events.replay(id, { tenantId: null, force: flags.force ?? false })
    return handlers === null ? null : `goes to ${handlers} ${handlers === 1 ? 'handler' : 'handlers'}`
  })

/** Does it for each id; ids that are unknown make the command fail after the others were done. */
async function each(
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
  return results.map(({ id, result }) => `${id} ${result}`).join('\n') || 'Nothing is dead.'
}

function show<T>(page: PageOf<T>, flags: Flags, head: readonly string[], row: (record: T) => string[]): string {
  if (flags.json) return JSON.stringify(page, null, 2)
  if (page.data.length === 0) return 'None.'
  const next = page.nextCursor === null ? '' : `\nMore: --cursor ${page.nextCursor}`
  return `${table(head, page.data.map(row))}${next}`
}
