/** The deletion of an account: no table of any module keeps the address or the name of the person. */
import test from 'ava'
import pg from 'pg'
import { linkToken } from '../../modules/identity/domain/links.ts'
import { type Client, type Person, startTestKernel, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { expectStatus, type People, peopleOf } from '../fixtures/people.ts'
import { confirmAddress, useModules } from '../fixtures/personal-data.ts'

const NAME = 'Augusta Byron-King'
const [FORMER, CURRENT] = ['Augusta.Former@example.test', 'Augusta.Current@example.test']

/** Tables that keep the address on purpose; see docs/identity.md. */
const KEPT: Readonly<Record<string, string>> = {
  comms_suppression: 'a person who unsubscribed gets no further email',
}

let kernel: TestKernel
let database: pg.Client
let people: People
let bob: Client

test.before(async () => {
  kernel = await startTestKernel({
    recipe: {
      recipe: 1,
      extends: 'larder/full',
      product: { key: 'test', name: 'Test', publicUrl: 'http://localhost' },
      modules: {
        collections: {},
        comms: { transport: 'mailbox' },
        webhooks: { allowHosts: ['127.0.0.1:9'] },
      },
      collections: { notes: { fields: { title: { type: 'text', required: true } } } },
    },
  })
  database = new pg.Client({ connectionString: kernel.databaseUrl })
  database.on('error', () => undefined)
  await database.connect()
  people = peopleOf(kernel)
})
test.after.always(async () => {
  await database?.end()
  await kernel?.stop()
})

/** The address is confirmed at both addresses, which ends all logins. Returns a client with a new one. */
async function changeAddress(client: Client, userId: string): Promise<Client> {
  expectStatus(202, await client.post('/v1/auth/email/change', { email: CURRENT, password: TEST_PASSWORD }))
  const { rows } = await database.query<{ id: string }>('select id from identity_email_changes where user_id = $1', [
    userId,
  ])
  await kernel.settled()
  for (const version of [1, 2]) {
    const token = linkToken(kernel.kernel.ports.secrets, 'email_change', { id: rows[0]?.id ?? '', version })
    expectStatus(200, await client.post('/v1/auth/email/confirm', { token }))
  }
  const login = await kernel.post('/v1/auth/login', { email: CURRENT, password: TEST_PASSWORD })
  return kernel.as(expectStatus(200, login).token)
}

async function joinAndLeave(member: Client, owner: Person): Promise<void> {
  const invitation = { email: CURRENT, roles: ['tenant.member'], sendEmail: false }
  const { link } = expectStatus(201, await owner.post<{ link: string }>('/v1/identity/members/invite', invitation))
  const token = new URL(link).searchParams.get('token')
  const accepted = await member.post<{ membership: { id: string } }>('/v1/identity/invitations/accept', { token })
  const { membership } = expectStatus(200, accepted)
  expectStatus(204, await owner.delete(`/v1/identity/members/${membership.id}`))
}

/** Lives in a workspace that others keep, was a member of another one, and is invited to a third. */
async function augusta(): Promise<Client> {
  const registered = await kernel.register(FORMER, { name: NAME, workspaceName: 'Engine' })
  const confirmed = await confirmAddress(kernel, registered)
  await confirmed.post('/v1/billing/checkout', { planKey: 'pro' })
  await confirmed.post('/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook', events: ['*'] })
  const session = await changeAddress(confirmed, registered.userId)
  bob = await people.colleague({ ...registered, ...session }, ['tenant.owner'], 'Bob')
  await useModules(session, 'Augusta')
  expectStatus(202, await session.post('/v1/data/notes/exports', { format: 'csv' }))
  await joinAndLeave(session, await people.person('Cleo'))
  const dora = await people.person('Dora')
  expectStatus(201, await dora.post('/v1/identity/members/invite', { email: CURRENT }))
  await session.post('/v1/communications/messages', { templateKey: 'comms.test', to: CURRENT, data: { note: 'Hi' } })
  await bob.post('/v1/communications/suppression', { email: CURRENT })
  expectStatus(202, await kernel.post('/v1/auth/password/forgot', { email: CURRENT }))
  await kernel.post('/v1/auth/login', { email: CURRENT, password: 'wrong-password' })
  await kernel.settled()
  return session
}

/** Tables with a row that has the text, in any column and any case. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  )
  const { rows } = await database.query<{ name: string }>(
    tables
      .map(
        ({ name }) =>
          `select '${name}' as name where exists (select from "${name}" r where strpos(lower(r::text), $1) > 0)`,
      )
      .join(' union all '),
    [text.toLowerCase()],
  )
  return rows.map(({ name }) => name)
}

test('no table keeps the address or the name of a deleted account, except the listed ones', async t => {
  const session = await augusta()
  const before = await tablesWith(CURRENT)
  for (const table of ['comms_messages', 'identity_audit', 'identity_invitations', 'larder_events', 'larder_jobs'])
    t.true(before.includes(table), table)
  t.true((await tablesWith(FORMER)).includes('comms_messages'))
  t.true((await tablesWith(NAME)).includes('comms_messages'))
  t.true((await tablesWith('hook')).includes('webhooks_deliveries'))
  t.is((await database.query('select from collections_exports')).rowCount, 1)

  expectStatus(204, await session.post('/v1/auth/me/delete', { password: TEST_PASSWORD }))
  await kernel.settled()
  for (const text of [CURRENT, FORMER, NAME])
    t.deepEqual(
      (await tablesWith(text)).filter(table => !(table in KEPT)),
      [],
      text,
    )
  t.is((await database.query('select from collections_exports')).rowCount, 0)
})

test('an account with an unconfirmed address leaves the invitations of the address alone', async t => {
  const address = 'someone-else@example.test'
  const owner = await people.person('Erin')
  const { body } = await owner.post('/v1/identity/members/invite', { email: address })
  const impostor = await kernel.register(address)
  expectStatus(204, await impostor.post('/v1/auth/me/delete', { password: TEST_PASSWORD }))
  await kernel.settled()
  const list = await owner.get('/v1/identity/invitations')
  t.deepEqual(
    list.body.data.map(({ status }) => status),
    ['pending'],
    JSON.stringify(body),
  )
})

test('an account of another person keeps the former address that it has taken over', async t => {
  const first = await kernel.register('shared@example.test', { name: 'First' })
  await database.query("update identity_users set former_emails = '{second@example.test}' where id = $1", [
    first.userId,
  ])
  const second = await kernel.register('second@example.test', { name: 'Second' })
  await kernel.post('/v1/auth/password/forgot', { email: second.email })
  await kernel.settled()
  expectStatus(204, await first.post('/v1/auth/me/delete', { password: TEST_PASSWORD }))
  await kernel.settled()
  t.true((await tablesWith(second.email)).includes('comms_messages'))
})
