/** Kills a process while people register, invite, join and buy; then looks for halves. A soak kills more often. */
import { setTimeout as pause } from 'node:timers/promises'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { createRandom } from './fixtures.ts'
import { HALVES, heard } from './partial-writes.ts'
import { house, kill, type Test } from './processes.ts'

export interface Killed {
  /** Requests that were under way at a kill: what became of them nobody was told. */
  readonly unanswered: number
  readonly answered: number
  /** What was answered as done and is not there. */
  readonly lost: readonly string[]
  /** What is there in part: the question and how many. */
  readonly halves: Readonly<Record<string, number>>
  /** Repeats, with the key of the first try, that were refused or had a second effect. */
  readonly twice: number
}
interface Deed {
  readonly path: string
  readonly body: object
  readonly token?: string
  readonly key?: string
  /** What is there once it is done, where the answer does not name it. */
  readonly leaves?: string
}
interface Answered {
  user?: { id: string }
  workspace?: { id: string }
  id?: string
  token?: string
  link?: string
}

const LANES = 4
/** Answers before a kill, at most, and milliseconds after the last of them. A person and a friend are five. */
const MOST = 40
const AFTER = 80

export async function killAtRandom(
  t: Test,
  { kills, part }: { kills: number; part: 'web' | 'start' },
): Promise<Killed> {
  const larder = await house(t)
  const random = createRandom(kills)
  const unanswered: Deed[] = []
  const ids: string[] = []
  const crowd = createCrowd(unanswered, ids)
  for (let n = 0; n < kills; n++) {
    const process = await larder.up(part)
    const lanes = Promise.all(Array.from({ length: LANES }, () => crowd(process.url)))
    const enough = ids.length + random.below(MOST)
    while (ids.length < enough) await pause(2)
    await pause(random.below(AFTER))
    await kill(process)
    await lanes
  }
  const last = await larder.up('start')
  const twice = await repeat(last.url, unanswered)
  const known = await heard(larder.owner, ids)
  const halves: Record<string, number> = {}
  for (const [what, sql] of Object.entries(HALVES)) halves[what] = await larder.owner.number(sql)
  await kill(last, 'SIGTERM')
  return { unanswered: unanswered.length, answered: ids.length, lost: ids.filter(id => !known.has(id)), halves, twice }
}

/** Lets one person after another come, each with a friend, until the process is gone. */
function createCrowd(unanswered: Deed[], ids: string[]): (url: string) => Promise<void> {
  let people = 0
  const register = (email: string): Deed => ({ path: '/v1/auth/register', body: { email, password: TEST_PASSWORD } })

  /** Undefined where the process went away under the request. */
  async function does(url: string, deed: Deed): Promise<Answered | undefined> {
    const answer = await send(url, deed)
    if (!answer) unanswered.push(deed)
    const id = deed.leaves ?? answer?.user?.id ?? answer?.id
    if (answer && id) ids.push(id)
    return answer
  }

  return async url => {
    for (;;) {
      const key = `p${++people}`
      const email = `${key}.friend@example.test`
      const owner = await does(url, register(`${key}@example.test`))
      const friend = owner && (await does(url, register(email)))
      if (!owner || !friend) return
      const invitation = { email, roles: ['tenant.member'], sendEmail: false }
      const invite = { path: '/v1/identity/members/invite', body: invitation, token: owner.token, key }
      const link = (await does(url, invite))?.link
      if (!link) return
      const body = { token: new URL(link).searchParams.get('token') }
      const accept = { path: '/v1/identity/invitations/accept', body, token: friend.token, key }
      if (!(await does(url, accept))) return
      const plan = { planKey: 'pro' }
      const buy = { path: '/v1/billing/checkout', body: plan, token: owner.token, key, leaves: owner.workspace?.id }
      if (!(await does(url, buy))) return
    }
  }
}

/** Undefined where nobody answered. Throws on an answer that is no success. */
async function send(url: string, { path, body, token, key }: Deed): Promise<Answered | undefined> {
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
  if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`)
  return JSON.parse(text) as Answered
}

/** With its key a request may be sent again; a registration says that it was through. */
async function repeat(url: string, deeds: readonly Deed[]): Promise<number> {
  let refused = 0
  for (const deed of deeds)
    try {
      await send(url, deed)
      if (deed.key) await send(url, deed)
    } catch (error) {
      if (!String(error).includes('email_taken')) refused++
    }
  return refused
}
