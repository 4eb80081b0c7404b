/** Compares what clients were told with what is stored, and what receivers got; prints it as a table. */
import { waitFor } from '../fixtures/wait.ts'
import type { Phase } from './ledger.ts'
import { DIRECT, POOLED, type World } from './world.ts'

export interface PhaseResult {
  readonly phase: Phase
  /** Confirmed rows, uploads and invitations that are gone, and effects of rows that are missing. */
  readonly lost: readonly string[]
  /** Rows that were written twice, and effects in the database that happened twice. */
  readonly repeated: readonly string[]
  readonly webhooks: number
  /** Webhooks that arrived again, with the same id. */
  readonly webhooksRepeated: number
  /** Rows with webhooks of several ids. */
  readonly renamed: readonly string[]
  readonly mailsRepeated: number
  /** Warnings and errors in the logs of all processes. */
  readonly logged: readonly string[]
  /** Rows that a subscriber neither received nor read. */
  readonly unseen: readonly string[]
}

/** Backlogs of a busy machine take their time. */
const SETTLE_SECONDS = 300
const PENDING = `select (select count(*) from larder_events where dispatched_at is null)
  + (select count(*) from larder_deliveries where state = 'pending')
  + (select count(*) from larder_jobs where state in ('waiting', 'running') and key is distinct from '@every'
       and run_at < now() + interval '1 minute')
  + (select count(*) from automations_runs where finished_at is null)
  + (select count(*) from webhooks_deliveries where status = 'pending')`

/** Call it after the load has ended. */
export async function settle({ product }: World): Promise<void> {
  await waitFor(
    // HAProxy may still close a connection.
    () => product.installation.owner.value(PENDING).catch(() => undefined),
    pending => pending === 0,
    SETTLE_SECONDS,
  )
}

export const counts = (keys: Iterable<string>): Map<string, number> => {
  const found = new Map<string, number>()
  for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1)
  return found
}

export async function evaluate(world: World): Promise<readonly PhaseResult[]> {
  const { product, ledger, webhooks, mails, subscribers } = world
  const { owner } = product.installation
  const keysOf = async (table: string) =>
    (await owner.query<{ key: string }>(`select key from ${table}`)).map(row => row.key)
  const rows = counts(await keysOf('data_books'))
  const copies = counts(await keysOf('data_copies'))
  const stored = new Map(
    (await owner.query<{ id: string; key: string }>('select id, key from data_books')).map(({ id, key }) => [id, key]),
  )
  const hooks = new Map<string, string[]>()
  for (const { headers, body } of webhooks.received) {
    const key = stored.get((JSON.parse(body) as { subject: string }).subject) ?? ''
    hooks.set(key, [...(hooks.get(key) ?? []), String(headers['webhook-id'])])
  }
  const mailed = new Map<string, string[]>()
  for (const { to, mail } of mails.received)
    for (const address of to) mailed.set(address, [...(mailed.get(address) ?? []), mail.messageId ?? ''])

  const log = product.log()
  const resultOf = async (phase: Phase, end: number): Promise<PhaseResult> => {
    const { rows: keys, invitations, uploads } = phase
    const lost = [
      ...keys.filter(key => !rows.has(key)),
      ...keys.filter(key => !copies.has(key)).map(key => `copy of ${key}`),
      ...keys.filter(key => !hooks.has(key)).map(key => `webhook of ${key}`),
      ...invitations.filter(address => !mailed.has(address)).map(address => `mail to ${address}`),
      ...(await lostUploads(world, uploads)),
    ]
    const repeated = [
      ...keys.filter(key => (rows.get(key) ?? 0) > 1),
      ...keys.filter(key => (copies.get(key) ?? 0) > 1).map(key => `copy of ${key}`),
    ]
    const ids = keys.map(key => hooks.get(key) ?? [])
    const messages = invitations.map(address => mailed.get(address) ?? [])
    return {
      phase,
      lost,
      repeated,
      webhooks: ids.length,
      webhooksRepeated: ids.reduce((sum, all) => sum + all.length - new Set(all).size, 0),
      renamed: keys.filter((_, at) => new Set(ids[at]).size > 1),
      logged: log.filter(({ time }) => time >= phase.began && time < end).map(({ msg }) => msg),
      mailsRepeated: messages.reduce((sum, all) => sum + Math.max(0, all.length - 1), 0),
      unseen: subscribers.flatMap(({ name, seen }) =>
        keys.filter(key => !seen.has(key)).map(key => `${key} at ${name}`),
      ),
    }
  }
  const results: PhaseResult[] = []
  for (const [at, phase] of ledger.phases.entries())
    results.push(await resultOf(phase, ledger.phases[at + 1]?.began ?? Number.POSITIVE_INFINITY))
  return results
}

async function lostUploads({ client, token }: World, uploads: ReadonlyMap<string, string>): Promise<string[]> {
  const lost: string[] = []
  const nginx = client('nginx')
  const headers = { authorization: `Bearer ${token}` }
  for (const [id, content] of uploads) {
    const { text, status } = await nginx.send('GET', `/v1/media/${id}/download-url`, { headers })
    if (status !== 200) {
      lost.push(`upload ${id}: ${status}`)
      continue
    }
    const { url } = JSON.parse(text) as { url: string }
    const file = await nginx.send('GET', new URL(url).pathname + new URL(url).search)
    if (file.text !== content) lost.push(`content of upload ${id}`)
  }
  return lost
}

const COLUMNS = [
  'fault',
  'confirmed',
  'lost',
  'repeated inside',
  'webhooks',
  'again, same id',
  'mails again',
  'log lines',
  'refused (503)',
  'failed',
  's without a write',
  DIRECT,
  POOLED,
] as const

export function tableOf(results: readonly PhaseResult[]): string {
  const lines = results.map(({ phase, ...result }) => {
    const seconds = (way: string) => {
      const outage = phase.longestOutageMs.get(way)
      return outage === undefined ? '–' : (outage / 1000).toFixed(1)
    }
    const figures = [
      phase.requests,
      result.lost.length,
      result.repeated.length,
      result.webhooks,
      result.webhooksRepeated,
      result.mailsRepeated,
      result.logged.length,
      phase.refused,
      phase.failed.length,
      seconds('any'),
      seconds(DIRECT),
      seconds(POOLED),
    ]
    return [phase.name, ...figures.map(String)]
  })
  const all = [[...COLUMNS], ...lines]
  const widths = COLUMNS.map((_, at) => Math.max(...all.map(line => line[at]?.length ?? 0)))
  return all
    .map(line =>
      line.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n')
}
