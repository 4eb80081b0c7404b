/** Kills a process while users register, invite, join and buy, then looks for lost and partial writes. */
import { setTimeout as pause } from 'node:timers/promises'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { createRandom } from './fixtures.ts'
import { findCommitted, PARTIAL_WRITES } from './partial-writes.ts'
import { createInstallation, kill, type Test } from './processes.ts'

export interface KillResult {
  /** Requests without a response because of a kill. */
  readonly interrupted: number
  readonly answered: number
  /** Ids of successful responses that are not stored. */
  readonly lost: readonly string[]
  /** Number of partial writes of each kind. */
  readonly partial: Readonly<Record<string, number>>
  /** Interrupted requests whose repeat with the same Idempotency-Key failed. */
  readonly failedRepeats: number
}
interface ClientRequest {
  readonly path: string
  readonly body: object
  readonly token?: string
  readonly key?: string
  /** The stored id, if the response does not contain it. */
  readonly affectedId?: string
}
interface ResponseBody {
  user?: { id: string }
  workspace?: { id: string }
  id?: string
  token?: string
  link?: string
}

const CLIENTS = 4
/** Responses and milliseconds before a kill. One owner and one invited user make five requests. */
const MAX_RESPONSES_BEFORE_KILL = 40
const MAX_KILL_DELAY_MS = 80

export async function killAtRandom(
  t: Test,
  { kills, part }: { kills: number; part: 'web' | 'start' },
): Promise<KillResult> {
  const larder = await createInstallation(t)
  const random = createRandom(kills)
  const interrupted: ClientRequest[] = []
  const ids: string[] = []
  const runClient = createClients(interrupted, ids)
  for (let n = 0; n < kills; n++) {
    const process = await larder.startProcess(part)
    const clients = Promise.all(Array.from({ length: CLIENTS }, () => runClient(process.url)))
    const enough = ids.length + random.below(MAX_RESPONSES_BEFORE_KILL)
    while (ids.length < enough) await pause(2)
    await pause(random.below(MAX_KILL_DELAY_MS))
    await kill(process)
    await clients
  }
  const last = await larder.startProcess('start')
  const failedRepeats = await repeat(last.url, interrupted)
  const committed = await findCommitted(larder.owner, ids)
  const partial: Record<string, number> = {}
  for (const [what, sql] of Object.entries(PARTIAL_WRITES)) partial[what] = await larder.owner.value(sql)
  await kill(last, 'SIGTERM')
  const lost = ids.filter(id => !committed.has(id))
  return { interrupted: interrupted.length, answered: ids.length, lost, partial, failedRepeats }
}

/** Each client registers owners and invited users, one after another, until the process is gone. */
function createClients(interrupted: ClientRequest[], ids: string[]): (url: string) => Promise<void> {
  let owners = 0
  const register = (email: string): ClientRequest => ({
    path: '/v1/auth/register',
    body: { email, password: TEST_PASSWORD },
  })

  /** Undefined if the process was killed during the request. */
  async function sendAndRecord(url: string, request: ClientRequest): Promise<ResponseBody | undefined> {
    const response = await send(url, request)
    if (!response) interrupted.push(request)
    const id = request.affectedId ?? response?.user?.id ?? response?.id
    if (response && id) ids.push(id)
    return response
  }

  return async url => {
    for (;;) {
      const key = `p${++owners}`
      const email = `${key}.friend@example.test`
      const owner = await sendAndRecord(url, register(`${key}@example.test`))
      const friend = owner && (await sendAndRecord(url, register(email)))
      if (!owner || !friend) return
      const invitation = { email, roles: ['tenant.member'], sendEmail: false }
      const invite = { path: '/v1/identity/members/invite', body: invitation, token: owner.token, key }
      const link = (await sendAndRecord(url, invite))?.link
      if (!link) return
      const body = { token: new URL(link).searchParams.get('token') }
      const accept = { path: '/v1/identity/invitations/accept', body, token: friend.token, key }
      if (!(await sendAndRecord(url, accept))) return
      const plan = { planKey: 'pro' }
      const buy = { path: '/v1/billing/checkout', body: plan, token: owner.token, key, affectedId: owner.workspace?.id }
      if (!(await sendAndRecord(url, buy))) return
    }
  }
}

/** Undefined without a response. Throws if the request fails. */
async function send(url: string, { path, body, token, key }: ClientRequest): Promise<ResponseBody | undefined> {
  let response: Response
  let text: string
  try {
    response = await fetch(url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      },
    })
    text = await response.text()
  } catch {
    return undefined
  }
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${text}`)
  return JSON.parse(text) as ResponseBody
}

/** A registration has no Idempotency-Key: its repeat may fail with `email_taken`. Counts all other failures. */
async function repeat(url: string, requests: readonly ClientRequest[]): Promise<number> {
  let failed = 0
  for (const request of requests)
    try {
      await send(url, request)
      if (request.key) await send(url, request)
    } catch (error) {
      if (!String(error).includes('email_taken')) failed++
    }
  return failed
}
