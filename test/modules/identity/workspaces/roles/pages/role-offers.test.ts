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
      modules: {
        identity: { signIn: { password: {}, enterprise: {} } },
        comms: {},
        content: {},
        forms: {},
        collections: {},
      },
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

const memberOf = async (person: Person): Promise<string> =>
  (await person.get('/v1/identity/members')).body.data[0]?.id ?? ''
/** The part of a page in which a role is chosen or listed. */
const PLACES: readonly (readonly [path: string, part: RegExp])[] = [
  ['/workspace/members?invite=1', /<dialog[\s\S]*?<\/dialog>/],
  ['/workspace/members', /<form class="filters"[\s\S]*?<\/form>/],
  ['/workspace/members/:me', /<fieldset[\s\S]*?<\/fieldset>/],
  ['/workspace/roles', /<main[\s\S]*<\/main>/],
  ['/workspace/roles/new', /<form class="filters"[\s\S]*?<\/form>/],
  ['/workspace/sso', /name="defaultRole"[\s\S]*?<\/select>/],
  ['/workspace/sso', /name="role:0"[\s\S]*?<\/select>/],
]
for (const [path, part] of PLACES)
  test(`${path} offers a customer only roles that have an effect in their workspace: ${part.source}`, async t => {
    const partFor = async (person: Person) => {
      const html = await pageOf(path.replace(':me', await memberOf(person)), person)
      return part.exec(html)?.[0] ?? ''
    }
    const [customer, operator] = [await partFor(ada), await partFor(admin)]
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

test('a key of a customer is offered no permission that only counts for the operator', async t => {
  const offered = /name="permission:collections\.articles\./
  t.regex(await pageOf('/workspace/api-keys', admin), offered)
  t.notRegex(await pageOf('/workspace/api-keys', ada), offered)
})
