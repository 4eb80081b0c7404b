/** Many tenants over one pool, with handlers that throw and clients that hang up; a soak asks more often. */
import { fileURLToPath } from 'node:url'
import { type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { asOwner, atOnce, createRandom, type Random } from './fixtures.ts'

export interface Mixed {
  /** Answers by status; `aborted` are those that nobody waited for, `cut …` those that a closed connection took. */
  readonly statuses: Readonly<Record<string, number>>
  /** Rows of another tenant in any answer. */
  readonly foreign: number
  /** Rows in the database that a handler which failed had written, or that lie in another tenant than their author's. */
  readonly stray: number
  /** Notes that were answered 201 and are not there. */
  readonly lost: number
}

interface Answer {
  readonly rows?: readonly { readonly id: string; readonly tenantId: string }[]
}

export async function mixTenants({ requests, tenants }: { requests: number; tenants: number }): Promise<Mixed> {
  const use = fileURLToPath(new URL('./notes/module.js', import.meta.url))
  const kernel = await startTestKernel({
    recipe: { modules: { identity: {}, comms: {}, notes: { use } } },
    role: 'web',
  })
  try {
    return await mix(kernel, requests, tenants)
  } finally {
    await kernel.stop()
  }
}

async function mix(kernel: TestKernel, requests: number, tenants: number): Promise<Mixed> {
  const people: Person[] = []
  await atOnce(tenants, 8, async () => void people.push(await kernel.register(newEmail('tenant'))))
  const random = createRandom(requests)
  const statuses: Record<string, number> = {}
  const written: string[] = []
  let foreign = 0
  await atOnce(requests, 48, async () => {
    const person = random.pick(people)
    const { status, rows = [] } = await ask(kernel.url, person, random.pick(people), random)
    statuses[status] = (statuses[status] ?? 0) + 1
    foreign += rows.filter(({ tenantId }) => tenantId !== person.tenantId).length
    if (status === '201' && rows[0]) written.push(rows[0].id)
  })
  return { statuses, foreign, ...(await leftOver(kernel, people, written)) }
}

const WAYS = [
  'GET /v1/notes',
  'GET /v1/notes',
  'GET /v1/notes/slow',
  'POST /v1/notes',
  'POST /v1/notes/broken',
  'POST /v1/notes/foreign',
]

async function ask(url: string, person: Person, other: Person, random: Random): Promise<Answer & { status: string }> {
  const [method = '', path = ''] = random.pick(WAYS).split(' ')
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
    // A kept connection may close just as the next request is on its way: rare, and the reason is worth knowing.
    const { code, message } = (error as { cause?: { code?: string; message?: string } }).cause ?? {}
    return { status: `cut ${code ?? message}` }
  }
}

/** Requests that got no answer although somebody waited. */
export const cutOff = ({ statuses }: Pick<Mixed, 'statuses'>): number =>
  Object.entries(statuses).reduce((sum, [status, count]) => (status.startsWith('cut') ? sum + count : sum), 0)

async function leftOver(kernel: TestKernel, people: readonly Person[], written: readonly string[]) {
  const owner = asOwner(kernel.databaseUrl)
  try {
    const homes = JSON.stringify(Object.fromEntries(people.map(({ userId, tenantId }) => [userId, tenantId])))
    const stray = await owner.number(
      `select count(*)::int from notes_notes where author like '% broken' or tenant_id is distinct from $1::jsonb ->> split_part(author, ' ', 1)`,
      [homes],
    )
    const kept = await owner.number('select count(*)::int from notes_notes where id = any ($1)', [written])
    return { stray, lost: new Set(written).size - kept }
  } finally {
    await owner.end()
  }
}
