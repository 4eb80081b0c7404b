/**
 * Clients that read, write, upload and invite until the end. Each repeats a request that wasn't confirmed, with the same
 * Idempotency-Key, as a careful client does.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { waitFor } from '../fixtures/wait.ts'
import type { Answer, HttpClient, SendOptions } from './http-client.ts'
import type { Ledger } from './ledger.ts'

export interface Load {
  /** Resolves after writes on every way that were confirmed from now on. */
  recovered(): Promise<void>
  /** Stops the clients without a proxy, whose process is about to be replaced. */
  pauseProbes(): Promise<void>
  resumeProbes(): void
  /** Resolves when every request that has begun is confirmed. */
  end(): Promise<void>
}

export interface LoadOptions {
  readonly ledger: Ledger
  readonly token: string
  /** Each leads to a proxy. */
  readonly proxied: readonly HttpClient[]
  /** Each leads to one web process, for the time without a write. */
  readonly probes: readonly HttpClient[]
}

const PAUSE_MS = 150
const PROBE_PAUSE_MS = 100
const RETRY_MS = 100
const ROWS_IN_BATCH = 3
/** A fault that lasts longer has broken something. */
const RECOVERY_SECONDS = 90
/** What a client may get during faults: a 503 of Larder, which says when to try again. */
const UNAVAILABLE = /^503 .*"(database_unavailable|database_full|storage_full|tenant_busy)"/
/** The answer of HAProxy and Caddy while no web process is ready, which says the same. */
const NO_SERVER = /^503 503 Service Unavailable$/
/** The former try of the same request is still running. */
const IN_PROGRESS = /^409 .*"idempotency_in_progress"/

const isHonest = (text: string, outcome: Answer | string): boolean =>
  ((UNAVAILABLE.test(text) || NO_SERVER.test(text)) &&
    typeof outcome !== 'string' &&
    outcome.retryAfter !== undefined) ||
  IN_PROGRESS.test(text)

export function startLoad({ ledger, token, proxied, probes }: LoadOptions): Load {
  let isEnding = false
  let areProbing = true
  let number = 0

  /** Returns the first answer with one of these statuses. */
  async function confirm(
    client: HttpClient,
    [method, path]: readonly [string, string],
    { headers, body }: SendOptions = {},
    statuses: readonly number[] = [200, 201],
  ): Promise<Answer> {
    for (;;) {
      const outcome = await client
        .send(method, path, { headers: { authorization: `Bearer ${token}`, ...headers }, ...(body && { body }) })
        .catch(error => `${(error as NodeJS.ErrnoException).code ?? error}`)
      if (typeof outcome !== 'string' && statuses.includes(outcome.status)) {
        ledger.current().requests++
        return outcome
      }
      const text = typeof outcome === 'string' ? outcome : `${outcome.status} ${outcome.text.slice(0, 300)}`
      if (isHonest(text, outcome)) ledger.current().refused++
      else ledger.current().failed.push(`${new Date().toISOString()} ${client.name} ${method} ${path}: ${text}`)
      await pause(RETRY_MS)
    }
  }
  const post = (client: HttpClient, path: string, key: string, body: object) =>
    confirm(client, ['POST', path], {
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    })

  async function writeRow(client: HttpClient): Promise<string> {
    const key = `row ${++number}`
    const { text } = await post(client, '/v1/data/books', randomUUID(), { key, pages: number })
    ledger.current().rows.push(key)
    ledger.confirmed(client.name)
    return (JSON.parse(text) as { id: string }).id
  }

  async function writeBatch(client: HttpClient): Promise<void> {
    const keys = Array.from({ length: ROWS_IN_BATCH }, () => `row ${++number}`)
    const operations = keys.map(key => ({ action: 'create', data: { key, pages: 1 } }))
    await post(client, '/v1/data/books/batch', randomUUID(), { operations })
    ledger.current().rows.push(...keys)
    ledger.confirmed(client.name)
  }

  /** A confirmed row is there, whichever process answers. */
  async function readRow(client: HttpClient, id: string): Promise<void> {
    await confirm(client, ['GET', `/v1/data/books/${id}`])
    await confirm(client, ['GET', '/v1/data/books?limit=20&sort=-createdAt'])
  }

  async function upload(client: HttpClient): Promise<void> {
    const content = `file ${++number} ${randomUUID()}`
    const boundary = randomUUID()
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${number}.txt"\r\nContent-Type: text/plain`
    const request = {
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: `${head}\r\n\r\n${content}\r\n--${boundary}--\r\n`,
    }
    // 202 if a worker continues, because the machine is busy.
    const { text } = await confirm(client, ['POST', '/v1/media'], request, [201, 202])
    ledger.current().uploads.set((JSON.parse(text) as { id: string }).id, content)
  }

  async function invite(client: HttpClient): Promise<void> {
    const email = `guest${++number}@example.test`
    await post(client, '/v1/identity/members/invite', randomUUID(), { email, roles: ['tenant.member'] })
    ledger.current().invitations.push(email)
  }

  async function loop(pauseMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!isEnding) {
      await work()
      await pause(pauseMs)
    }
  }
  const loops = proxied.flatMap(client => [
    loop(PAUSE_MS, async () => readRow(client, await writeRow(client))),
    loop(4 * PAUSE_MS, () => writeBatch(client)),
    loop(6 * PAUSE_MS, () => upload(client)),
    loop(10 * PAUSE_MS, () => invite(client)),
  ])
  const startProbes = () =>
    probes.map(async client => {
      while (!isEnding && areProbing) {
        await writeRow(client)
        await pause(PROBE_PAUSE_MS)
      }
    })
  let probing = startProbes()

  return {
    async recovered() {
      const active = areProbing ? [...proxied, ...probes] : proxied
      const before = active.map(({ name }) => ledger.count(name))
      const all = () => active.every(({ name }, at) => ledger.count(name) > (before[at] as number) + 2)
      await waitFor(all, Boolean, RECOVERY_SECONDS)
    },
    async pauseProbes() {
      areProbing = false
      await Promise.all(probing)
    },
    resumeProbes() {
      areProbing = true
      for (const { name } of probes) ledger.restart(name)
      probing = startProbes()
    },
    async end() {
      isEnding = true
      await Promise.all([...loops, ...probing])
      for (const { close } of [...proxied, ...probes]) close()
    },
  }
}
