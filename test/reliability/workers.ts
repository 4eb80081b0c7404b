/** Kills workers while they send invitation mails, and counts lost and duplicate mails. */
import { performance } from 'node:perf_hooks'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { waitFor } from '../fixtures/wait.ts'
import { createRandom, type OwnerClient, runConcurrently } from './fixtures.ts'
import { createInstallation, kill, type LarderProcess, RECIPE_WITH_MANY_SEATS, type Test } from './processes.ts'

export interface WorkerKillResult {
  /** Invitations without a sent mail. */
  readonly lost: number
  /** Invitations with more than one message, or with a message that was sent more than once. */
  readonly duplicates: number
  /** Mails of the current share that were unsent at each kill. */
  readonly pendingAtKills: readonly number[]
  /** From the last kill to the last mail. */
  readonly recoveryMs: number
}

const TIMEOUT_SECONDS = 600

/** The mailbox stores only the last 1,000 mails. This trigger records each insert. */
const RECORD_SENT_MAILS = `
  create table sent_mails (message_id text not null, recipient text not null);
  create function note_sent_mail() returns trigger language plpgsql security definer set search_path = public as
    'begin insert into sent_mails values (new.message_id, new.recipient); return new; end';
  create trigger note_sent_mail after insert on comms_mailbox for each row execute function note_sent_mail()`
const SENT_MAILS = `select count(distinct message_id)::int from sent_mails where recipient like 'guest%'`

export async function killWorkers(
  t: Test,
  { mails, kills, workers }: { mails: number; kills: number; workers: number },
): Promise<WorkerKillResult> {
  const larder = await createInstallation(t, { recipe: RECIPE_WITH_MANY_SEATS })
  const random = createRandom(mails)
  const web = await larder.startProcess('web')
  await larder.owner.query(RECORD_SENT_MAILS)
  const processes: LarderProcess[] = []
  for (let n = 0; n < workers; n++) processes.push(await larder.startProcess('worker'))
  const invite = await createInviter(web.url)
  // A failure must end the waiting below.
  let inviteError: unknown
  const inviting: Promise<void>[] = []
  const pendingAtKills: number[] = []
  let lastKill = 0
  // Each kill has its own share of the mails: the other workers may send everything before the victim runs again.
  for (let n = 0; n <= kills; n++) {
    const [from, to] = [n, n + 1].map(share => Math.round((mails * share) / (kills + 1))) as [number, number]
    inviting.push(
      invite(from, to).catch(error => {
        inviteError = error
      }),
    )
    if (n === kills) break
    const at = from + (to - from) * (0.1 + 0.6 * random.next())
    await waitFor(
      async () => {
        if (inviteError) throw inviteError
        return (await larder.owner.value(SENT_MAILS)) >= at
      },
      Boolean,
      TIMEOUT_SECONDS,
    )
    const victim = random.below(workers)
    lastKill = performance.now()
    await kill(processes[victim] as LarderProcess)
    pendingAtKills.push(to - (await larder.owner.value(SENT_MAILS)))
    processes[victim] = await larder.startProcess('worker')
  }
  await Promise.all(inviting)
  if (inviteError) throw inviteError
  await waitFor(async () => (await larder.owner.value(PENDING_WORK)) === 0, Boolean, TIMEOUT_SECONDS)
  const recoveryMs = performance.now() - lastKill
  const result = await count(larder.owner)
  for (const process of [...processes, web]) await kill(process, 'SIGTERM')
  return { ...result, pendingAtKills, recoveryMs }
}

/** Returns a function that invites the guests `from` to `to`, excluding `to`, by email. */
async function createInviter(url: string): Promise<(from: number, to: number) => Promise<void>> {
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (response.status !== 201) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as { token: string }
  }
  const owners = await Promise.all(
    [1, 2, 3, 4].map(n => post('/v1/auth/register', { email: `owner${n}@example.test`, password: TEST_PASSWORD })),
  )
  return (from, to) =>
    runConcurrently(to - from, 16, async n => {
      const guest = from + n
      const body = { email: `guest${guest}@example.test`, roles: ['tenant.member'] }
      await post('/v1/identity/members/invite', body, owners[guest % owners.length]?.token)
    })
}

const PENDING_WORK = `select (select count(*) from larder_events where dispatched_at is null)
  + (select count(*) from larder_deliveries where state = 'pending')
  + (select count(*) from larder_jobs where state in ('waiting', 'running') and name = 'comms.deliver')`

async function count({ value }: OwnerClient): Promise<{ lost: number; duplicates: number }> {
  const mailed = `from identity_invitations i left join comms_messages m on m.recipient = i.email and m.status = 'sent'
    left join sent_mails s on s.message_id = m.id`
  return {
    lost: await value(`select count(*)::int ${mailed} where s.message_id is null`),
    duplicates: await value(
      `select count(*)::int from (select i.id ${mailed} group by i.id having count(*) > 1) as often`,
    ),
  }
}
