import test from 'ava'
import type { Client } from '../../../testing/index.ts'
import { ACTIONS, runAction, runAndFail } from '../../fixtures/actions.ts'
import { problemOf } from '../../fixtures/problem-of.ts'
import { withPeople } from '../../fixtures/with-people.ts'

const { kernel, people } = withPeople(test, ACTIONS)

interface Page {
  readonly id: string
  readonly publishedVersion: number | null
}
async function draft(client: Client): Promise<Page> {
  const page = { slug: 'news', path: '/news', title: 'News', body: 'Hello' }
  return (await client.post<Page>('/v1/content/pages', page)).body
}
const published = async (client: Client, { id }: Page) =>
  (await client.get<Page>(`/v1/content/pages/${id}`)).body.publishedVersion

test('publishes the draft of a page, once, and takes it off the site', async t => {
  const ada = await people.person()
  const page = await draft(ada)
  const done = { pageId: page.id, publishedVersion: 1 }
  t.deepEqual(await runAction(kernel.kernel, 'content.publish', { page: page.id }, ada), done)
  t.deepEqual(await runAction(kernel.kernel, 'content.publish', { page: page.id }, ada), done)
  t.is(await published(ada, page), 1)
  const gone = { pageId: page.id, publishedVersion: null }
  t.deepEqual(await runAction(kernel.kernel, 'content.unpublish', { page: page.id }, ada), gone)
  t.is(await published(ada, page), null)
})

test('a step that fails publishes nothing', async t => {
  const ada = await people.person()
  const page = await draft(ada)
  await runAndFail(kernel.kernel, 'content.publish', { page: page.id }, ada)
  t.is(await published(ada, page), null)
})

test('publishes no page of another workspace', async t => {
  const [ada, bob] = [await people.person(), await people.person()]
  const page = await draft(ada)
  t.is((await problemOf(t, runAction(kernel.kernel, 'content.publish', { page: page.id }, bob))).code, 'not_found')
  t.is(await published(ada, page), null)
})
