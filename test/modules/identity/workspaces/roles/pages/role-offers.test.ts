/** Which roles the pages of a workspace offer. */
import test from 'ava'
import type { Person } from '../../../../../../testing/index.ts'
import { withPeople } from '../../../../../fixtures/with-people.ts'
import { promote } from '../../../../platform/fixtures.ts'

let admin: Person

const { kernel, ada } = withPeople(
  test,
  {
    recipe: {
      modules: { identity: {}, comms: {}, content: {}, forms: {}, collections: {} },
      collections: { articles: { scope: 'shared', fields: { title: { type: 'text' } } } },
      roles: {
        'tenant.author': { name: 'Author of articles', permissions: ['collections.articles.*'] },
        'tenant.helper': { name: 'Helper of customers', operatorOnly: true, permissions: ['forms.*'] },
        'tenant.clerk': { name: 'Clerk', permissions: ['forms.*', 'collections.articles.*'] },
      },
    },
    alone: true,
  },
  { ada: 'owner' },
  async () => {
    admin = await promote(kernel, await kernel.register('boss@example.test'))
  },
)

const EVERYWHERE = ['Member', 'Form editor', 'Clerk']
const AT_OPERATOR = ['Editor', 'Author of articles', 'Helper of customers']

async function pageOf(path: string, { cookie, tenantId }: Person): Promise<string> {
  const headers = { accept: 'text/html', cookie: `${cookie}; platform_tenant=${tenantId}` }
  return (await kernel.get<string>(path, { headers })).body
}
/** As the name of a role stands on a page, and not inside another word. */
const shows = (html: string, name: string): boolean => new RegExp(`>\\s*${name}\\s*<`).test(html)

for (const path of ['/workspace/members', '/workspace/roles'])
  test(`${path} offers a customer only roles that have an effect in their workspace`, async t => {
    const customer = await pageOf(path, ada)
    const operator = await pageOf(path, admin)
    for (const name of [...EVERYWHERE, ...AT_OPERATOR]) t.true(shows(operator, name), `operator: ${name}`)
    for (const name of EVERYWHERE) t.true(shows(customer, name), name)
    for (const name of AT_OPERATOR) t.false(shows(customer, name), name)
  })

test('a role that a member has stays on their page', async t => {
  const { body } = await ada.get('/v1/identity/members')
  const id = body.data[0]?.id ?? ''
  const roles = ['tenant.owner', 'tenant.editor']
  t.is((await ada.patch(`/v1/identity/members/${id}`, { roles })).status, 200)
  t.true(shows(await pageOf(`/workspace/members/${id}`, ada), 'Editor'))
})
