import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { type Client, type Person, startTestKernel, type TestKernel } from '../../../../testing/index.ts'
import { codeOf, type Listed, type People, peopleOf } from '../../../fixtures/people.ts'
import { waitFor } from '../../../fixtures/wait.ts'
import { role } from '../../identity/fixtures.ts'

const PARCELS = `
import { defineModule } from '@larder-dev/larder/kernel'
export default defineModule({
  name: 'parcels',
  permissions: { 'parcels.parcel.read_all': { title: 'View every parcel', scope: 'platform' } },
  roles: { 'parcels.searcher': { name: 'Searcher', scope: 'platform', permissions: ['platform.search.read', 'parcels.parcel.read_all'] } },
  search: () => [
    { name: 'parcels', title: 'Parcels', allow: 'parcels.parcel.read_all',
      async find(words, limit) {
        if (words === 'explode') throw new Error('the depot is closed')
        if (words !== 'many') return []
        return Array.from({ length: limit }, (_, n) => ({ id: 'pcl_' + n, title: 'Parcel ' + n, detail: null, tenantId: null }))
      } },
  ],
})
`

const diaries = {
  label: 'Diary',
  fields: { title: { type: 'text' } },
  access: { read: { 'tenant.member': { createdBy: '$user' } }, create: { 'tenant.member': true } },
}
const complaints = {
  label: 'Complaint',
  fields: { title: { type: 'text' } },
  access: { read: { signedIn: true }, create: { 'tenant.member': true } },
}

const folder = mkdtempSync(join(tmpdir(), 'larder-search-'))
let kernel: TestKernel
let people: People
let operator: Client
let ada: Person
test.before(async () => {
  writeFileSync(join(folder, 'parcels.js'), PARCELS)
  const more = { identity: { impersonation: true }, comms: {}, content: {}, collections: {} }
  const modules = { ...more, parcels: { use: './parcels.js' } }
  kernel = await startTestKernel({ recipe: { modules, collections: { diaries, complaints } }, folder })
  people = peopleOf(kernel)
  operator = await people.operator()
  ada = await people.person('Ada Lovelace')
})
test.after.always(async () => {
  await kernel?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const search = (client: Client, q: string, headers = {}) =>
  client.get(`/v1/platform/search?q=${encodeURIComponent(q)}`, { headers })
const groupsOf = async (q: string) => (await search(operator, q)).body.data
const group = async (q: string, id: string) => (await groupsOf(q)).find(found => found.id === id)

test('finds people and workspaces by parts of their names, and by their ids', async t => {
  const person = { id: ada.userId, title: 'Ada Lovelace', detail: ada.email }
  t.like((await group('lovelace', 'identity.people'))?.results, [person])
  t.like((await group(ada.userId, 'identity.people'))?.results, [person])
  const workspaces = await group(ada.tenantId, 'identity.workspaces')
  t.like(workspaces, { title: 'Workspaces', resource: 'identity.workspaces', more: false, failed: false })
  t.is(workspaces?.results[0]?.id, ada.tenantId)
})

test('finds the emails of any workspace, with the name of the workspace', async t => {
  const to = 'lost-mail@example.test'
  const { body } = await ada.post('/v1/communications/messages', {
    templateKey: 'comms.test',
    to,
    data: {},
  })
  const { name } = (await operator.get(`/v1/identity/admin/tenants/${ada.tenantId}`)).body
  const result = { id: body.id, detail: to, title: body.subject, tenantId: ada.tenantId, tenantName: name }
  for (const words of ['LOST-MAIL@example.test', 'ost-mai', body.id])
    t.like((await group(words, 'comms.emails'))?.results, [result], words)
})

test('finds people and emails without the accents of their names and subjects', async t => {
  const person = await people.person('Jörg Weiß')
  for (const words of ['jorg weiss', 'JÖRG WEISS'])
    t.is((await group(words, 'identity.people'))?.results[0]?.id, person.userId, words)
  const email = 'invited-by-jorg@example.test'
  await person.post('/v1/identity/members/invite', { email, roles: ['tenant.member'] })
  await waitFor(async () => (await group('jorg weiss', 'comms.emails'))?.results.some(({ detail }) => detail === email))
  t.pass()
})

test('finds events by their type', async t => {
  await waitFor(async () => ((await group('identity.tenant.created', 'platform.events'))?.results.length ?? 0) > 0)
  t.true(
    (await group('identity.tenant.created', 'platform.events'))?.results.every(
      ({ title }) => title === 'identity.tenant.created',
    ),
  )
})

test('finds nothing for wildcards and quotes, and asks for words', async t => {
  for (const words of [
    '%',
    '_',
    "' or 1=1 --",
    '\\',
    '"',
    '<script>',
    '%%%',
    '\u{1F600}',
    '$1',
    'ten_',
    'usr_',
    'evt_',
    'usr_x',
  ])
    t.deepEqual(await groupsOf(words), [], words)
  for (const words of ['', '   ', 'x'.repeat(201), '\0'])
    t.is((await search(operator, words)).status, 422, JSON.stringify(words).slice(0, 20))
  t.true([414, 422, 431].includes((await search(operator, 'x'.repeat(64 * 1024))).status))
  t.is((await operator.get('/v1/platform/search')).status, 422)
  t.is((await operator.get('/v1/platform/search?q=a&limit=5')).status, 400)
  t.is((await operator.get('/v1/platform/search?q[a]=b')).status, 400)
})

test('quotes in names are found', async t => {
  const found = (await group("Ada Lovelace's", 'identity.workspaces'))?.results
  t.is(found?.[0]?.id, ada.tenantId)
})

test('a module adds results, five of which are shown', async t => {
  const found = await group('many', 'parcels.parcels')
  t.like(found, { title: 'Parcels', resource: null, more: true, failed: false })
  t.is(found?.results.length, 5)
})

test('a source that fails is named, and the others answer', async t => {
  t.deepEqual(await groupsOf('explode'), [
    { id: 'parcels.parcels', title: 'Parcels', resource: null, results: [], more: false, failed: true },
  ])
})

test('leaves out what the caller may not read', async t => {
  const { tenantId } = kernel.kernel.ports.operator
  const searcher = await people.colleague({ ...operator, tenantId }, ['parcels.searcher'])
  t.deepEqual((await search(searcher, 'lovelace')).body.data, [])
  t.is((await search(searcher, 'many')).body.data.length, 1)
  t.is(codeOf(await search(ada, 'lovelace')), '403 forbidden')
  t.is((await fetch(new URL('/v1/platform/search?q=a', kernel.url))).status, 401)
})

test('titles are in the language of the request', async t => {
  const { body } = await search(operator, 'lovelace', { 'accept-language': 'de' })
  t.is(body.data.find(({ id }) => id === 'identity.people')?.title, 'Personen')
})

const namesOf = async (client: Client, ...ids: readonly string[]) =>
  (await client.get(`/v1/platform/names?ids=${ids.join(',')}`)).body.data

test('names people, workspaces and API keys of every workspace for an operator', async t => {
  const { body: key } = await ada.post('/v1/identity/api-keys', { name: 'Importer' })
  t.like(await namesOf(operator, ada.userId, ada.tenantId, key.id), [
    { id: ada.userId, title: 'Person', name: 'Ada Lovelace', resource: 'identity.people' },
    { id: ada.tenantId, title: 'Workspace', name: "Ada Lovelace's workspace", resource: 'identity.workspaces' },
    { id: key.id, title: 'API key', name: 'Importer', resource: null },
  ])
})

test('names the actor of an event by the login', async t => {
  await ada.post('/v1/identity/members/invite', { email: 'new@example.test', roles: ['tenant.member'] })
  const { body } = await ada.get('/v1/platform/events')
  const event = body.data.find(({ actor }) => actor.kind === 'login')
  const [named] = await namesOf(ada, event?.actor.id ?? '')
  t.like(named, { title: 'Login', name: 'Ada Lovelace', key: ada.userId })
})

test('does not name what belongs to other workspaces', async t => {
  const ben = await people.person('Ben')
  const { body: key } = await ada.post('/v1/identity/api-keys', { name: 'Hidden' })
  const names = await namesOf(ben, ada.userId, ada.tenantId, key.id, ben.tenantId)
  t.deepEqual(
    names.map(({ title, name }) => [title, name]),
    [
      ['Person', null],
      ['Workspace', null],
      ['API key', null],
      ['Workspace', "Ben's workspace"],
    ],
  )
  t.deepEqual(await namesOf(ben, 'xyz_01m8fq9vr9ex9tbxh46hvgh873'), [])
})

test('names to a member without the permission only the kinds of records', async t => {
  const member = await people.colleague(ada, [await role(ada, 'team.sender', ['communications.message.send'])])
  const { body: key } = await ada.post<{ id: string }>('/v1/identity/api-keys', { name: 'Secret name' })
  const { body } = await ada.get<Listed<{ id: string }>>('/v1/platform/events')
  t.deepEqual(
    (await namesOf(member, ada.userId, key.id, body.data[0]?.id ?? '')).map(({ title, name, resource }) => [
      title,
      name,
      resource,
    ]),
    [
      ['Person', null, null],
      ['API key', null, null],
      ['Event', null, null],
    ],
  )
})

test('a record that no longer exists has a kind', async t => {
  const gone = 'evt_01m8fq9vr9ex9tbxh46hvgh873'
  t.like(await namesOf(ada, gone, gone), [{ id: gone, title: 'Event', name: null, key: gone }])
})

interface Shown {
  readonly sentence: string
  readonly actorId: string | null
  readonly subjectId: string
  readonly kind: string
}
async function activityOf(client: Client, headers = {}): Promise<Shown[]> {
  const { body } = await client.get<Listed<Shown>>('/v1/platform/activity?limit=50', { headers })
  return body.data
}
const about = async (client: Client, id: string, headers = {}) =>
  (await activityOf(client, headers))
    .filter(({ subjectId }) => subjectId === id)
    .map(({ sentence, actorId, kind }) => [sentence, actorId, kind])

test('activity has the ID of who left the workspace, for those who may read the names of members', async t => {
  const owner = await people.person()
  const writer = await people.colleague(owner, ['tenant.owner'], 'Wanda')
  const stranger = await people.colleague(owner, [await role(owner, 'team.stranger', ['content.page.read'])])
  const { body: page } = await writer.post<{ id: string }>('/v1/content/pages', { slug: 'farewell', title: 'Farewell' })
  await owner.post(`/v1/content/pages/${page.id}/publish`)
  const { body: members } = await owner.get<Listed<{ id: string; userId: string }>>('/v1/identity/members')
  const member = members.data.find(({ userId }) => userId === writer.userId)
  t.is((await owner.delete(`/v1/identity/members/${member?.id}`)).status, 204)
  const created = async (client: Client) =>
    (await about(client, page.id)).find(([sentence]) => String(sentence).includes('created'))
  t.deepEqual(await created(owner), ['{actor} created {subject}', writer.userId, 'Page'])
  t.deepEqual(await created(stranger), ['Somebody created {subject}', null, 'Page'])
})

test('activity says who published a page, after they signed out, to those who may read pages', async t => {
  const owner = await people.person('Grace Hopper')
  const permissions = ['content.page.read', 'identity.member.read']
  const reader = await people.colleague(owner, [await role(owner, 'team.reader', permissions)])
  const stranger = await people.colleague(owner, [await role(owner, 'team.stranger', ['content.page.read'])])
  const sender = await people.colleague(owner, [await role(owner, 'team.sender', ['communications.message.send'])])
  const { body: page } = await owner.post<{ id: string }>('/v1/content/pages', { slug: 'news', title: 'News' })
  await owner.patch(`/v1/content/pages/${page.id}`, { title: 'New news' })
  t.is((await owner.post(`/v1/content/pages/${page.id}/publish`)).status, 200)
  t.is((await owner.post('/v1/auth/logout')).status, 204)
  const expected = [
    ['{actor} published {subject}', owner.userId, 'Page'],
    ['{actor} created {subject}', owner.userId, 'Page'],
  ]
  t.deepEqual(await about(reader, page.id), expected)
  const [published] = await about(reader, page.id, { 'accept-language': 'de' })
  t.deepEqual(published, ['{actor} hat {subject} veröffentlicht', owner.userId, 'Seite'])
  t.deepEqual(await about(stranger, page.id), [
    ['Somebody published {subject}', null, 'Page'],
    ['Somebody created {subject}', null, 'Page'],
  ])
  t.deepEqual(await activityOf(sender), [])
  t.deepEqual(await about(await people.person(), page.id), [])
  t.is((await fetch(new URL('/v1/platform/activity', kernel.url))).status, 401)
})

test('activity and names have no title of a draft for those who read what is published', async t => {
  const owner = await people.person()
  const reader = await people.colleague(owner, [await role(owner, 'team.reader', ['content.page.read'])])
  const nameOf = async () => (await namesOf(reader, page.id)).map(({ name, resource }) => [name, resource])
  const { body: page } = await owner.post<{ id: string }>('/v1/content/pages', { slug: 'merger', title: 'Merger' })
  t.deepEqual(await about(reader, page.id), [])
  t.deepEqual(await nameOf(), [[null, null]])
  await owner.post(`/v1/content/pages/${page.id}/publish`)
  await owner.patch(`/v1/content/pages/${page.id}`, { title: 'Merger with Acme' })
  t.deepEqual(await nameOf(), [['Merger', 'content.pages']])
  t.like(await namesOf(owner, page.id), [{ name: 'Merger with Acme' }])
})

test('activity tells changes of the draft of a published page to those who see drafts', async t => {
  const owner = await people.person('Grace Hopper')
  const roleOf = (name: string, permissions: readonly string[]) =>
    role(owner, name, ['identity.member.read', 'content.page.read', ...permissions])
  const reader = await people.colleague(owner, [await roleOf('team.reader', [])])
  const editor = await people.colleague(owner, [await roleOf('team.editor', ['content.page.update'])])
  const { body: page } = await owner.post<{ id: string }>('/v1/content/pages', { slug: 'plans', title: 'Plans' })
  await owner.post(`/v1/content/pages/${page.id}/publish`)
  const before = await about(reader, page.id)
  await editor.patch(`/v1/content/pages/${page.id}`, { title: 'Secret plans' })
  const changed = ['{actor} changed {subject}', editor.userId, 'Page']
  t.deepEqual(await about(reader, page.id), before)
  for (const person of [owner, editor]) t.deepEqual(await about(person, page.id), [changed, ...before])
  await owner.post(`/v1/content/pages/${page.id}/publish`)
  // Published a second time, by the same person.
  t.deepEqual(await about(reader, page.id), before)
})

test('activity and names of rows follow the rules of their collection', async t => {
  const owner = await people.person()
  const [writer, other] = [
    await people.colleague(owner, ['tenant.member'], 'Wanda'),
    await people.colleague(owner, ['tenant.member'], 'Olga'),
  ]
  const { body: diary } = await writer.post<{ id: string }>('/v1/data/diaries', { title: 'Dear diary' })
  t.deepEqual(await about(writer, diary.id), [['{actor} created {subject}', writer.userId, 'Diary']])
  t.deepEqual(await activityOf(other), [])
  t.like(await namesOf(writer, diary.id), [{ title: 'Diary', name: 'Dear diary', resource: 'collections.diaries' }])
  t.like(await namesOf(other, diary.id), [{ title: 'Diary', name: null, resource: null }])
})

test('activity names nobody to those who may read a row, but not who created it', async t => {
  const owner = await people.person()
  const writer = await people.colleague(owner, ['tenant.member'], 'Wanda')
  const reader = await people.colleague(owner, [await role(owner, 'team.curious', ['identity.member.read'])])
  const { body: complaint } = await writer.post<{ id: string }>('/v1/data/complaints', { title: 'Too loud' })
  const { body: row } = await reader.get(`/v1/data/complaints/${complaint.id}`)
  t.false('createdBy' in row)
  t.deepEqual(await about(reader, complaint.id), [['Somebody created {subject}', null, 'Complaint']])
  t.deepEqual(await about(owner, complaint.id), [['{actor} created {subject}', writer.userId, 'Complaint']])
  t.deepEqual(await about(writer, complaint.id), [['{actor} created {subject}', writer.userId, 'Complaint']])
})

test('activity names no person for what an operator did in their place', async t => {
  const owner = await people.person()
  const reason = 'They asked for help'
  const path = `/v1/identity/admin/users/${owner.userId}/impersonation`
  const { body } = await operator.post<{ token: string }>(path, { tenantId: owner.tenantId, reason })
  const support = kernel.as(body.token, owner.tenantId)
  const { body: page } = await support.post<{ id: string }>('/v1/content/pages', { slug: 'help', title: 'Help' })
  t.deepEqual(await about(owner, page.id), [['An operator created {subject}', null, 'Page']])
})
