import { randomUUID } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { Secret, TOTP } from 'otpauth'
import { readSettings } from '../../../../../bin/composition.ts'
import { reminders } from '../../../../../bin/doctor/reminders.ts'
import { newId } from '../../../../../kernel/base/ids.ts'
import { createSecrets } from '../../../../../kernel/base/secrets.ts'
import { DAY, MINUTE } from '../../../../../kernel/base/units.ts'
import { linkToken } from '../../../../../modules/identity/domain/links.ts'
import {
  type Client,
  type Person,
  startTestKernel,
  TEST_PASSWORD,
  type TestKernel,
} from '../../../../../testing/index.ts'
import { waitFor } from '../../../../fixtures/wait.ts'
import { connectAsOwner } from '../../../../reliability/fixtures.ts'
import {
  codeOf,
  colleague,
  createTestClock,
  fieldErrors,
  inviteLink,
  newEmail,
  operator,
  role,
  sweep,
} from '../../fixtures.ts'
import { codeIn, tokenIn, verify } from '../../pages/mail-tokens.ts'
import { providerBrowser } from '../providers/browser.ts'
import { testConformance } from '../providers/conformance.ts'
import { HOSTILE_ADDRESSES } from '../providers/hostile-addresses.ts'
import { CLIENT } from '../providers/issuer.ts'
import {
  browserOf,
  CONNECTION,
  callbackOf,
  DOMAINS,
  type Domain,
  failed,
  newDomain,
  newRoleMappings,
  proofOf,
  rolesOf,
  runTest,
  type SsoStage,
  type SsoWorkspace,
  startSso,
} from './fixtures.ts'

const clock = createTestClock()
let stage: SsoStage
let operatorEmail: string
test.before(async () => {
  stage = await startSso(clock, { modules: { platform: {} }, signIn: { secondFactor: { totp: true } } })
  // Before the clock is moved: the code of a claim expires.
  operatorEmail = (await operator(stage.kernel)).email
})
test.after.always(() => stage?.stop())
test.beforeEach(() => {
  stage.issuer.behave()
  stage.names.failing = false
})

const session = (cookies: ReadonlyMap<string, string>) => `platform_session=${cookies.get('platform_session') ?? ''}`
const signInWith = (email: string, password = TEST_PASSWORD) => stage.kernel.post('/v1/auth/login', { email, password })
async function joinBy({ owner }: SsoWorkspace, person: Person): Promise<void> {
  const token = await inviteLink(owner, person.email, ['tenant.member'])
  await person.post('/v1/identity/invitations/accept', { token })
}

/** Subjects of the emails about domains, oldest first. */
async function subjectsTo(email: string): Promise<string[]> {
  const { body } = await stage.kernel.get(
    `/v1/communications/mailbox?filter[to]=${encodeURIComponent(email)}&limit=100`,
  )
  return body.data
    .map(({ subject }) => subject)
    .filter(subject => /DNS|verified/.test(subject))
    .toReversed()
}
async function waysOf(cookie: string): Promise<string[]> {
  const { body } = await stage.kernel.with({ cookie }).get('/v1/auth/me/sign-in-methods')
  return body.data.map(({ method }) => method)
}
/** Signs in with a code from a mail. */
async function codeSignIn(email: string): Promise<string> {
  const { kernel } = stage
  const { body } = await kernel.post('/v1/auth/email-code', { email })
  await kernel.settled()
  const code = await codeIn(kernel, email)
  return codeOf(await kernel.post('/v1/auth/email-code/verify', { request: body.request, code }))
}
async function actionsOf(owner: { get: typeof stage.kernel.get }) {
  const { body } = await owner.get('/v1/identity/audit?limit=100')
  return body.data.map(({ action }) => action)
}

test.serial('a domain is verified by its TXT record', async t => {
  const { kernel, names } = stage
  const owner = await kernel.register(newEmail('owner'))
  const domain = newDomain()
  const added = await owner.post(DOMAINS, { domain: domain.toUpperCase() })
  t.like(added.body, { domain, verifiedAt: null } as never)
  t.regex(added.body.record, /^larder-verification=[0-9a-f]{40}$/)
  const path = `${DOMAINS}/${added.body.id}/verify`
  t.is(codeOf(await owner.post(path)), '409 sso_record_missing')
  names.failing = true
  t.is(codeOf(await owner.post(path)), '503 sso_dns_unavailable')
  names.failing = false
  names.records.set(domain, ['v=spf1 -all', added.body.record])
  const verified = await owner.post<Domain>(path)
  t.is(verified.status, 200)
  t.not(verified.body.verifiedAt, null)
  t.deepEqual((await actionsOf(owner)).slice(0, 2), ['sso_domain.verified', 'sso_domain.added'])
})

test.serial('the page of a workspace without a provider has the form of one', async t => {
  const { cookie } = await stage.kernel.register(newEmail('owner'))
  const { body } = await stage.kernel.with({ cookie, accept: 'text/html' }).get<string>('/workspace/sso')
  t.regex(body, /name="clientSecret"/)
})

test.serial('public mail domains and other texts are refused', async t => {
  const owner = await stage.kernel.register(newEmail('owner'))
  for (const domain of ['gmail.com', 'GMX.de', 'web.de'])
    t.deepEqual(fieldErrors(await owner.post(DOMAINS, { domain })), ['/domain public_domain'])
  for (const domain of ['localhost', 'acme', 'a@acme.com', '127.0.0.1', 'acme..com'])
    t.deepEqual(fieldErrors(await owner.post(DOMAINS, { domain })), ['/domain wrong_format'])
})

test.serial('a domain can be pasted with what surrounds it', async t => {
  const owner = await stage.kernel.register(newEmail('owner'))
  for (const paste of [
    (domain: string) => `https://${domain}/`,
    (domain: string) => ` ${domain}. `,
    (domain: string) => `@${domain}`,
    (domain: string) => `http://${domain.toUpperCase()}/path?a=b`,
  ]) {
    const domain = newDomain()
    t.is((await owner.post(DOMAINS, { domain: paste(domain) })).body.domain, domain)
  }
})

test.serial('an issuer can be pasted as the address of its document, with spaces around it', async t => {
  const { kernel, issuer } = stage
  const owner = await kernel.register(newEmail('owner'))
  for (const pasted of [`${issuer.url}/.well-known/openid-configuration`, ` ${issuer.url}\n`]) {
    const put = await owner.put(CONNECTION, {
      issuer: pasted,
      clientId: ` ${CLIENT.clientId} `,
      clientSecret: `${CLIENT.clientSecret}\n`,
    })
    t.like(put.body, { issuer: issuer.url, clientId: CLIENT.clientId })
  }
  issuer.person = { sub: randomUUID(), email: newEmail('tester') }
  await runTest(kernel, owner, issuer)
  t.is((await owner.get(CONNECTION)).body.lastTest?.problem, null)
})

test.serial("the issuer of all of Microsoft's directories is refused with the right one", async t => {
  const owner = await stage.kernel.register(newEmail('owner'))
  for (const name of ['common', 'organizations', 'consumers'])
    for (const end of ['', '/v2.0', '/v2.0/.well-known/openid-configuration']) {
      const issuer = `https://login.microsoftonline.com/${name}${end}`
      t.deepEqual(fieldErrors(await owner.put(CONNECTION, { ...CLIENT, issuer })), ['/issuer every_directory'], issuer)
    }
})

test.serial('members without a value stop no sign-in', async t => {
  const { email } = await stage.workspace()
  stage.issuer.tamperMetadata = metadata => ({ ...metadata, introspection_endpoint: null, scopes_supported: null })
  stage.issuer.tamperUserInfo = claims => ({ ...claims, name: null, groups: null })
  for (const value of [null, '']) {
    stage.issuer.tamperTokens = tokens => ({ ...tokens, refresh_token: value, scope: value, expires_in: value })
    t.is(await stage.signIn({ email: email(`ada-${typeof value}`) }), '/')
  }
})

test.serial('members of a response that nothing reads stop no sign-in, whatever they are', async t => {
  const { email } = await stage.workspace()
  for (const [at, value] of [[], {}, false, -1, 'soon', ['openid', 'email']].entries()) {
    stage.issuer.tamperTokens = tokens => ({ ...tokens, refresh_token: value, scope: value, expires_in: value })
    t.is(await stage.signIn({ email: email(`ada-${at}`) }), '/', JSON.stringify(value))
  }
})

test.serial('a domain belongs to one workspace at a time', async t => {
  const { kernel, names } = stage
  const [first, second] = [await kernel.register(newEmail('first')), await kernel.register(newEmail('second'))]
  const domain = newDomain()
  const [one, other] = [await stage.addDomain(first, domain), await stage.addDomain(second, domain)]
  names.records.set(domain, [one.record, other.record])
  t.is((await first.post(`${DOMAINS}/${one.id}/verify`)).status, 200)
  t.is(codeOf(await second.post(`${DOMAINS}/${other.id}/verify`)), '409 sso_domain_taken')
  t.is((await first.delete(`${DOMAINS}/${one.id}`)).status, 204)
  t.is((await second.post(`${DOMAINS}/${other.id}/verify`)).status, 200)
})

test.serial('a domain lapses when its record has been missing for 7 days', async t => {
  const { kernel, names } = stage
  const { owner, domain, email } = await stage.workspace()
  const check = async (wait: number) => {
    clock.forward(wait)
    await kernel.kernel.ports.jobs.enqueue('identity.check_sso_domains', {})
    await kernel.settled()
    return (await owner.get(DOMAINS)).body.data[0]
  }
  const record = names.records.get(domain) ?? []
  names.failing = true
  t.like(await check(DAY), { missingSince: null })
  names.failing = false
  names.records.delete(domain)
  t.truthy((await check(DAY))?.missingSince)
  names.records.set(domain, record)
  t.like(await check(DAY), { missingSince: null })
  names.records.delete(domain)
  await check(DAY)
  t.truthy((await check(4 * DAY))?.verifiedAt)
  t.like(await check(4 * DAY), { verifiedAt: null })
  const browser = providerBrowser(kernel)
  const { location } = await browser.open(`/sign-in/sso?email=${email('late')}`)
  t.regex(location, /^\/sign-in\/single-sign-on\?.*unknown=1/)
  t.true((await actionsOf(owner)).includes('sso_domain.lapsed'))
  // The record was missing twice.
  t.deepEqual(await subjectsTo(owner.email), [
    `The DNS record of ${domain} is missing`,
    `The DNS record of ${domain} is missing`,
    `${domain} is no longer verified`,
  ])
})

/** What `larder doctor` says about the database of the kernel. */
async function doctor({ databaseUrl }: Pick<TestKernel, 'databaseUrl'>): Promise<readonly string[]> {
  const file = join(await mkdtemp(join(tmpdir(), 'larder-sso-')), 'recipe.yaml')
  const product = { key: 'acme', name: 'Acme', publicUrl: 'http://localhost:8080' }
  const identity = { signIn: { password: {}, emailLink: {}, enterprise: {} } }
  // YAML contains JSON.
  await writeFile(file, JSON.stringify({ recipe: 1, product, modules: { identity, comms: { transport: 'mailbox' } } }))
  const settings = readSettings({ DATABASE_URL: databaseUrl, LARDER_SECRET: 'a secret that only tests may know of' })
  return (await reminders(file, settings, {})).map(({ what }) => what)
}

test.serial('name servers that answer late hold up no check of another domain', async t => {
  const { kernel, names } = stage
  const owners = [(await stage.workspace()).owner, (await stage.workspace()).owner]
  const checks = () => Promise.all(owners.map(async owner => (await owner.get(DOMAINS)).body.data[0]?.checkedAt))
  const before = await checks()
  clock.forward(DAY)
  names.quorum = owners.length
  await kernel.kernel.ports.jobs.enqueue('identity.check_sso_domains', {})
  await kernel.settled()
  const after = await checks()
  t.true(after.every((at, index) => at !== before[index]))
})

test.serial('operators learn of providers that are down and of missing records', async t => {
  const { kernel, names, issuer } = stage
  const { domain } = await stage.workspace()
  const { body: login } = await kernel.post('/v1/auth/login', {
    email: operatorEmail,
    password: TEST_PASSWORD,
  })
  const support = kernel.as(login.token)
  const problems = async () => {
    // The last result is kept for a minute.
    clock.forward(2 * MINUTE)
    const { body } = await support.get('/v1/platform/problems')
    return body.data
      .map(({ problem }) => problem)
      .filter(problem => problem.includes(domain) || /provider/.test(problem))
  }
  t.deepEqual(await problems(), [])
  names.records.delete(domain)
  clock.forward(DAY)
  await kernel.kernel.ports.jobs.enqueue('identity.check_sso_domains', {})
  await kernel.settled()
  issuer.failing = 503
  const [missing = '', down = ''] = await problems()
  t.regex(missing, new RegExp(`^The DNS record of ${domain}, .* is missing. Single sign-on ends for it on `))
  t.regex(down, /^The provider http:.* can't be used: 127\.0\.0\.1:\d+ answered 503\.$/)
  const said = await doctor(kernel)
  for (const problem of [missing, down]) t.true(said.includes(problem), said.join('\n'))
  const metrics = await support.get<string>('/metrics')
  t.regex(String(metrics.body), /larder_sso_domains\{state="missing"\} [1-9]/)
})

test.serial('operators learn which redirect URI a provider that refuses sign-ins needs', async t => {
  const { kernel, issuer } = stage
  const { owner } = await stage.workspace()
  t.is(
    (await doctor(kernel)).find(problem => problem.includes(owner.tenantId)),
    undefined,
  )
  Object.assign(issuer, { failing: 400, failsAt: '/auth' })
  const problem = (await doctor(kernel)).find(each => each.includes(owner.tenantId)) ?? ''
  t.true(problem.includes(`refuses the start of a sign-in (400)`), problem)
  t.true(problem.includes(callbackOf(owner.tenantId)), problem)
})

test.serial('a client secret of a lost LARDER_SECRET is a problem that owners can solve', async t => {
  const workspace = await stage.workspace()
  const systemDatabase = stage.kernel.kernel.ports.systemDatabase.acrossTenants('a test replaces a secret')
  const foreign = createSecrets(['a secret that is no longer configured here']).encrypt('sso_client_secret', 'secret')
  await systemDatabase.query('update identity_sso_connections set client_secret = $1 where tenant_id = $2', [
    foreign,
    workspace.owner.tenantId,
  ])
  const browser = providerBrowser(stage.kernel)
  const { location } = await browser.open(`/sign-in/sso?email=${workspace.email('ada')}`)
  t.is(location, failed('sso_secret_unreadable'))
  const replaced = { ...CLIENT, issuer: stage.issuer.url }
  t.is(codeOf(await workspace.owner.put(CONNECTION, replaced)), '200')
  t.is(await stage.signIn({ email: workspace.email('ada') }), '/')
})

test.serial('a first sign-in creates the member in the workspace', async t => {
  const { kernel } = stage
  const workspace = await stage.workspace()
  const browser = providerBrowser(kernel)
  t.is(await stage.signIn({ email: workspace.email('ada') }, browser), '/')
  const { body } = await kernel.with({ cookie: session(browser.cookies) }).get('/v1/auth/me')
  t.like(body.user, { email: workspace.email('ada'), emailVerified: true, name: 'Ada' } as never)
  t.deepEqual(
    body.memberships.map(({ tenantId }) => tenantId),
    [workspace.owner.tenantId],
  )
  t.is(browser.cookies.get('platform_tenant'), workspace.owner.tenantId)
  t.deepEqual(await rolesOf(workspace, workspace.email('ada')), ['tenant.member'])
})

test.serial('the start tells nothing about accounts, and passes the address on', async t => {
  const { kernel, issuer } = stage
  const { owner, email } = await stage.workspace()
  await stage.signIn({ email: email('known') })
  for (const name of ['known', 'unknown']) {
    const { status, location } = await providerBrowser(kernel).open(`/sign-in/sso?email=${email(name)}`)
    t.is(status, 302)
    const { origin, searchParams } = new URL(location)
    t.is(origin, issuer.url)
    t.is(searchParams.get('login_hint'), email(name))
    t.is(searchParams.get('redirect_uri'), callbackOf(owner.tenantId))
  }
})

test.serial('the page asks for the address and leads to the provider', async t => {
  const { kernel } = stage
  const { email } = await stage.workspace()
  const browser = providerBrowser(kernel)
  t.regex((await browser.open('/sign-in')).text, /formaction="\/sign-in\/single-sign-on"/)
  const sent = await browser.submit('/sign-in/single-sign-on', { email: email('ada'), next: '/account' })
  t.is(sent.status, 303)
  const { text } = await browser.open(sent.location)
  t.regex(text, /href="\/sign-in\/sso\?email&#x3D;ada%40[^"]*next&#x3D;%2Faccount"/)
  t.is((await browser.submit('/sign-in/single-sign-on', { email: 'ada' })).status, 422)
})

test.serial('an address outside of the verified domains is refused, whoever the provider says it is', async t => {
  const { kernel } = stage
  const workspace = await stage.workspace()
  const victim = await kernel.register(newEmail('victim'))
  await verify(kernel, victim)
  const browser = providerBrowser(kernel)
  stage.issuer.person = { sub: randomUUID(), email: victim.email, email_verified: true }
  const location = await browser.signIn(stage.issuer, 'sso', `?email=${workspace.email('x')}`)
  t.is(location, failed('sso_wrong_address'))
  t.is(await browser.who(), null)
  t.regex((await browser.open(location)).text, /outside of the workspace&#x27;s verified domains/)
})

test.serial('the domain of another workspace is refused', async t => {
  const [one, other] = [await stage.workspace(), await stage.workspace()]
  stage.issuer.person = { sub: randomUUID(), email: other.email('ada') }
  const browser = providerBrowser(stage.kernel)
  t.is(await browser.signIn(stage.issuer, 'sso', `?email=${one.email('x')}`), failed('sso_wrong_address'))
})

test.serial('a subject of one workspace opens no account through another one with the same issuer', async t => {
  const [one, other] = [await stage.workspace(), await stage.workspace()]
  const sub = randomUUID()
  const first = providerBrowser(stage.kernel)
  await stage.signIn({ email: one.email('ada'), sub }, first)
  const second = providerBrowser(stage.kernel)
  t.is(await stage.signIn({ email: other.email('ada'), sub }, second), '/')
  t.not(await second.who(), await first.who())
})

test.serial('an account that moved to an address outside of the domains is no longer opened', async t => {
  const workspace = await stage.workspace()
  const person = { email: workspace.email('ada'), sub: randomUUID() }
  await stage.signIn(person)
  const [key, moved] = [person.email, newEmail('moved')]
  await stage.kernel.kernel.ports.systemDatabase
    .acrossTenants('a test moves an account')
    .query('update identity_users set email = $2, email_key = $2 where email_key = $1', [key, moved])
  t.is(await stage.signIn(person), failed('sso_wrong_address'))
})

/** A member who owns no workspace: people that single sign-on creates have none of their own. */
async function plainMember({ owner, email }: SsoWorkspace, name: string, provider: 'kept' | 'forgotten') {
  const person = { email: email(name), sub: randomUUID() }
  const browser = providerBrowser(stage.kernel)
  await stage.signIn(person, browser)
  if (provider === 'forgotten') {
    const unit = stage.kernel.kernel.ports.systemDatabase.acrossTenants('a test forgets who a person is')
    await unit.query("delete from identity_sign_in_identities where provider like $1 || '/%'", [owner.tenantId])
  }
  return { ...person, browser, client: stage.kernel.with({ cookie: session(browser.cookies) }) }
}

test.serial('an account with the address is linked', async t => {
  const workspace = await stage.workspace()
  const { browser: first, ...person } = await plainMember(workspace, 'linked', 'forgotten')
  const browser = providerBrowser(stage.kernel)
  t.is(await stage.signIn(person, browser), '/')
  t.is(await browser.who(), await first.who())
})

test.serial('an account of an owner is linked after its own proof', async t => {
  const { kernel } = stage
  const workspace = await stage.workspace()
  const owner = await kernel.register(workspace.email('boss'))
  await verify(kernel, owner)
  const person = { email: owner.email, sub: randomUUID() }
  const alone = providerBrowser(kernel)
  t.is(await stage.signIn(person, alone), proofOf(owner.email))
  t.is(await alone.who(), null)
  t.regex((await alone.open(proofOf(owner.email))).text, /rights of an owner/)
  t.is(await stage.signInAsOwner(person), '/')
  const browser = providerBrowser(kernel)
  t.is(await stage.signIn(person, browser), '/')
  t.is(await browser.who(), owner.userId)
})

test.serial('an account of an owner is connected by nobody else than its owner', async t => {
  const { kernel } = stage
  const workspace = await stage.workspace()
  const owner = await kernel.register(workspace.email('boss'))
  await verify(kernel, owner)
  const employee = await kernel.register(workspace.email('employee'))
  const browser = providerBrowser(kernel)
  t.is(await stage.signIn({ email: owner.email }, browser), proofOf(owner.email))
  await browser.submit('/sign-in', { email: employee.email, password: TEST_PASSWORD, next: '/sign-in/connect' })
  t.regex((await browser.submit('/sign-in/connect')).text, /another address than your provider returned/)
  t.deepEqual(await waysOf(session(browser.cookies)), ['password'])
})

test.serial('a member of the operator is linked after their own proof, too', async t => {
  const { email } = await stage.workspace()
  const support = await stage.kernel.register(email('support'))
  const { body } = await signInWith(operatorEmail)
  const { tenantId } = stage.kernel.kernel.ports.operator
  const client = stage.kernel.as(body.token).with({ 'x-tenant-id': tenantId })
  await support.post('/v1/identity/invitations/accept', {
    token: await inviteLink(client, support.email, ['platform.admin']),
  })
  for (const each of (await support.get('/v1/identity/tenants')).body.data)
    if (each.id !== tenantId)
      t.is((await support.with({ 'x-tenant-id': each.id }).delete(`/v1/identity/tenants/${each.id}`)).status, 204)
  t.is(await stage.signIn({ email: support.email }), proofOf(support.email))
})

test.serial('an owner whose own proof is the password signs in where single sign-on is required', async t => {
  const { kernel } = stage
  const workspace = await stage.workspace()
  const member = await kernel.register(workspace.email('member'))
  await joinBy(workspace, member)
  await verify(kernel, member)
  t.is((await workspace.owner.patch(CONNECTION, { required: true })).status, 200)
  t.is(codeOf(await signInWith(member.email)), '403 sso_required')
  t.is(await stage.signInAsOwner({ email: member.email, sub: randomUUID() }), '/')
})

test.serial('an account whose address nobody has proved is claimed by a provider that has', async t => {
  const workspace = await stage.workspace()
  const squatter = await stage.kernel.register(workspace.email('claimed'))
  const claimed = providerBrowser(stage.kernel)
  stage.issuer.person = { sub: randomUUID(), email: squatter.email, email_verified: true }
  t.is(await claimed.signIn(stage.issuer, 'sso', `?email=${squatter.email}`), '/')
  t.is(await claimed.who(), squatter.userId)
  t.is((await squatter.get('/v1/auth/me')).status, 401)
  t.is(codeOf(await signInWith(squatter.email)), '401 invalid_credentials')
})

for (const unverified of [false, 'false', 0, '0', '', 'no'])
  test.serial(`an address with email_verified ${JSON.stringify(unverified)} neither links nor registers`, async t => {
    const { issuer, kernel } = stage
    const workspace = await stage.workspace()
    const { email, browser } = await plainMember(workspace, 'ada', 'forgotten')
    for (const address of [email, workspace.email('new')]) {
      issuer.person = { sub: randomUUID(), email: address, email_verified: unverified as boolean }
      const stranger = providerBrowser(kernel)
      t.is(await stranger.signIn(issuer, 'sso', `?email=${address}`), failed('sso_unverified_address'))
      t.is(await stranger.who(), null)
    }
    t.deepEqual(await waysOf(session(browser.cookies)), [])
    t.is(await rolesOf(workspace, workspace.email('new')), undefined)
    await runTest(kernel, workspace.owner, issuer)
    t.regex((await workspace.owner.get(CONNECTION)).body.lastTest?.problem ?? '', /email_verified is false/)
  })

test.serial('an address is unverified if only the endpoint for users says so', async t => {
  const { email } = await stage.workspace()
  stage.issuer.tamper = claims => ({ ...claims, email: email('ada'), groups: [] })
  stage.issuer.tamperUserInfo = claims => ({ ...claims, email_verified: false })
  t.is(await stage.signIn({ email: email('ada') }), failed('sso_unverified_address'))
})

test.serial('a person whom the provider has linked signs in whatever it says about their address', async t => {
  const { email } = await stage.workspace()
  const person = { email: email('ada'), sub: randomUUID() }
  t.is(await stage.signIn(person), '/')
  stage.issuer.tamper = claims => ({ ...claims, email: person.email, email_verified: false })
  t.is(await stage.signIn(person), '/')
})

for (const claims of [{ xms_edov: false }, { xms_edov: '0' }])
  test.serial(
    `a domain that its directory has not verified neither links nor registers: ${JSON.stringify(claims)}`,
    async t => {
      const { email } = await stage.workspace()
      stage.issuer.tamper = given => ({ ...given, email: email('ada'), ...claims })
      t.is(await stage.signIn({ email: email('ada') }), failed('sso_unverified_address'))
    },
  )

for (const [what, hostile] of Object.entries(HOSTILE_ADDRESSES))
  test.serial(`no account gets an address with ${what}`, async t => {
    const workspace = await stage.workspace()
    const address = hostile(workspace.domain)
    stage.issuer.tamper = claims => ({ ...claims, email: address, email_verified: true })
    const browser = providerBrowser(stage.kernel)
    const location = await stage.signIn({ email: workspace.email('ada') }, browser)
    t.is(location, failed('sso_invalid_address'))
    t.is(await browser.who(), null)
  })

test.serial('a name that no person could enter is left out', async t => {
  const workspace = await stage.workspace()
  const names = ['https://evil.test', 'x'.repeat(300), '=?utf-8?B?aGk=?=', 'a\u0000b\u202ec', '\ud800']
  for (const [at, name] of names.entries()) {
    stage.issuer.tamper = claims => ({ ...claims, name })
    const browser = providerBrowser(stage.kernel)
    t.is(await stage.signIn({ email: workspace.email(`name-${at}`) }, browser), '/', name)
    const { body } = await stage.kernel.with({ cookie: session(browser.cookies) }).get('/v1/auth/me')
    t.true(body.user.name === null || body.user.name === 'abc', String(body.user.name))
  }
})

test.serial('a subject with control characters is refused, and a test shows what it can', async t => {
  const workspace = await stage.workspace()
  stage.issuer.tamper = claims => ({ ...claims, groups: ['x'.repeat(5000), 'a\u0000'] })
  t.is(await stage.signIn({ email: workspace.email('ada'), sub: 'a\u0000b' }), failed('invalid_subject'))
  t.is(await runTest(stage.kernel, workspace.owner, stage.issuer), '/workspace/sso?done=tested')
  t.regex((await workspace.owner.get(CONNECTION)).body.lastTest?.problem ?? '', /control characters/)
})

/** Whether a login is a recent proof: a person without a password needs one to change their address. */
const isProof = async (cookie: string) =>
  codeOf(await stage.kernel.with({ cookie }).post('/v1/auth/email/change', { email: newEmail('changed') })) !==
  '403 reauthentication_required'

for (const [what, time, proves] of [
  ['now', () => Math.floor(clock.now() / 1000), true],
  ['9 minutes ago', () => Math.floor(clock.now() / 1000) - 9 * 60, true],
  ['11 minutes ago', () => Math.floor(clock.now() / 1000) - 11 * 60, false],
  ['half a minute ahead', () => Math.floor(clock.now() / 1000) + 30, true],
  ['an hour ahead', () => Math.floor(clock.now() / 1000) + 3600, false],
  ['missing', () => undefined, false],
  ['zero', () => 0, false],
] as const)
  test.serial(`a sign-in whose auth_time is ${what} is ${proves ? 'a' : 'no'} recent proof`, async t => {
    const { email } = await stage.workspace()
    stage.issuer.tamper = claims => ({ ...claims, auth_time: time() as number })
    const browser = providerBrowser(stage.kernel)
    t.is(await stage.signIn({ email: email('ada') }, browser), '/')
    t.is(await isProof(session(browser.cookies)), proves)
  })

test.serial('a proof asks the provider to ask the person again', async t => {
  const { email } = await stage.workspace()
  const browser = providerBrowser(stage.kernel)
  await stage.signIn({ email: email('ada') }, browser)
  const page = await browser.open('/sign-in?again=1&next=%2Faccount')
  t.regex(page.text, /name="again" value="1"/)
  const sent = await browser.submit('/sign-in/single-sign-on', { email: email('ada'), again: '1', next: '/account' })
  const { text } = await browser.open(sent.location)
  const [, href = ''] =
    /href="(\/sign-in\/sso[^"]*)"/.exec(text.replaceAll('&#x3D;', '=').replaceAll('&amp;', '&')) ?? []
  t.is(new URL((await browser.open(href)).location).searchParams.get('max_age'), '0')
})

const loginOf = (text: string): string => /name="login" value="(\w+)"/.exec(text)?.[1] ?? ''

test.serial('a sign-in of another person asks first, and keeps the login until the answer', async t => {
  const { kernel } = stage
  const { email } = await stage.workspace()
  const visitor = await kernel.register(newEmail('visitor'))
  const browser = browserOf(kernel, visitor)
  t.is(await stage.signIn({ email: email('ada') }, browser), '/sign-in/switch')
  t.is(await browser.who(), visitor.userId)
  const { text } = await browser.open('/sign-in/switch')
  for (const shown of [visitor.email, email('ada')]) t.true(text.includes(shown), shown)
  await browser.submit('/sign-in/switch', { intent: 'stay', login: loginOf(text) })
  t.is(await browser.who(), visitor.userId)
  t.is((await browser.open('/sign-in/switch')).location, '/')

  const sub = randomUUID()
  t.is(await stage.signIn({ email: email('grace'), sub }, browser), '/sign-in/switch')
  // The page that was shown first asked about another sign-in.
  const earlier = { intent: 'switch', login: loginOf(text) }
  t.is((await browser.submit('/sign-in/switch', earlier)).location, '/sign-in/switch')
  t.is(await browser.who(), visitor.userId)
  const login = loginOf((await browser.open('/sign-in/switch')).text)
  t.is((await browser.submit('/sign-in/switch', { intent: 'switch', login })).location, '/')
  t.not(await browser.who(), visitor.userId)
  t.is((await visitor.with({ cookie: visitor.cookie ?? '', authorization: '' }).get('/v1/auth/me')).status, 401)
})

test.serial('a sign-in of the same person replaces their login without a question', async t => {
  const { email } = await stage.workspace()
  const person = { email: email('ada'), sub: randomUUID() }
  const browser = providerBrowser(stage.kernel)
  await stage.signIn(person, browser)
  const before = session(browser.cookies)
  t.is(await stage.signIn(person, browser), '/')
  t.not(session(browser.cookies), before)
  t.is((await stage.kernel.with({ cookie: before }).get('/v1/auth/me')).status, 401)
})

test.serial('a link from a mail says that it would sign somebody else out', async t => {
  const { kernel } = stage
  const visitor = await kernel.register(newEmail('visitor'))
  const { owner } = await stage.workspace()
  await kernel.post('/v1/auth/email-code', { email: owner.email })
  const token = await tokenIn(kernel, owner.email, '/sign-in/email-code/link')
  const { text } = await browserOf(kernel, visitor).open(`/sign-in/email-code/link?token=${encodeURIComponent(token)}`)
  t.regex(text, new RegExp(`You are signed in as ${visitor.email}`))
})

test.serial('a person without another way proves who they are with a mailed code', async t => {
  const { kernel } = stage
  const { email } = await stage.workspace()
  const browser = providerBrowser(kernel)
  await stage.signIn({ email: email('ada') }, browser)
  const cookie = session(browser.cookies)
  t.is(await isProof(cookie), false)
  const page = await browser.submit('/sign-in/confirm', { intent: 'send-code', next: '/account' })
  const [, request = ''] = /name="request" value="([^"]*)"/.exec(page.text) ?? []
  const code = await codeIn(kernel, email('ada'))
  const wrong = code === '123456' ? '123457' : '123456'
  t.regex(
    (await browser.submit('/sign-in/confirm', { request, code: wrong, next: '/account' })).text,
    /wrong, used or expired/,
  )
  const signIn = await kernel.post('/v1/auth/email-code/verify', { request: request.replace('rpc', 'scr'), code })
  t.is(codeOf(signIn), '401 invalid_code')
  t.is((await browser.submit('/sign-in/confirm', { request, code, next: '/account' })).location, '/account')
  t.is(await isProof(cookie), true)
})

test.serial('a mailed code proves nothing for a person with a password, nor twice, nor for somebody else', async t => {
  const { kernel } = stage
  const { email } = await stage.workspace()
  const known = await kernel.register(newEmail('known'))
  t.deepEqual(fieldErrors(await known.post('/v1/auth/reauthenticate/email-code')), ['/emailCode not_possible'])
  const signedIn = async (name: string): Promise<Client> => {
    const browser = providerBrowser(stage.kernel)
    await stage.signIn({ email: email(name) }, browser)
    return kernel.with({ cookie: session(browser.cookies) })
  }
  const [ada, grace] = [await signedIn('ada'), await signedIn('grace')]
  const { body } = await ada.post('/v1/auth/reauthenticate/email-code')
  const emailCode = { request: body.request, code: await codeIn(kernel, email('ada')) }
  const prove = async (client: Client) => codeOf(await client.post('/v1/auth/reauthenticate', { emailCode }))
  t.is(await prove(grace), '403 invalid_proof_code')
  t.is(await prove(ada), '204')
  t.is(await prove(ada), '403 invalid_proof_code')
})

/** A member under required single sign-on who moves to an address outside of its domain. */
async function moved(userId: string | null): Promise<string> {
  const address = newEmail('moved')
  await stage.kernel.kernel.ports.systemDatabase.acrossTenants('a test moves an account').query(
    `update identity_users set former_emails = array_append(former_emails, email), email = $2, email_key = $2
       where id = $1`,
    [userId, address],
  )
  return address
}

test.serial('a linked member stays under required single sign-on with another address', async t => {
  const workspace = await stage.workspace({ required: true })
  const person = { email: workspace.email('ada'), sub: randomUUID() }
  const browser = providerBrowser(stage.kernel)
  await stage.signIn(person, browser)
  const userId = await browser.who()
  const address = await moved(userId)
  t.is(await codeSignIn(address), '403 sso_required')
  const again = providerBrowser(stage.kernel)
  t.is(await stage.signIn(person, again), '/')
  t.is(await again.who(), userId)
})

test.serial('a member whose address was of the domain stays under single sign-on that was required later', async t => {
  const workspace = await stage.workspace()
  const member = await stage.kernel.register(workspace.email('member'))
  await joinBy(workspace, member)
  await verify(stage.kernel, member)
  const address = await moved(member.userId)
  t.is(await codeSignIn(address), '200')
  t.is((await workspace.owner.patch(CONNECTION, { required: true })).status, 200)
  t.is(await codeSignIn(address), '403 sso_required')
})

test.serial('the former address of a member who was never linked gets no second account', async t => {
  const workspace = await stage.workspace({ required: true })
  const member = await stage.kernel.register(workspace.email('member'))
  await joinBy(workspace, member)
  await verify(stage.kernel, member)
  await moved(member.userId)
  const person = { email: member.email, sub: randomUUID() }
  t.is(await stage.signIn(person), failed('sso_former_address'))
  const { body } = await workspace.owner.get('/v1/identity/members')
  const { id } = body.data.find(({ userId }) => userId === member.userId) ?? {}
  t.is((await workspace.owner.delete(`/v1/identity/members/${id}`)).status, 204)
  t.is(await stage.signIn(person), '/')
})

test.serial('somebody else who registered the former address of a member is not linked to it', async t => {
  const workspace = await stage.workspace({ required: true })
  const member = await stage.kernel.register(workspace.email('member'))
  await joinBy(workspace, member)
  await moved(member.userId)
  const other = await stage.kernel.register(member.email)
  await verify(stage.kernel, other)
  t.is(await stage.signIn({ email: member.email, sub: randomUUID() }), failed('sso_former_address'))
})

test.serial('a member who has their former address again is linked', async t => {
  const workspace = await stage.workspace({ required: true })
  const member = await stage.kernel.register(workspace.email('member'))
  await joinBy(workspace, member)
  await verify(stage.kernel, member)
  await moved(member.userId)
  await stage.kernel.kernel.ports.systemDatabase
    .acrossTenants('a test moves an account')
    .query('update identity_users set email = $2, email_key = $2 where id = $1', [member.userId, member.email])
  t.not(await stage.signIn({ email: member.email, sub: randomUUID() }), failed('sso_former_address'))
})

test.serial('a member who was never of the domain signs in another way', async t => {
  const workspace = await stage.workspace({ required: true })
  const outsider = await colleague(stage.kernel, workspace.owner, ['tenant.member'])
  t.is(await codeSignIn(outsider.person.email), '200')
})

test.serial('a member who changes to and from an address of the domain stays under it', async t => {
  const workspace = await stage.workspace({ required: true })
  const member = await colleague(stage.kernel, workspace.owner, ['tenant.member'])
  const unit = stage.kernel.kernel.ports.systemDatabase.acrossTenants('a test moves an account')
  const move = (address: string) =>
    unit.query('update identity_users set email = $2, email_key = $2 where id = $1', [member.person.userId, address])
  await move(workspace.email('late'))
  const address = newEmail('back')
  await move(address)
  t.is(await codeSignIn(address), '403 sso_required')
})

test.serial('a change of the address and one of the roles of a member wait for each other', async t => {
  const { kernel } = stage
  const workspace = await stage.workspace({ required: true })
  const { person, memberId } = await colleague(kernel, workspace.owner, ['tenant.member'])
  const { userId } = person
  const clerk = await role(workspace.owner, 'team.clerk', ['identity.member.read'])
  const unit = kernel.kernel.ports.systemDatabase.acrossTenants('a test lets two changes meet')
  await unit.query('update identity_users set email = $2, email_key = $2, email_verified_at = now() where id = $1', [
    userId,
    workspace.email('late'),
  ])
  const [id, email] = [newId('emc'), newEmail('away')]
  await unit.query(
    `insert into identity_email_changes (id, user_id, email, email_key, current_confirmed_at, expires_at)
     values ($1, $2, $3, $3, now(), now() + interval '10 years')`,
    [id, userId, email],
  )
  const token = linkToken(kernel.kernel.ports.secrets, 'email_change', { id, version: 2 })
  const owner = connectAsOwner(kernel.databaseUrl)
  t.teardown(() => owner.end())
  const waiting = (count: number) =>
    waitFor(async () => {
      const waits = await owner.value(
        "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return Number(waits) >= count
    })
  let changes: Promise<readonly { readonly status: number }[]> = Promise.resolve([])
  await unit.transaction(async holder => {
    await holder.query('select from identity_users where id = $1 for update', [userId])
    const address = kernel.post('/v1/auth/email/confirm', { token, password: TEST_PASSWORD })
    await waiting(1)
    const roles = workspace.owner.patch(`/v1/identity/members/${memberId}`, { roles: ['tenant.member', clerk] })
    changes = Promise.all([address, roles])
    await waiting(2)
  })
  t.deepEqual(
    (await changes).map(({ status }) => status),
    [200, 200],
  )
})

test.serial('another subject with the address of a person is refused until an owner removes the member', async t => {
  const workspace = await stage.workspace()
  const email = workspace.email('ada')
  await stage.signIn({ email })
  t.is(await stage.signIn({ email }), failed('sso_other_person'))
  const { body } = await workspace.owner.get(`/v1/identity/members?filter[email]=${email}`)
  await workspace.owner.delete(`/v1/identity/members/${body.data[0]?.id}`)
  await stage.kernel.settled()
  t.is(await stage.signIn({ email }), '/')
  t.deepEqual(await rolesOf(workspace, email), ['tenant.member'])
})

test.serial('groups decide about the roles that they are mapped to', async t => {
  const workspace = await stage.workspace()
  const roleMappings = await newRoleMappings(workspace.owner)
  const { url: issuer } = stage.issuer
  t.is((await workspace.owner.put(CONNECTION, { ...CLIENT, issuer, roleMappings })).status, 200)
  const person = { email: workspace.email('ada'), sub: randomUUID() }
  const after = async (groups?: readonly string[]) => {
    t.is(await stage.signIn({ ...person, ...(groups && { groups }) }), '/')
    return rolesOf(workspace, person.email)
  }
  t.deepEqual(await after(['Staff', 'Other']), ['team.staff'])
  t.deepEqual(await after(['Staff', 'Leads']), ['team.leads', 'team.staff'])
  t.deepEqual(await after(['Leads']), ['team.leads'])
  t.deepEqual(await after([]), ['tenant.member'])
  await workspace.owner.put(CONNECTION, { ...CLIENT, issuer, roleMappings, syncRoles: false })
  t.deepEqual(await after(['Leads']), ['tenant.member'])
})

test.serial('groups that the provider leaves out take no roles away, and fail a test', async t => {
  const workspace = await stage.workspace()
  const roleMappings = await newRoleMappings(workspace.owner)
  const configuration = { ...CLIENT, issuer: stage.issuer.url, roleMappings }
  t.is((await workspace.owner.put(CONNECTION, configuration)).status, 200)
  const person = { sub: randomUUID(), email: workspace.email('ada') }
  const roles = async (groups: readonly string[] | undefined) => {
    t.is(await stage.signIn({ ...person, ...(groups && { groups }) }), '/')
    return rolesOf(workspace, person.email)
  }
  t.deepEqual(await roles(['Staff']), ['team.staff'])
  for (const left of [
    { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.microsoft.com/v1.0' } } },
    { hasgroups: true },
  ]) {
    stage.issuer.tamper = claims => ({ ...claims, ...left })
    t.deepEqual(await roles(undefined), ['team.staff'])
  }
  t.deepEqual(await roles(Array.from({ length: 1001 }, (_, at) => `group-${at}`)), ['team.staff'])
  stage.issuer.person = person
  await runTest(stage.kernel, workspace.owner, stage.issuer)
  const { body } = await workspace.owner.get(CONNECTION)
  t.regex(body.lastTest?.problem ?? '', /left the groups out/)
  stage.issuer.behave()
  t.deepEqual(await roles(undefined), ['tenant.member'])
})

test.serial('turning single sign-on on, and changing it while it is on, need a recent proof', async t => {
  const { owner } = await stage.workspace()
  const configuration = { ...CLIENT, issuer: stage.issuer.url, roleMappings: await newRoleMappings(owner) }
  clock.forward(10 * MINUTE)
  t.is(codeOf(await owner.put(CONNECTION, configuration)), '403 reauthentication_required')
  t.is((await owner.patch(CONNECTION, { enabled: false })).status, 200)
  t.is((await owner.put(CONNECTION, configuration)).status, 200)
  t.is(codeOf(await owner.patch(CONNECTION, { enabled: true })), '403 reauthentication_required')
})

test.serial('nobody maps groups to roles with permissions that they do not hold', async t => {
  const { owner } = await stage.workspace()
  await role(owner, 'team.it', ['identity.sso.*', 'identity.member.read'])
  const manager = await colleague(stage.kernel, owner, ['team.it'])
  const body = { ...CLIENT, issuer: stage.issuer.url }
  const mapped = { ...body, roleMappings: [{ group: 'Everyone', role: 'tenant.owner' }] }
  t.is(codeOf(await manager.put(CONNECTION, mapped)), '403 forbidden')
  t.is(codeOf(await manager.put(CONNECTION, { ...body, defaultRole: 'tenant.owner' })), '403 forbidden')
  t.deepEqual(fieldErrors(await owner.put(CONNECTION, { ...body, defaultRole: 'team.nothing' })), [
    '/roles/0 unknown_role',
  ])
  t.is((await manager.put(CONNECTION, { ...body, defaultRole: 'team.it' })).status, 200)
})

test.serial('groups never take the role of the last owner', async t => {
  const workspace = await stage.workspace({ ownerEmail: domain => `owner@${domain}` })
  const { email } = workspace.owner
  const roleMappings = [{ group: 'Admins', role: 'tenant.owner' }]
  await workspace.owner.put(CONNECTION, { ...CLIENT, issuer: stage.issuer.url, roleMappings })
  const browser = providerBrowser(stage.kernel)
  t.is(await stage.signInAsOwner({ email, sub: randomUUID(), groups: [] }, browser), '/')
  const owner = stage.kernel.with({ cookie: session(browser.cookies), 'x-tenant-id': workspace.owner.tenantId })
  t.true((await rolesOf({ owner }, email))?.includes('tenant.owner'))
})

test.serial('members must use required single sign-on, and owners need not', async t => {
  const { kernel } = stage
  const workspace = await stage.workspace({ ownerEmail: domain => `owner@${domain}`, required: true })
  const member = await kernel.register(workspace.email('member'))
  await verify(kernel, member)
  t.is((await signInWith(member.email)).status, 200)
  t.is(await stage.signInAsOwner({ email: member.email, sub: randomUUID() }), '/')
  t.is(codeOf(await signInWith(member.email)), '403 sso_required')
  const page = await providerBrowser(kernel).submit('/sign-in', { email: member.email, password: TEST_PASSWORD })
  t.regex(page.text, /requires single sign-on/)
  t.is(codeOf(await signInWith(member.email, 'a wrong password of somebody')), '401 invalid_credentials')

  t.is((await signInWith(workspace.owner.email)).status, 200)
  t.is((await actionsOf(workspace.owner))[0], 'sso.bypassed')
  await workspace.owner.patch(CONNECTION, { enabled: false })
  t.is((await signInWith(member.email)).status, 200)
})

test.serial('a person with an app gives its code after single sign-on, too', async t => {
  const { kernel } = stage
  const workspace = await stage.workspace({ required: true })
  const person = { email: workspace.email('ada'), sub: randomUUID() }
  const first = providerBrowser(kernel)
  stage.issuer.tamper = claims => ({ ...claims, auth_time: Math.floor(clock.now() / 1000) })
  await stage.signIn(person, first)
  const signedIn = kernel.with({ cookie: session(first.cookies) })
  const { body } = await signedIn.post('/v1/auth/me/second-factor/enrollment')
  const app = new TOTP({ secret: Secret.fromBase32(body.secret) })
  const code = () => app.generate({ timestamp: clock.now() })
  await signedIn.put('/v1/auth/me/second-factor', { enrollment: body.enrollment, code: code() })
  clock.forward(MINUTE)
  const browser = providerBrowser(kernel)
  t.is(await stage.signIn(person, browser), '/sign-in/second-factor?next=%2F')
  t.is(await browser.who(), null)
  t.is((await browser.submit('/sign-in/second-factor', { next: '/', code: code() })).location, '/')
  t.is(await browser.who(), await first.who())
})

test.serial('an owner gets in when the provider is down', async t => {
  const { kernel, issuer } = stage
  const workspace = await stage.workspace({ ownerEmail: domain => `owner@${domain}`, required: true })
  issuer.failing = 503
  const { location } = await providerBrowser(kernel).open(`/sign-in/sso?email=${workspace.owner.email}`)
  t.is(location, failed('provider_unavailable'))
  t.is((await signInWith(workspace.owner.email)).status, 200)
})

test.serial('a test shows the claims and signs nobody in', async t => {
  const { kernel, issuer } = stage
  const owner = await kernel.register(newEmail('owner'))
  await owner.put(CONNECTION, { ...CLIENT, issuer: issuer.url })
  issuer.person = { sub: 'a-subject', email: newEmail('tester'), groups: ['Staff'] }
  t.is(await runTest(kernel, owner, issuer), '/workspace/sso?done=tested')
  const { body } = await owner.get(CONNECTION)
  t.truthy(body.testedAt)
  t.like(body.lastTest, { problem: null, email: issuer.person.email, groups: ['Staff'] } as never)
  t.is(body.lastTest?.claims.sub, 'a-subject')
  const page = await kernel.with({ cookie: owner.cookie, accept: 'text/html' }).get<string>('/workspace/sso')
  t.regex(String(page.body), /a-subject/)
  clock.forward(2 * DAY)
  await sweep(kernel)
  t.is((await owner.get(CONNECTION)).body.lastTest, null)
})

/** The callback of a sign-in at one workspace, as a hostile provider of it could return it for another one. */
async function mixedUp(browser = providerBrowser(stage.kernel)) {
  const [hostile, honest] = [await stage.workspace(), await stage.workspace()]
  stage.issuer.person = { sub: randomUUID(), email: honest.email('ada') }
  const returned = await browser.authorize(stage.issuer, 'sso', `?email=${hostile.email('x')}`)
  return { browser, returned: returned.replace(hostile.owner.tenantId, honest.owner.tenantId) }
}

test.serial('a response that arrives at the address of another workspace is given to no provider', async t => {
  const { browser, returned } = await mixedUp()
  const { issuer } = stage
  issuer.tokenRequests = 0
  const { location } = await browser.open(returned)
  t.is(location, failed('sso_wrong_callback'))
  t.is(issuer.tokenRequests, 0)
  t.is(await browser.who(), null)
  t.regex((await browser.open(location)).text, /redirect URI of \/workspace\/sso/)
})

test.serial('there is no address that workspaces share', async t => {
  const { email } = await stage.workspace()
  const browser = providerBrowser(stage.kernel)
  stage.issuer.person = { sub: randomUUID(), email: email('ada') }
  const returned = await browser.authorize(stage.issuer, 'sso', `?email=${email('ada')}`)
  t.is((await browser.open(returned.replace(/sso\/ten_[^/]+/, 'sso'))).status, 404)
  t.is(await browser.who(), null)
})

test.serial('two tabs at two workspaces complete the latest sign-in only', async t => {
  const [one, other] = [await stage.workspace(), await stage.workspace()]
  const browser = providerBrowser(stage.kernel)
  stage.issuer.person = { sub: randomUUID(), email: one.email('ada') }
  const first = await browser.authorize(stage.issuer, 'sso', `?email=${one.email('ada')}`)
  stage.issuer.person = { sub: randomUUID(), email: other.email('ada') }
  const second = await browser.authorize(stage.issuer, 'sso', `?email=${other.email('ada')}`)
  await browser.open(first)
  t.is(await browser.who(), null)
  t.is((await browser.open(second)).location, '/')
  t.not(await browser.who(), null)
})

test.serial('a test that returns to another address says which one to enter', async t => {
  const { owner } = await stage.workspace()
  const { body } = await owner.post(`${CONNECTION}/test`)
  const { pathname, search } = new URL(body.url)
  const browser = browserOf(stage.kernel, owner)
  const returned = await stage.issuer.signIn((await browser.open(pathname + search)).location)
  const elsewhere = returned.pathname.replace(owner.tenantId, 'ten_01k9xx0000e00000000000000')
  t.is((await browser.open(elsewhere + returned.search)).location, '/workspace/sso?done=tested')
  const { lastTest } = (await owner.get(CONNECTION)).body
  t.true(lastTest?.problem?.endsWith(callbackOf(owner.tenantId)), lastTest?.problem ?? '')
})

test.serial('only the person who asked for a test can start and finish it', async t => {
  const { kernel, issuer } = stage
  const { owner } = await stage.workspace()
  const stranger = await kernel.register(newEmail('stranger'))
  issuer.person = { sub: 'the-subject-of-a-stranger', email: newEmail('stranger') }
  for (const browser of [providerBrowser(kernel), browserOf(kernel, stranger)])
    t.is(await runTest(kernel, owner, issuer, browser), failed('sso_other_tester'))
  const { body } = await owner.post(`${CONNECTION}/test`)
  const { pathname, search } = new URL(body.url)
  const own = browserOf(kernel, owner)
  const returned = await issuer.signIn((await own.open(pathname + search)).location)
  own.cookies.set('platform_session', browserOf(kernel, stranger).cookies.get('platform_session') ?? '')
  t.is((await own.open(returned.pathname + returned.search)).location, failed('sso_other_tester'))
  t.not((await owner.get(CONNECTION)).body.lastTest?.claims.sub, 'the-subject-of-a-stranger')
})

test.serial('a failed test says why', async t => {
  const { kernel, issuer } = stage
  const owner = await kernel.register(newEmail('owner'))
  const problem = async () => (await owner.get(CONNECTION)).body.lastTest?.problem ?? ''
  await owner.put(CONNECTION, { ...CLIENT, issuer: issuer.url, clientSecret: 'another secret' })
  issuer.person = { sub: 'a-subject', email: newEmail('tester') }
  await runTest(kernel, owner, issuer)
  t.regex(await problem(), /invalid_client/)
  await owner.put(CONNECTION, { ...CLIENT, issuer: 'http://127.0.0.1:9' })
  await runTest(kernel, owner, issuer)
  t.regex(await problem(), /fetch failed/)
  t.is(codeOf(await owner.patch(CONNECTION, { enabled: true })), '409 sso_not_tested')
})

test.serial('single sign-on is turned on after a test and with a domain, and off by another issuer', async t => {
  const { kernel, issuer } = stage
  const owner = await kernel.register(newEmail('owner'))
  t.is(codeOf(await owner.get(CONNECTION)), '404 not_found')
  t.deepEqual(fieldErrors(await owner.put(CONNECTION, { issuer: issuer.url, clientId: 'a' })), [
    '/clientSecret required',
  ])
  await owner.put(CONNECTION, { ...CLIENT, issuer: issuer.url })
  issuer.person = { sub: 'a-subject', email: newEmail('tester') }
  await runTest(kernel, owner, issuer)
  t.is(codeOf(await owner.patch(CONNECTION, { enabled: true })), '409 sso_without_domain')
  t.is(codeOf(await owner.patch(CONNECTION, { required: true })), '409 sso_off')
  const workspace = await stage.workspace({ required: true })
  const changed = await workspace.owner.put(CONNECTION, { ...CLIENT, issuer: 'http://127.0.0.1:9' })
  t.like(changed.body, { enabled: false, required: false, testedAt: null })
  const text = JSON.stringify((await workspace.owner.get(CONNECTION)).body)
  t.false(text.includes(CLIENT.clientSecret))
})

test.serial('issuers with a private address, without https or with a query are refused', async t => {
  const owner = await stage.kernel.register(newEmail('owner'))
  for (const issuer of [
    'http://login.acme.com',
    'https://10.0.0.1',
    'https://169.254.169.254',
    'https://[::ffff:10.0.0.1]',
    'https://login.acme.com/?a=b',
    'https://user:pass@login.acme.com',
    'file:///etc/passwd',
    'login.acme.com',
  ])
    t.deepEqual(fieldErrors(await owner.put(CONNECTION, { ...CLIENT, issuer })), ['/issuer wrong_format'], issuer)
})

test.serial('a provider whose endpoints are in the network of the server gets no request', async t => {
  const { kernel, issuer } = stage
  const { email } = await stage.workspace()
  for (const endpoint of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
    issuer.tamperMetadata = metadata => ({ ...metadata, [endpoint]: 'https://169.254.169.254/latest' })
    const browser = providerBrowser(kernel)
    t.is(await stage.signIn({ email: email('ada') }, browser), failed('provider_unavailable'), endpoint)
    t.is(await browser.who(), null)
  }
})

test.serial('no page and no form leads to another site, whatever its return address is', async t => {
  const { kernel } = stage
  const { email, cookie = '' } = await kernel.register(newEmail())
  const [name = '', value = ''] = cookie.split('=')
  const browser = providerBrowser(kernel, new Map([[name, value]]))
  const modules = kernel.kernel.ports.inspector.modules().filter(module => module.name === 'identity')
  const paths = modules.flatMap(({ pages }) => pages.map(({ path }) => path)).filter(path => !path.includes(':'))
  t.true(paths.length > 30)
  const staysHere = (location: string, what: string) =>
    t.is(new URL(location, kernel.url).origin, new URL(kernel.url).origin, what)
  // Other forms of foreign addresses: see the test of `safeReturnPath`.
  const next = 'https://evil.test/'
  for (const path of [...paths, '/sign-in/sso']) {
    const { text, location } = await browser.open(`${path}?${new URLSearchParams({ next, email })}`)
    staysHere(location, path)
    t.notRegex(text, /="[^"]*https:\/\/evil/, path)
  }
  for (const path of paths.filter(each => each !== '/sign-out'))
    staysHere((await browser.submit(path, { next, email, password: TEST_PASSWORD })).location, path)
})

let conforming: Promise<SsoWorkspace> | undefined
testConformance(test, 'sso', () => ({
  issuer: stage.issuer,
  async visit() {
    conforming ??= stage.workspace()
    const email = (await conforming).email(randomUUID())
    stage.issuer.person = { sub: randomUUID(), email }
    return { browser: providerBrowser(stage.kernel), email, query: `?email=${email}` }
  },
}))

test.serial('a response that another browser started is refused, and the same browser may repeat it', async t => {
  const { email } = await stage.workspace()
  const browser = providerBrowser(stage.kernel)
  stage.issuer.person = { sub: randomUUID(), email: email('ada') }
  const returned = await browser.authorize(stage.issuer, 'sso', `?email=${email('ada')}`)
  const other = providerBrowser(stage.kernel)
  await other.open(returned)
  t.is(await other.who(), null)
  const copy = providerBrowser(stage.kernel, new Map(browser.cookies))
  await Promise.all([browser.open(returned), copy.open(returned)])
  t.not(await browser.who(), null)
  t.is(await copy.who(), await browser.who())
  await other.open(returned)
  t.is(await other.who(), null)
})

test.serial('a removed provider forgets its people, who keep their accounts', async t => {
  const workspace = await stage.workspace()
  const browser = providerBrowser(stage.kernel)
  await stage.signIn({ email: workspace.email('ada') }, browser)
  const client = stage.kernel.with({ cookie: session(browser.cookies) })
  const ways = () => client.get('/v1/auth/me/sign-in-methods')
  t.deepEqual(
    (await ways()).body.data.map(({ method }) => method),
    ['sso'],
  )
  t.is((await workspace.owner.delete(CONNECTION)).status, 204)
  t.deepEqual((await ways()).body.data, [])
  t.is((await client.get('/v1/auth/me')).status, 200)
})

test.serial("while LARDER_SECRET rotates, a job encrypts the client's secret with the new one", async t => {
  const recipe = { modules: { identity: { signIn: { enterprise: {} } } } }
  const [older, newer] = ['an older secret of at least thirty-two bytes', 'a newer secret of at least thirty-two bytes']
  // It must not take the job.
  const before = await startTestKernel({ recipe, env: { LARDER_SECRET: older }, role: 'web' })
  t.teardown(() => before.stop())
  const owner = await before.register(newEmail('owner'))
  t.is((await owner.put(CONNECTION, { ...CLIENT, issuer: 'http://127.0.0.1:9' })).status, 200)
  const env = { LARDER_SECRET: `${newer},${older}` }
  const rotating = await startTestKernel({ recipe, env, database: before.databaseUrl })
  t.teardown(() => rotating.stop())
  await rotating.kernel.ports.jobs.enqueue('larder.reencrypt', {})
  await rotating.settled()
  const { rows } = await rotating.kernel.ports.systemDatabase
    .acrossTenants('a test reads a secret')
    .query<{ client_secret: Buffer }>('select client_secret from identity_sso_connections')
  const sealed = rows[0]?.client_secret ?? Buffer.alloc(0)
  t.is(createSecrets([newer]).decrypt('sso_client_secret', sealed), CLIENT.clientSecret)
})

test.serial('members without the permission neither see nor change single sign-on', async t => {
  const { owner } = await stage.workspace()
  const member = await colleague(stage.kernel, owner, ['tenant.member'])
  t.is(codeOf(await member.get(CONNECTION)), '403 forbidden')
  t.is(codeOf(await member.post(DOMAINS, { domain: newDomain() })), '403 forbidden')
  t.is(codeOf(await member.patch(CONNECTION, { enabled: false })), '403 forbidden')
})
