/** Kills workers while they send a mail for each of many invitations; every mail goes, and goes once. */
import { performance } from 'node:perf_hooks'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { waitFor } from '../fixtures/wait.ts'
import { atOnce, createRandom, type Owner } from './fixtures.ts'
import { house, kill, type Larder, ROOMY, type Test } from './processes.ts'

export interface Drained {
  /** Invitations without a mail that was sent. */
  readonly lost: number
  /** Invitations with more than one message, or messages that were kept more than once. */
  readonly twice: number
  /** Mails that were still to go at each kill. */
  readonly left: readonly number[]
  /** Milliseconds from the last kill to the last mail. */
  readonly healed: number
}

/** Seconds. */
const PATIENCE = 600

/** The mailbox keeps the last 1,000 mails; this, every time that one was put into it. */
const KEEP_BOOK = `
  create table sent_mails (message_id text not null, recipient text not null);
  create function note_sent_mail() returns trigger language plpgsql security definer set search_path = public as
    'begin insert into sent_mails values (new.message_id, new.recipient); return new; end';
  create trigger note_sent_mail after insert on comms_mailbox for each row execute function note_sent_mail()`
const SENT = `select count(distinct message_id)::int from sent_mails where recipient like 'guest%'`

export async function killWorkers(
  t: Test,
  { mails, kills, workers }: { mails: number; kills: number; workers: number },
): Promise<Drained> {
  const larder = await house(t, { recipe: ROOMY })
  const random = createRandom(mails)
  const web = await larder.up('web')
  await larder.owner.query(KEEP_BOOK)
  const staff: Larder[] = []
  for (let n = 0; n < workers; n++) staff.push(await larder.up('worker'))
  // Says at once that nobody invites any more.
  let refused: unknown
  const inviting = invite(web.url, mails).catch(error => {
    refused = error
  })
  const left: number[] = []
  let lastKill = 0
  for (let n = 0; n < kills; n++) {
    const at = (mails * (n + random.next())) / (kills + 1)
    await waitFor(
      async () => {
        if (refused) throw refused
        return (await larder.owner.number(SENT)) >= at
      },
      Boolean,
      PATIENCE,
    )
    const victim = random.below(workers)
    lastKill = performance.now()
    await kill(staff[victim] as Larder)
    left.push(mails - (await larder.owner.number(SENT)))
    staff[victim] = await larder.up('worker')
  }
  await inviting
  if (refused) throw refused
  await waitFor(async () => (await larder.owner.number(WAITING)) === 0, Boolean, PATIENCE)
  const healed = performance.now() - lastKill
  const result = await count(larder.owner)
  for (const process of [...staff, web]) await kill(process, 'SIGTERM')
  return { ...result, left, healed }
}

async function invite(url: string, mails: number): Promise<void> {
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (response.status !== 201) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as { token: string }
  }
  const owners = await Promise.all(
    [1, 2, 3, 4].map(n => post('/v1/auth/register', { email: `owner${n}@example.test`, password: TEST_PASSWORD })),
  )
  await atOnce(mails, 16, async n => {
    const body = { email: `guest${n}@example.test`, roles: ['tenant.member'] }
    await post('/v1/identity/members/invite', body, owners[n % owners.length]?.token)
  })
}

const WAITING = `select (select count(*) from larder_events where dispatched_at is null)
  + (select count(*) from larder_deliveries where state = 'pending')
  + (select count(*) from larder_jobs where state in ('waiting', 'running') and name = 'comms.deliver')`

async function count({ number }: Owner): Promise<{ lost: number; twice: number }> {
  const mailed = `from identity_invitations i left join comms_messages m on m.recipient = i.email and m.status = 'sent'
    left join sent_mails s on s.message_id = m.id`
  return {
    lost: await number(`select count(*)::int ${mailed} where s.message_id is null`),
    twice: await number(`select count(*)::int from (select i.id ${mailed} group by i.id having count(*) > 1) as often`),
  }
}
