import test from 'ava'
import type { SavedReply } from '../../../fixtures/api-types.ts'
import { codeOf, expectStatus, forgedCursor, type Listed, problem } from '../../../fixtures/people.ts'
import { withPeople } from '../../../fixtures/with-people.ts'
import { errorsOf } from '../fixtures.ts'

const REPLIES = '/v1/messaging/saved-replies'
const HELLO = { title: 'Hello', body: 'Hello {name}', shortcut: 'hello' }

const { people, ada, eve, reader } = withPeople(
  test,
  {
    recipe: {
      roles: { 'tenant.viewer': { name: 'Viewer', permissions: ['support.inbox.read'] } },
      modules: { identity: {}, messaging: {} },
    },
    clock: true,
    alone: true,
  },
  { ada: { name: 'Ada' }, eve: { name: 'Eve' }, reader: ['tenant.viewer'] },
)

test.serial('creates, reads, changes and deletes a saved reply', async t => {
  const { status, headers, body } = await ada.post(REPLIES, HELLO)
  t.is(status, 201)
  t.is(headers.get('location'), `${REPLIES}/${body.id}`)
  t.like(body, { ...HELLO, version: 1 })
  const at = headers.get('location') as string
  t.deepEqual((await reader.get<SavedReply>(at)).body, body)
  const updated = await ada.patch<SavedReply>(at, { shortcut: null }, { headers: { 'if-match': '"1"' } })
  t.like(expectStatus(200, updated), { title: 'Hello', shortcut: null, version: 2 })
  t.is(updated.headers.get('etag'), '"2"')
  t.like(expectStatus(200, await ada.patch<SavedReply>(at, { shortcut: null })), { version: 2 })
  t.is(codeOf(await ada.patch(at, { title: 'x' }, { headers: { 'if-match': '"1"' } })), '412 precondition_failed')
  t.is(codeOf(await ada.delete(at, { headers: { 'if-match': '"1"' } })), '412 precondition_failed')
  t.is((await ada.delete(at)).status, 204)
  t.is(codeOf(await ada.delete(at)), '404 not_found')
  t.is(codeOf(await ada.get(at)), '404 not_found')
})

test.serial('requires permissions, and hides other workspaces', async t => {
  const { id } = expectStatus(201, await ada.post(REPLIES, { title: 'Mine', body: 'Mine' }))
  for (const [method, path, body, permission] of [
    ['POST', REPLIES, HELLO, 'support.reply.create'],
    ['PATCH', `${REPLIES}/${id}`, { title: 'x' }, 'support.reply.update'],
    ['DELETE', `${REPLIES}/${id}`, undefined, 'support.reply.delete'],
  ] as const) {
    const refused = await reader.call(method, path, body)
    t.is(codeOf(refused), '403 forbidden')
    t.is(problem(refused).requiredPermission, permission)
    if (path !== REPLIES) t.is(codeOf(await eve.call(method, path, body)), '404 not_found')
  }
  t.deepEqual((await eve.get(REPLIES)).body.data, [])
})

test.serial('a shortcut is unique in a workspace, also for concurrent requests', async t => {
  const posted = await Promise.all([1, 2, 3, 4].map(() => ada.post(REPLIES, { ...HELLO, shortcut: 'once' })))
  t.deepEqual(posted.map(({ status }) => status).sort(), [201, 409, 409, 409])
  t.is((await eve.post(REPLIES, { ...HELLO, shortcut: 'once' })).status, 201)
  const { id } = expectStatus(201, await ada.post(REPLIES, { ...HELLO, shortcut: 'other' }))
  t.is(codeOf(await ada.patch(`${REPLIES}/${id}`, { shortcut: 'once' })), '409 shortcut_taken')
})

test.serial('rejects invalid fields', async t => {
  const post = (body: unknown) => ada.post(REPLIES, body)
  t.is(errorsOf(await post({ title: 'x' })), '422 /body required')
  t.is(errorsOf(await post({ body: 'x' })), '422 /title required')
  t.regex(errorsOf(await post({ ...HELLO, title: 1 })), /^422 \/title wrong_type/)
  t.regex(errorsOf(await post({ ...HELLO, body: ' ' })), /^422 \/body/)
  t.regex(errorsOf(await post({ ...HELLO, shortcut: '/Reset' })), /^422 \/shortcut/)
  t.regex(errorsOf(await post({ ...HELLO, color: 'red' })), /^422 \/color/)
  t.is((await ada.get(`${REPLIES}?q=`)).status, 422)
})

test.serial('lists by title, with search and pages', async t => {
  const owner = await people.person()
  for (const title of ['Cash', 'Apple', 'Berry'])
    expectStatus(201, await owner.post(REPLIES, { title, body: `About ${title}`, shortcut: title.toLowerCase() }))
  const titles = async (query: string) =>
    (await owner.get<Listed<SavedReply>>(`${REPLIES}${query}`)).body.data.map(({ title }) => title)
  t.deepEqual(await titles(''), ['Apple', 'Berry', 'Cash'])
  t.deepEqual(await titles('?q=ABOUT%20b'), ['Berry'])
  const { nextCursor } = (await owner.get(`${REPLIES}?limit=2`)).body
  t.deepEqual(await titles(`?limit=2&cursor=${nextCursor}`), ['Cash'])
  t.is(
    codeOf(await owner.get(`${REPLIES}?cursor=${forgedCursor('get /messaging/saved-replies', [1, 2])}`)),
    '400 invalid_cursor',
  )
})
