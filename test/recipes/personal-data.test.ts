/** The export of an account: what every module keeps about a person. */
import test from 'ava'
import pg from 'pg'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../testing/index.ts'
import { type People, peopleOf } from '../fixtures/people.ts'
import { confirmAddress, useModules } from '../fixtures/personal-data.ts'

/** Tables with the ID or the address of a person whose rows the export has. */
const EXPORTED = [
  'collections_imports',
  'comms_messages',
  'comms_suppression',
  'console_views',
  'content_versions',
  'data_notes',
  'features_revisions',
  'forms_submissions',
  'forms_versions',
  'identity_api_keys',
  'identity_audit',
  'identity_invitations',
  'identity_logins',
  'identity_members',
  'identity_users',
  'media_items',
  'messaging_chat_messages',
  'messaging_messages',
  'messaging_participants',
  'messaging_saved_replies',
]
/** Tables with the ID or the address of a person that the export leaves out. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  comms_mailbox: 'bodies of emails of the development transport; comms_messages has the emails',
  identity_credential_revisions: 'numbers that change with the rights of a credential',
  larder_events: 'events repeat what the tables have, and are deleted after their retention',
  larder_jobs: 'work in progress',
  larder_deliveries: 'work in progress',
  messaging_conversations: 'conversations that the person started; messaging_participants has them',
}

let kernel: TestKernel
let database: pg.Client
let people: People
let ada: Person
let bob: Client
let session: Client
test.before(async () => {
  kernel = await startTestKernel({
    recipe: {
      recipe: 1,
      extends: 'larder/full',
      product: { key: 'test', name: 'Test', publicUrl: 'http://localhost' },
      modules: { collections: {}, comms: { transport: 'mailbox' } },
      collections: { notes: { fields: { title: { type: 'text', required: true } } } },
    },
  })
  database = new pg.Client({ connectionString: kernel.databaseUrl })
  database.on('error', () => undefined)
  await database.connect()
  people = peopleOf(kernel)
  ada = await people.person('Ada')
  session = await confirmAddress(kernel, ada)
  // The plan has more seats.
  await session.post('/v1/billing/checkout', { planKey: 'pro' })
  bob = await people.colleague({ ...ada, ...session }, ['tenant.owner'], 'Bob')
  for (const [client, name] of [
    [session, 'Ada'],
    [bob, 'Bob'],
  ] as const)
    await useModules(client, name)
  await session.post('/v1/communications/messages', { templateKey: 'comms.test', to: ada.email, data: { note: 'Hi' } })
  await bob.post('/v1/communications/suppression', { email: ada.email })
  await kernel.settled()
})
test.after.always(async () => {
  await database?.end()
  await kernel?.stop()
})

async function exportOf(client: Client, tenantId: string) {
  const { status, body } = await client.get('/v1/auth/me/export')
  if (status !== 200) throw new Error(`the export was answered ${status}`)
  return { text: JSON.stringify(body), modules: body.data.find(each => each.tenantId === tenantId)?.modules ?? {} }
}

test('has the lists of every module', async t => {
  const { modules } = await exportOf(session, ada.tenantId)
  const lists = Object.entries(modules).flatMap(([module, named]) =>
    Object.keys(named).map(name => `${module}.${name}`),
  )
  t.deepEqual(lists.sort(), [
    'collections.rows',
    'comms.emails',
    'comms.suppressions',
    'console.savedViews',
    'content.pageVersions',
    'features.flagChanges',
    'forms.formVersions',
    'forms.submissions',
    'media.files',
    'messaging.chatMessages',
    'messaging.conversations',
    'messaging.messages',
    'messaging.savedReplies',
  ])
  t.is(modules.messaging?.messages?.[0]?.body, 'Message of Ada')
  t.is(modules.messaging?.chatMessages?.[0]?.body, 'Remark of Ada')
  t.is(modules.collections?.rows?.[0]?.title, 'Note of Ada')
  t.deepEqual(modules.forms?.submissions?.[0]?.data, { answer: 'Answer of Ada' })
})

test('has nothing of others in the same workspace, and no secrets', async t => {
  const { text } = await exportOf(session, ada.tenantId)
  t.notRegex(text, /of Bob|of-bob/)
  t.notRegex(text, /hash|secret|password_|token=/i)
})

test('has no emails before the address is confirmed', async t => {
  const { modules } = await exportOf(bob, ada.tenantId)
  t.is(modules.messaging?.messages?.[0]?.body, 'Message of Bob')
  t.is(modules.comms, undefined)
})

test('a person who may no longer read a collection gets none of its rows', async t => {
  const cleo = await people.person('Cleo')
  await cleo.post('/v1/data/notes', { title: 'Note of Cleo' })
  const biller = await people.colleague({ ...ada, ...session }, ['tenant.billing'], 'Dora')
  const { modules } = await exportOf(cleo, cleo.tenantId)
  t.is(modules.collections?.rows?.length, 1)
  t.is((await exportOf(biller, ada.tenantId)).modules.collections, undefined)
})

test('a list has at most 10 MiB of text', async t => {
  const eva = await people.person('Eva')
  const { body } = await eva.post('/v1/content/pages', { slug: 'long', title: 'Long', body: 'Text' })
  await database.query(
    `insert into content_versions
     select tenant_id, page_id, number + n, title, repeat('x', 1048576), '', template, seo, created_by,
       created_at + n * interval '1 second'
     from content_versions cross join generate_series(1, 12) n where page_id = $1`,
    [body.id],
  )
  const { modules } = await exportOf(eva, eva.tenantId)
  const numbers = modules.content?.pageVersions?.map(({ number }) => number)
  t.deepEqual(numbers, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4])
})

test('every table with the ID or the address of a person is exported or left out on purpose', async t => {
  const { rows: tables } = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rowCount } = await database.query(
      `select 1 from "${name}" r where strpos(r::text, $1) > 0 or strpos(r::text, $2) > 0 limit 1`,
      [ada.userId, ada.email],
    )
    if (rowCount) found.push(name)
  }
  const known = [...EXPORTED, ...Object.keys(LEFT_OUT)]
  t.deepEqual(
    found.filter(name => !known.includes(name)),
    [],
  )
})
