/** Keycloak as a provider of the recipe, and as the single sign-on of workspaces with OpenID Connect and SAML. */
import anyTest, { type TestFn } from 'ava'
import { DAY, MINUTE } from '../../kernel/base/units.ts'
import { diagnoseProviders } from '../../modules/identity/sign-in/providers/provider-diagnosis.ts'
import { TEST_PASSWORD } from '../../testing/index.ts'
import { createTestClock, newEmail, operator } from '../modules/identity/fixtures.ts'
import { verify } from '../modules/identity/pages/mail-tokens.ts'
import { type ProviderBrowser, providerBrowser } from '../modules/identity/sign-in/providers/browser.ts'
import { CLIENT } from '../modules/identity/sign-in/providers/issuer.ts'
import {
  browserOf,
  CONNECTION,
  failed,
  newRoleMappings,
  rolesOf,
  runTest,
  type SsoStage,
  type SsoWorkspace,
  setUpWorkspace,
  startSso,
} from '../modules/identity/sign-in/sso/fixtures.ts'
import { postResponse, SAML } from '../modules/identity/sign-in/sso/saml-fixtures.ts'
import { type Keycloak, type KeycloakBrowser, type KeycloakPerson, startKeycloak } from './keycloak.ts'
import { MAVEN_PROGRAMS, mavenProgram } from './programs.ts'

interface Context {
  readonly keycloak: Keycloak
  readonly stage: SsoStage
  readonly operatorEmail: string
}
const test = anyTest as TestFn<Context>
const program = await mavenProgram(MAVEN_PROGRAMS.keycloak)
const clock = createTestClock()
const PROVIDER_CALLBACKS = ['keycloak', 'wrong'].map(name => `http://localhost:8080/sign-in/${name}/callback`)
const WRONG_SECRET = { ...CLIENT, clientSecret: 'another secret' }

/** As docs/sign-in.md says, once with the paths of groups and once with their names. */
const groupMappers = [
  ['groups', 'true'],
  ['group_names', 'false'],
].map(([name, isFull]) => ({
  protocol: 'openid-connect',
  name,
  protocolMapper: 'oidc-group-membership-mapper',
  config: {
    'claim.name': name,
    'full.path': isFull,
    'id.token.claim': 'true',
    'access.token.claim': 'true',
    'userinfo.token.claim': 'true',
  },
}))
const samlMapper = (name: string, protocolMapper: string, config: object) => ({
  protocol: 'saml',
  name,
  protocolMapper,
  config: { 'attribute.name': name, 'attribute.nameformat': 'Basic', ...config },
})

test.before(async t => {
  const keycloak = await startKeycloak(program)
  await keycloak.createClient(CLIENT, ['http://localhost:8080/sign-in/sso/*', ...PROVIDER_CALLBACKS], groupMappers)
  const { issuer } = keycloak
  const providers = {
    keycloak: { ...CLIENT, issuer, label: 'Keycloak' },
    wrong: { ...WRONG_SECRET, issuer, label: 'Wrong' },
  }
  const stage = await startSso(clock, { modules: { platform: {} }, signIn: { providers } })
  // Before the clock is moved: the code of a claim expires.
  const { email: operatorEmail } = await operator(stage.kernel)
  t.context = { keycloak, stage, operatorEmail }
})
test.after.always(async ({ context: { keycloak, stage } }) => {
  await stage?.stop()
  await keycloak?.close()
})

/** A workspace with OpenID Connect at Keycloak. */
const workspaceAt = ({ keycloak, stage }: Context, configuration: object = {}): Promise<SsoWorkspace> =>
  setUpWorkspace(stage, {}, async (owner, domain) => {
    const put = await owner.put(CONNECTION, { ...CLIENT, issuer: keycloak.issuer, ...configuration })
    const tester = await keycloak.createUser({ email: `tester@${domain}`, groups: ['/staff'] })
    const { signIn } = keycloak.browser(tester)
    await runTest(stage.kernel, owner, { url: keycloak.issuer, signIn })
    return put
  })

const signIn = (
  { stage }: Context,
  { username: email }: KeycloakPerson,
  at: KeycloakBrowser,
  browser = providerBrowser(stage.kernel),
): Promise<string> => browser.signIn(at, 'sso', `?${new URLSearchParams({ email })}`)

/** Imports the metadata of a workspace as a client, as docs/sign-in.md says. */
async function importClient({ keycloak, stage }: Context, tenantId: string): Promise<void> {
  const metadata = await (await fetch(`${stage.kernel.url}/sign-in/sso/${tenantId}/metadata`)).text()
  const { body } = await keycloak.admin<{ attributes: object }>('POST', '/client-description-converter', metadata)
  await keycloak.admin('POST', '/clients', {
    ...body,
    attributes: { ...body.attributes, 'saml.client.signature': 'false', saml_name_id_format: 'persistent' },
    protocolMappers: [
      samlMapper('email', 'saml-user-attribute-mapper', { 'user.attribute': 'email' }),
      samlMapper('groups', 'saml-group-membership-mapper', { single: 'true', 'full.path': 'false' }),
    ],
  })
}

async function answerAt(
  { keycloak, stage }: Context,
  path: string,
  at: KeycloakBrowser,
  browser: ProviderBrowser = providerBrowser(stage.kernel),
): Promise<string> {
  const { location } = await browser.open(path)
  const returned = await postResponse(stage.kernel, keycloak.issuer, await at.answer(location))
  return (await browser.open(returned)).location
}

/** A workspace with SAML at Keycloak. */
const samlWorkspaceAt = (context: Context): Promise<SsoWorkspace> =>
  setUpWorkspace(context.stage, {}, async (owner, domain) => {
    const { keycloak } = context
    await importClient(context, owner.tenantId)
    const roleMappings = await newRoleMappings(owner)
    const put = await owner.put(SAML, {
      metadataUrl: keycloak.metadataUrl,
      roleMappings: roleMappings.map(({ group, role }) => ({ group: group.toLowerCase(), role })),
    })
    const tester = await keycloak.createUser({ email: `tester@${domain}` })
    const { body } = await owner.post(`${CONNECTION}/test`)
    const { pathname, search } = new URL(body.url)
    const browser = browserOf(context.stage.kernel, owner)
    await answerAt(context, pathname + search, keycloak.browser(tester), browser)
    return put
  })

const signInBySaml = (context: Context, email: string, at: KeycloakBrowser, browser?: ProviderBrowser) =>
  answerAt(context, `/sign-in/sso?${new URLSearchParams({ email })}`, at, browser)

test.serial('a person signs up with Keycloak, which requires PKCE, and signs in again', async t => {
  const { keycloak, stage } = t.context
  const person = await keycloak.createUser({ email: newEmail('ada') })
  const first = providerBrowser(stage.kernel)
  t.is(await first.signIn(keycloak.browser(person), 'keycloak', '?next=/account'), '/account')
  const cookie = `platform_session=${first.cookies.get('platform_session')}`
  const { body } = await stage.kernel.with({ cookie }).get('/v1/auth/me')
  t.like(body.user, { email: person.username, name: 'Ada Lovelace', emailVerified: true } as never)
  const again = providerBrowser(stage.kernel)
  t.is(await again.signIn(keycloak.browser(person), 'keycloak'), '/')
  t.is(await again.who(), await first.who())
})

test.serial('an address that Keycloak and the account have verified links the account', async t => {
  const { keycloak, stage } = t.context
  const account = await stage.kernel.register(newEmail('verified'))
  await verify(stage.kernel, account)
  const person = await keycloak.createUser({ email: account.email })
  const browser = providerBrowser(stage.kernel)
  t.is(await browser.signIn(keycloak.browser(person), 'keycloak'), '/')
  t.is(await browser.who(), account.userId)
})

test.serial('an address that Keycloak has not verified links no account', async t => {
  const { keycloak, stage } = t.context
  const account = await stage.kernel.register(newEmail('unverified'))
  await verify(stage.kernel, account)
  const person = await keycloak.createUser({ email: account.email, emailVerified: false })
  const browser = providerBrowser(stage.kernel)
  t.regex(await browser.signIn(keycloak.browser(person), 'keycloak'), /^\/sign-in\?connect=keycloak&/)
  t.is(await browser.who(), null)
})

test.serial('a wrong client secret is one sentence for the person', async t => {
  const { keycloak, stage } = t.context
  const person = await keycloak.createUser({ email: newEmail('refused') })
  const browser = providerBrowser(stage.kernel)
  const location = await browser.signIn(keycloak.browser(person), 'wrong')
  t.is(location, '/sign-in?failed=wrong&reason=provider_unavailable&next=%2F')
  t.regex((await browser.open(location)).text, /Wrong isn&#x27;t available at the moment/)
})

test.serial("larder doctor accepts the client, and reports a wrong secret in Keycloak's words", async t => {
  const { issuer } = t.context.keycloak
  const diagnose = (client: typeof CLIENT) =>
    diagnoseProviders({ signIn: { providers: { keycloak: { ...client, issuer } } } })
  t.deepEqual(await diagnose(CLIENT), [])
  const [found = ''] = await diagnose(WRONG_SECRET)
  t.regex(found, /^The sign-in provider "keycloak" refuses the client: unauthorized_client: Invalid client /)
})

test.serial('a workspace tests Keycloak, turns it on, and its people sign in', async t => {
  const { keycloak, stage } = t.context
  const { owner, email, domain } = await workspaceAt(t.context)
  const { body } = await owner.get(CONNECTION)
  t.like(body, { enabled: true, lastTest: { problem: null, email: `tester@${domain}`, groups: ['/staff'] } } as never)
  const person = await keycloak.createUser({ email: email('ada') })
  const browser = providerBrowser(stage.kernel)
  t.is(await signIn(t.context, person, keycloak.browser(person), browser), '/')
  t.is(browser.cookies.get('platform_tenant'), owner.tenantId)
  t.deepEqual(await rolesOf({ owner }, person.username), ['tenant.member'])
})

for (const [title, groupsClaim, groups] of [
  ['paths', 'groups', ['/staff', '/staff/leads']],
  ['names', 'group_names', ['staff', 'leads']],
] as const)
  test.serial(`${title} of groups decide about roles, which go with the group`, async t => {
    const { keycloak } = t.context
    const workspace = await workspaceAt(t.context)
    const mappings = (await newRoleMappings(workspace.owner)).map((mapping, at) => ({ ...mapping, group: groups[at] }))
    const configuration = { ...CLIENT, issuer: keycloak.issuer, groupsClaim, roleMappings: mappings }
    t.is((await workspace.owner.put(CONNECTION, configuration)).status, 200)
    const person = await keycloak.createUser({ email: workspace.email('ada'), groups: ['/staff', '/staff/leads'] })
    const after = async () => {
      t.is(await signIn(t.context, person, keycloak.browser(person)), '/')
      return rolesOf(workspace, person.username)
    }
    t.deepEqual(await after(), ['team.leads', 'team.staff'])
    const { body: leads } = await keycloak.admin<{ id: string }>('GET', '/group-by-path/staff/leads')
    await keycloak.admin('DELETE', `/users/${person.id}/groups/${leads.id}`)
    t.deepEqual(await after(), ['team.staff'])
  })

test.serial('a person whom Keycloak logs out proves who they are at the next sign-in', async t => {
  const { keycloak } = t.context
  const { email } = await workspaceAt(t.context)
  const person = await keycloak.createUser({ email: email('ada') })
  const at = keycloak.browser(person)
  for (const passwords of [1, 1]) {
    t.is(await signIn(t.context, person, at), '/')
    t.is(at.passwords, passwords)
  }
  await keycloak.admin('POST', `/users/${person.id}/logout`)
  t.is(await signIn(t.context, person, at), '/')
  t.is(at.passwords, 2)
})

test.serial('a person who is disabled in Keycloak is refused there, with its sentence', async t => {
  const { keycloak, stage } = t.context
  const { email } = await workspaceAt(t.context)
  const person = await keycloak.createUser({ email: email('ada') })
  const at = keycloak.browser(person)
  t.is(await signIn(t.context, person, at), '/')
  await keycloak.admin('PUT', `/users/${person.id}`, { enabled: false })
  for (const again of [at, keycloak.browser(person)]) {
    const browser = providerBrowser(stage.kernel)
    await t.throwsAsync(signIn(t.context, person, again, browser), { message: /Account is disabled/ })
    t.is(await browser.who(), null)
  }
})

test.serial('a person who was created again in Keycloak is refused, with a sentence', async t => {
  const { keycloak, stage } = t.context
  const { email } = await workspaceAt(t.context)
  const former = await keycloak.createUser({ email: email('ada') })
  t.is(await signIn(t.context, former, keycloak.browser(former)), '/')
  await keycloak.admin('DELETE', `/users/${former.id}`)
  const person = await keycloak.createUser({ email: email('ada') })
  const browser = providerBrowser(stage.kernel)
  const location = await signIn(t.context, person, keycloak.browser(person), browser)
  t.is(location, failed('sso_other_person'))
  t.regex((await browser.open(location)).text, /identifies you as a different person than before/)
  t.is(await browser.who(), null)
})

test.serial('a person keeps her account with SAML, also with another user name', async t => {
  const { keycloak, stage } = t.context
  const { email, owner } = await samlWorkspaceAt(t.context)
  const person = await keycloak.createUser({ email: email('ada') })
  const accounts: (string | null)[] = []
  const enter = async (at: KeycloakBrowser) => {
    const browser = providerBrowser(stage.kernel)
    t.is(await signInBySaml(t.context, person.username, at, browser), '/')
    accounts.push(await browser.who())
  }
  const at = keycloak.browser(person)
  await enter(at)
  await enter(at)
  await keycloak.admin('PUT', `/users/${person.id}`, { username: newEmail('renamed') })
  await enter(at)
  t.is(new Set(accounts).size, 1)
  t.truthy(accounts[0])
  t.deepEqual(await rolesOf({ owner }, person.username), ['tenant.member'])
})

test.serial('groups in the assertion decide about roles, which go with the group', async t => {
  const { keycloak } = t.context
  const workspace = await samlWorkspaceAt(t.context)
  const person = await keycloak.createUser({ email: workspace.email('ada'), groups: ['/staff', '/staff/leads'] })
  const after = async () => {
    t.is(await signInBySaml(t.context, person.username, keycloak.browser(person)), '/')
    return rolesOf(workspace, person.username)
  }
  t.deepEqual(await after(), ['team.leads', 'team.staff'])
  const { body: leads } = await keycloak.admin<{ id: string }>('GET', '/group-by-path/staff/leads')
  await keycloak.admin('DELETE', `/users/${person.id}/groups/${leads.id}`)
  t.deepEqual(await after(), ['team.staff'])
})

test.serial('a new key of the realm is accepted after its metadata is read again, and not before', async t => {
  const { keycloak, stage } = t.context
  const { email } = await samlWorkspaceAt(t.context)
  const person = await keycloak.createUser({ email: email('ada') })
  const at = keycloak.browser(person)
  const { body: realm } = await keycloak.admin<{ id: string }>('GET', '')
  await keycloak.admin('POST', '/components', {
    name: 'next',
    providerId: 'rsa-generated',
    providerType: 'org.keycloak.keys.KeyProvider',
    parentId: realm.id,
    config: { priority: ['200'], enabled: ['true'], active: ['true'], algorithm: ['RS256'], keySize: ['2048'] },
  })
  t.is(await signInBySaml(t.context, person.username, at), '/sign-in?failed=sso&next=%2F')
  clock.forward(DAY)
  await stage.kernel.kernel.ports.jobs.enqueue('identity.check_sso_domains', {})
  await stage.kernel.settled()
  t.is(await signInBySaml(t.context, person.username, at), '/')
})

test.serial('Keycloak that is down is a sentence for the person, and a finding for the operator', async t => {
  const { keycloak, stage, operatorEmail } = t.context
  const { kernel } = stage
  const { body: login } = await kernel.post('/v1/auth/login', {
    email: operatorEmail,
    password: TEST_PASSWORD,
  })
  const problems = async () => {
    // The last result is kept for a minute.
    clock.forward(2 * MINUTE)
    const { body } = await kernel.as(login.token).get('/v1/platform/problems')
    return body.data.map(({ problem }) => problem).filter(problem => problem.includes(keycloak.issuer))
  }
  const { email } = await workspaceAt(t.context)
  t.deepEqual(await problems(), [])
  await keycloak.close()
  const browser = providerBrowser(kernel)
  const { location } = await browser.open(`/sign-in/sso?email=${email('ada')}`)
  t.is(location, failed('provider_unavailable'))
  t.regex((await browser.open(location)).text, /Single sign-on isn&#x27;t available at the moment/)
  const found = await problems()
  const ofProvider = /^The provider http:.*\/realms\/acme of the workspace ".*" /.source
  for (const ending of ["can't be used: .*ECONNREFUSED", "changes .*: its metadata can't be read: .*ECONNREFUSED"])
    t.true(
      found.some(problem => new RegExp(ofProvider + ending).test(problem)),
      found.join('\n'),
    )
})
