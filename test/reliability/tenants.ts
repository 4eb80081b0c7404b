/** Requests of many tenants over one pool, with handlers that throw and clients that disconnect. */
import { fileURLToPath } from 'node:url'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { connectAsOwner, createRandom, type Random, runConcurrently } from './fixtures.ts'

export interface MixedTenantsResult {
  /** Responses by status. `aborted`: the client disconnected. `cut …`: the connection broke. */
  readonly statuses: Readonly<Record<string, number>>
  /** Rows of another tenant in responses. */
  readonly foreign: number
  /** Stored rows of failed handlers, and rows in a tenant other than their author's. */
  readonly stray: number
  /** Notes with a 201 response that are not stored. */
  readonly lost: number
}

interface Answer {
  readonly rows?: readonly { readonly id: string; readonly tenantId: string }[]
}

export async function runMixedTenants({
  requests,
  tenants,
}: {
  requests: number
  tenants: number
}): Promise<MixedTenantsResult> {
  const use = fileURLToPath(new URL('./notes/module.js', import.meta.url))
  const kernel = await startTestKernel({
    recipe: { modules: { identity: {}, comms: {}, notes: { use } } },
    role: 'web',
  })
  try {
    return await runRequests(kernel, requests, tenants)
  } finally {
    await kernel.stop()
  }
}

async function runRequests(kernel: TestKernel, requests: number, tenants: number): Promise<MixedTenantsResult> {
  const people: Person[] = []
  await runConcurrently(tenants, 8, async () => void people.push(await kernel.register(newEmail('tenant'))))
  const random = createRandom(requests)
  const statuses: Record<string, number> = {}
  const written: string[] = []
  let foreign = 0
  await runConcurrently(requests, 48, async () => {
    const person = random.pick(people)
    const { status, rows = [] } = await send(kernel.url, person, random.pick(people), random)
    statuses[status] = (statuses[status] ?? 0) + 1
    foreign += rows.filter(({ tenantId }) => tenantId !== person.tenantId).length
    if (status === '201' && rows[0]) written.push(rows[0].id)
  })
  return { statuses, foreign, ...(await inspectRows(kernel, people, written)) }
}

const OPERATIONS = [
  'GET /v1/notes',
  'GET /v1/notes',
  'GET /v1/notes/slow',
  'POST /v1/notes',
  'POST /v1/notes/broken',
  'POST /v1/notes/foreign',
]

async function send(url: string, person: Person, other: Person, random: Random): Promise<Answer & { status: string }> {
  const [method = '', path = ''] = random.pick(OPERATIONS).split(' ')
  const body = path.endsWith('foreign') ? JSON.stringify({ tenantId: other.tenantId }) : undefined
  const abort = new AbortController()
  if (random.chance(0.1)) setTimeout(() => abort.abort(), random.below(12))
  try {
    const response = await fetch(url + path, {
      method,
      signal: abort.signal,
      headers: { authorization: `Bearer ${person.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body }),
    })
    const text = await response.text()
    return { status: String(response.status), ...(text && response.ok ? (JSON.parse(text) as Answer) : {}) }
  } catch (error) {
    if (abort.signal.aborted) return { status: 'aborted' }
    // The server may close a kept-alive connection while the next request is on its way. This is rare.
    const { code, message } = (error as { cause?: { code?: string; message?: string } }).cause ?? {}
    return { status: `cut ${code ?? message}` }
  }
}

/** Requests without a response, except those that the client aborted. */
export const countBrokenConnections = ({ statuses }: Pick<MixedTenantsResult, 'statuses'>): number =>
  Object.entries(statuses).reduce((sum, [status, count]) => (status.startsWith('cut') ? sum + count : sum), 0)

async function inspectRows(kernel: TestKernel, people: readonly Person[], written: readonly string[]) {
  const owner = connectAsOwner(kernel.databaseUrl)
  try {
    const homes = JSON.stringify(Object.fromEntries(people.map(({ userId, tenantId }) => [userId, tenantId])))
    const stray = await owner.value(
      `select count(*)::int from notes_notes where author like '% broken' or tenant_id is distinct from $1::jsonb ->> split_part(author, ' ', 1)`,
      [homes],
    )
    const stored = await owner.value('select count(*)::int from notes_notes where id = any ($1)', [written])
    return { stray, lost: new Set(written).size - stored }
  } finally {
    await owner.end()
  }
}
