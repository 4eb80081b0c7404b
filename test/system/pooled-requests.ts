/** Requests to two processes that share the server connections of a pooler, restarted in between. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { type Env, type RunningCommand, spawnLarder, temporaryFolder } from '../bin/command.ts'
import { registerAt } from '../fixtures/register-at.ts'

export const RECIPE = `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  identity: {}
  comms: { transport: mailbox, from: "Acme <hello@acme.test>" }
  collections: {}
collections:
  books:
    fields: { key: { type: text }, pages: { type: integer } }
    access: { read: { tenant.member: true }, create: { tenant.owner: true } }
  tasks:
    fields: { key: { type: text }, done: { type: boolean }, due: { type: datetime } }
    access: { read: { tenant.member: true }, create: { tenant.owner: true } }
  prices:
    fields: { key: { type: text }, level: { type: enum, values: [low, high] }, amount: { type: integer }, note: { type: text } }
    access: { read: { tenant.member: true }, create: { tenant.owner: true } }
`
const ROWS: Readonly<Record<string, (n: number) => object>> = {
  books: n => ({ pages: n }),
  tasks: n => ({ done: n % 2 === 0, due: new Date(n * 1000).toISOString() }),
  prices: n => ({ level: n % 2 === 0 ? 'low' : 'high', amount: n, note: `note ${n}` }),
}
/** The orders in which the processes use the collections. */
const ORDERS = [
  ['books', 'tasks', 'prices'],
  ['prices', 'books', 'tasks'],
] as const
/** Between them, one of the processes restarts. */
const PHASES = 4
const CONCURRENCY = 8
const REQUESTS_PER_ROUND = 3

export interface PooledResult {
  readonly requests: number
  readonly failed: readonly string[]
  readonly wrong: readonly string[]
}

export interface PooledProcess {
  readonly url: string
  stop(): Promise<void>
}

export async function startPooled(
  t: ExecutionContext,
  command: 'start' | 'web',
  cwd: string,
  env: Env,
): Promise<PooledProcess> {
  const running: RunningCommand = spawnLarder(t, [command], cwd, env)
  const [, url = ''] = await running.waitForOutput(/Acme is running at (http:\S+)/)
  return {
    url,
    async stop() {
      const ended = once(running.child, 'exit')
      running.child.kill('SIGTERM')
      await ended
    },
  }
}

/** @param env with the URLs of the pooler and of the server. */
export async function runPooledRequests(t: ExecutionContext, env: Env, requests: number): Promise<PooledResult> {
  const cwd = await temporaryFolder(t)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE)
  const commands = ['start', 'web'] as const
  const processes = [await startPooled(t, 'start', cwd, env), await startPooled(t, 'web', cwd, env)]
  const { token } = await registerAt(processes[0]?.url ?? '')
  const result = { requests: 0, failed: [] as string[], wrong: [] as string[] }
  const call = async (path: string, expected: number, body?: object): Promise<Record<string, unknown>> => {
    result.requests++
    const response = await fetch(path, {
      method: body ? 'POST' : 'GET',
      // The server closes idle connections, perhaps while a request is on its way.
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status === expected) return JSON.parse(text)
    result.failed.push(`${path}: ${response.status} ${text.slice(0, 300)}`)
    return {}
  }
  let last = 0
  async function round(at: number, collection: string): Promise<void> {
    const n = ++last
    const row = { key: `row ${n}`, ...ROWS[collection]?.(n) }
    const path = `${processes[at]?.url}/v1/data/${collection}`
    const check = (what: string, found: unknown) => {
      if (Object.entries(row).some(([name, value]) => (found as Record<string, unknown> | undefined)?.[name] !== value))
        result.wrong.push(`${what} ${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(row)}`)
    }
    const made = await call(path, 201, row)
    check('create', made)
    check('get', await call(`${path}/${made.id}`, 200))
    const list = await call(`${path}?filter[key][eq]=${encodeURIComponent(row.key)}`, 200)
    check('list', (list.data as unknown[] | undefined)?.[0])
  }
  async function loop(at: number, rounds: number): Promise<void> {
    for (let done = 0; done < rounds; done++) await round(at, ORDERS[at]?.[done % 3] as string)
  }

  const rounds = Math.ceil(requests / (PHASES * processes.length * CONCURRENCY * REQUESTS_PER_ROUND))
  for (let phase = 0; phase < PHASES; phase++) {
    await Promise.all(processes.flatMap((_, at) => Array.from({ length: CONCURRENCY }, () => loop(at, rounds))))
    const next = (phase + 1) % processes.length
    await processes[next]?.stop()
    processes[next] = await startPooled(t, commands[next] as 'start' | 'web', cwd, env)
  }
  for (const { stop } of processes) await stop()
  return result
}
