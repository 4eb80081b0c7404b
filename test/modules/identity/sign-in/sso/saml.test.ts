import test from 'ava'
import { DAY, MINUTE, SECOND } from '../../../../../kernel/base/units.ts'
import { TEST_PASSWORD } from '../../../../../testing/index.ts'
import { codeOf, createTestClock, fieldErrors, newEmail, operator } from '../../fixtures.ts'
import { codeIn, verify } from '../../pages/mail-tokens.ts'
import { providerBrowser } from '../providers/browser.ts'
import { HOSTILE_ADDRESSES } from '../providers/hostile-addresses.ts'
import { CLIENT } from '../providers/issuer.ts'
import { CONNECTION, type Connection, callbackOf, failed, newRoleMappings, proofOf, rolesOf } from './fixtures.ts'
import { type Answer, newSigningKey, readRequest, type SigningKey } from './identity-provider.ts'
import { SAML, type SamlStage, startSaml } from './saml-fixtures.ts'

const clock = createTestClock()
let stage: SamlStage
let stranger: SigningKey
let operatorEmail: string
test.before(async () => {
  ;[stage, stranger] = await Promise.all([startSaml(clock, { modules: { platform: {} } }), newSigningKey()])
  // Before the clock is moved: the code of a claim expires.
  operatorEmail = (await operator(stage.kernel)).email
})
test.after.always(() => stage?.stop())

const REFUSED = '/sign-in?failed=sso&next=%2F'
const problemOf = async ({ get }: { get: typeof stage.kernel.get }) =>
  (await get<Connection>(CONNECTION)).body.lastTest?.problem ?? ''

async function connectionOf(owner: { get: typeof stage.kernel.get }): Promise<Connection> {
  return (await owner.get(CONNECTION)).body
}

test.serial('a first sign-in creates the member in the workspace', async t => {
  const { owner, email } = await stage.workspace()
  const browser = providerBrowser(stage.kernel)
  t.is(await stage.signIn(email('ada'), {}, browser), '/')
  t.truthy(await browser.who())
  t.is(browser.cookies.get('platform_tenant'), owner.tenantId)
  t.deepEqual(await rolesOf({ owner }, email('ada')), ['tenant.member'])
  t.is(await stage.signIn(email('ada')), '/')
})

test.serial('the metadata of a workspace names what its requests name', async t => {
  const { owner, email } = await stage.workspace()
  const { kernel } = stage
  const response = await fetch(`${kernel.url}/sign-in/sso/${owner.tenantId}/metadata`)
  t.is(response.headers.get('content-type'), 'application/samlmetadata+xml; charset=utf-8')
  const xml = await response.text()
  const { acs, issuer } = readRequest(await stage.start(email('ada')))
  t.true(xml.includes(`entityID="${issuer}"`))
  t.true(xml.includes(`Location="${acs}"`))
  t.true(xml.includes('WantAssertionsSigned="true"'))
  t.is((await fetch(`${kernel.url}/sign-in/sso/nothing/metadata`)).status, 404)
})

test.serial('metadata can be pasted, read from its URL or entered in parts', async t => {
  const { provider } = stage
  const owner = await stage.kernel.register(newEmail('owner'))
  const pasted = await owner.put(SAML, { metadata: provider.metadata() })
  t.like(pasted.body, { protocol: 'saml', issuer: provider.entityId, enabled: false } as never)
  const { signInUrl } = pasted.body.saml ?? { signInUrl: '' }
  const fetched = await owner.put(SAML, { metadataUrl: provider.metadataUrl })
  const parts = { issuer: provider.entityId, signInUrl, certificates: [provider.signer.certificate] }
  const entered = await owner.put(SAML, parts)
  for (const { body } of [fetched, entered]) {
    t.is(body.saml?.signInUrl, signInUrl)
    t.deepEqual(body.saml?.certificates, pasted.body.saml?.certificates)
  }
})

test.serial('the page sets a provider, and shows what is wrong beside its field', async t => {
  const { provider, kernel } = stage
  const owner = await kernel.register(newEmail('owner'))
  const browser = providerBrowser(kernel, new Map([['platform_session', owner.cookie.replace(/^[^=]*=/, '')]]))
  const save = (fields: object) => browser.submit('/workspace/sso', { intent: 'save-saml', ...fields })
  const shown = await browser.open('/workspace/sso?protocol=saml')
  t.regex(shown.text, new RegExp(`/sign-in/sso/${owner.tenantId}/acs`))
  const wrong = await save({ metadata: '<a/>' })
  t.is(wrong.status, 422)
  t.regex(wrong.text, /id="metadata-error"[^>]*>Metadata document describes no identity provider\./)
  const folded = await save({ metadata: provider.metadata().replace(/Location="[^"]*"/, 'Location="javascript:1"') })
  t.regex(folded.text, /<details class="fold" open><summary>Values</)
  const saved = await save({ metadata: provider.metadata(), 'group:0': 'IT', 'role:0': 'tenant.owner', syncRoles: '1' })
  t.is(saved.location, '/workspace/sso?done=saved')
  const { issuer, saml } = await connectionOf(owner)
  const { text } = await browser.open('/workspace/sso')
  t.regex(text, /value="IT"/)
  t.regex(text, /login\.acme\.test<\/strong>/)
  const certificates = provider.signer.certificate + stranger.certificate
  t.is((await save({ issuer, signInUrl: saml?.signInUrl, certificates })).location, '/workspace/sso?done=saved')
  t.is((await connectionOf(owner)).saml?.certificates.length, 2)
})

test.serial('wrong settings of a provider are refused with their place', async t => {
  const { provider } = stage
  const owner = await stage.kernel.register(newEmail('owner'))
  const errors = async (body: object) => fieldErrors(await owner.put(SAML, body))
  const metadata = provider.metadata()
  t.deepEqual(await errors({}), ['/metadata required'])
  t.deepEqual(await errors({ metadata, metadataUrl: provider.metadataUrl }), ['/metadata ambiguous'])
  for (const wrong of [
    'not xml',
    '<a/>',
    metadata.replace('IDPSSODescriptor', 'SPSSODescriptor'),
    metadata.replace('</md:Entity', '<'),
    metadata.replace('<md:Entity', '<!DOCTYPE a [<!ENTITY b "c">]><md:Entity'),
    '<a>'.repeat(100),
    metadata.replace('HTTP-Redirect', 'HTTP-POST'),
    metadata.replace(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/s, ''),
    metadata.replace('entityID', 'validUntil="2020-01-01T00:00:00Z" entityID'),
  ])
    t.deepEqual(await errors({ metadata: wrong }), ['/metadata invalid_metadata'], wrong)
  for (const metadataUrl of [
    'http://login.acme.com',
    'https://10.0.0.1',
    'https://169.254.169.254',
    'file:///etc/passwd',
  ])
    t.deepEqual(await errors({ metadataUrl }), ['/metadataUrl wrong_format'])
  t.is(codeOf(await owner.put(SAML, { metadataUrl: 'http://127.0.0.1:9' })), '422 sso_metadata_unavailable')
  const crowded = metadata.replace(/<md:KeyDescriptor.*<\/md:KeyDescriptor>/s, key => key.repeat(11))
  t.deepEqual(await errors({ metadata: crowded }), ['/certificates too_many'])
  const parts = { issuer: 'acme', signInUrl: 'https://login.acme.com', certificates: [stranger.certificate] }
  t.deepEqual(await errors({ ...parts, signInUrl: 'javascript:alert(1)' }), ['/signInUrl wrong_format'])
  t.deepEqual(await errors({ ...parts, certificates: ['abc'] }), ['/certificates invalid_certificate'])
  const weak = await newSigningKey([-1, 1], 1024)
  t.deepEqual(await errors({ ...parts, certificates: [weak.certificate] }), ['/certificates invalid_certificate'])
  t.deepEqual(await errors({ issuer: 'acme', signInUrl: parts.signInUrl }), ['/certificates required'])
})

test.serial('a response opens the account of an address of the domain only', async t => {
  const { kernel } = stage
  const workspace = await stage.workspace()
  const victim = await kernel.register(newEmail('victim'))
  await verify(kernel, victim)
  const browser = providerBrowser(kernel)
  const answer = { attributes: { email: [victim.email] } }
  t.is(await stage.signIn(workspace.email('x'), answer, browser), failed('sso_wrong_address'))
  t.is(await browser.who(), null)
})

test.serial('groups decide about roles, in one attribute or several', async t => {
  const workspace = await stage.workspace()
  const roleMappings = await newRoleMappings(workspace.owner)
  const configuration = { metadata: stage.provider.metadata(), groupsClaim: 'memberOf', roleMappings }
  t.is((await workspace.owner.put(SAML, configuration)).status, 200)
  const email = workspace.email('ada')
  const after = async (answer: Answer) => {
    t.is(await stage.signIn(email, answer), '/')
    return rolesOf(workspace, email)
  }
  t.deepEqual(await after({ attributes: { memberOf: ['Staff', 'Other'] } }), ['team.staff'])
  const split = (xml: string) =>
    xml.replace(
      '</saml:AttributeValue><saml:AttributeValue>',
      '</saml:AttributeValue></saml:Attribute><saml:Attribute Name="memberOf"><saml:AttributeValue>',
    )
  const both = { attributes: { memberOf: ['Staff', 'Leads'] } }
  t.deepEqual(await after(both), ['team.leads', 'team.staff'])
  t.deepEqual(await after({ ...both, beforeSigning: split }), ['team.leads', 'team.staff'])
  // Entra ID replaces more than 150 groups by a link.
  const link = {
    'http://schemas.microsoft.com/claims/groups.link': ['https://graph.windows.net/a/users/b/getMemberObjects'],
  }
  t.deepEqual(await after({ attributes: link }), ['team.leads', 'team.staff'])
  t.deepEqual(await after({}), ['tenant.member'])
})

test.serial('members must use required single sign-on', async t => {
  const { kernel } = stage
  const workspace = await stage.workspace({ required: true })
  const email = workspace.email('member')
  t.is(await stage.signIn(email), '/')
  const { body } = await kernel.post('/v1/auth/email-code', { email })
  const code = await codeIn(kernel, email)
  const login = await kernel.post('/v1/auth/email-code/verify', { request: body.request, code })
  t.is(codeOf(login), '403 sso_required')
})

test.serial('an account of an owner is linked after its own proof', async t => {
  const { kernel } = stage
  const workspace = await stage.workspace()
  const owner = await kernel.register(workspace.email('boss'))
  await verify(kernel, owner)
  t.is(await stage.signIn(owner.email), proofOf(owner.email))
  const browser = providerBrowser(kernel)
  await stage.signIn(owner.email, {}, browser)
  await browser.submit('/sign-in', { email: owner.email, password: TEST_PASSWORD, next: '/sign-in/connect' })
  await browser.submit('/sign-in/connect')
  const again = providerBrowser(kernel)
  t.is(await stage.signIn(owner.email, {}, again), '/')
  t.is(await again.who(), owner.userId)
})

test.serial('a proof demands one from the provider, whose time then counts', async t => {
  const { email } = await stage.workspace()
  const proves = async (query: string) => {
    const browser = providerBrowser(stage.kernel)
    const { location } = await browser.open(`/sign-in/sso?${query}${new URLSearchParams({ email: email('ada') })}`)
    const answer = { nameId: 'ada', attributes: { email: [email('ada')] } }
    await browser.open(await stage.post(stage.provider.answer(location, answer)))
    const cookie = `platform_session=${browser.cookies.get('platform_session')}`
    const change = await stage.kernel.with({ cookie }).post('/v1/auth/email/change', { email: newEmail('changed') })
    return { isForced: readRequest(location).forceAuthn, change: codeOf(change) }
  }
  t.deepEqual(await proves(''), { isForced: false, change: '403 reauthentication_required' })
  t.deepEqual(await proves('again=1&'), { isForced: true, change: '202' })
})

test.serial('no account gets an address that a request could not contain', async t => {
  const workspace = await stage.workspace()
  for (const [what, hostile] of Object.entries(HOSTILE_ADDRESSES)) {
    const address = hostile(workspace.domain)
    // XML itself has no null character.
    if (address.includes('\0')) continue
    const text = address.replace(/[<>&"\r\n]/g, each => `&#${each.codePointAt(0)};`)
    const location = await stage.signIn(workspace.email('x'), { attributes: { email: [text] } })
    t.is(location, failed('sso_invalid_address'), what)
  }
})

test.serial('the address is in an attribute, or else the NameID', async t => {
  const workspace = await stage.workspace()
  const { owner } = workspace
  const none = { email: [], displayName: [] }
  const seen = async (answer: Answer) => {
    await stage.runTest(owner, answer)
    return (await connectionOf(owner)).lastTest?.email
  }
  t.is(await seen({ nameId: 'a@acme.test', attributes: none }), 'a@acme.test')
  t.is(await seen({ nameId: 'a-subject', attributes: none }), null)
  t.regex(await problemOf(owner), /no valid email address/)
  await owner.put(SAML, { metadata: stage.provider.metadata(), emailAttribute: 'upn' })
  t.is(
    await seen({ nameId: 'a@acme.test', attributes: { email: ['b@acme.test'], upn: ['c@acme.test'] } }),
    'c@acme.test',
  )
  t.is(await seen({ nameId: 'a@acme.test' }), null)
})

const wrapped = (xml: string): string => {
  const assertion = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
  const evil = assertion
    .replace(/<Signature .*<\/Signature>/s, '')
    .replace(/ID="_a\d+"/, 'ID="_evil"')
    .replaceAll('id-of-', 'id-of-other-')
  return xml.replace(assertion, `${evil}<samlp:Extensions>${assertion}</samlp:Extensions>`)
}
const inside = (xml: string): string => {
  const assertion = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
  const signature = /<Signature .*<\/Signature>/s.exec(assertion)?.[0] ?? ''
  const original = assertion.replace(signature, '')
  const evil = assertion
    .replace(/ID="_a\d+"/, 'ID="_evil"')
    .replaceAll('id-of-', 'id-of-other-')
    .replace('</Signature>', `<Object>${original}</Object></Signature>`)
  return xml.replace(assertion, evil)
}
const hostile: Readonly<Record<string, () => Answer>> = {
  'without a signature': () => ({ signs: 'nothing' }),
  'of which only the whole is signed': () => ({ signs: 'response' }),
  'signed by a stranger, with their certificate in it': () => ({ signer: stranger }),
  'changed after it was signed': () => ({ tamper: xml => xml.replaceAll('id-of-', 'id-of-other-') }),
  'with the signed assertion moved behind a forged one': () => ({ tamper: wrapped }),
  'with the signed assertion moved into the signature of a forged one': () => ({ tamper: inside }),
  'with two assertions': () => ({ tamper: xml => xml.replace(/(<saml:Assertion .*<\/saml:Assertion>)/s, '$1$1') }),
  'signed with SHA-1': () => ({ hash: 'sha1' }),
  'for another audience': () => ({ audience: 'https://other.test/metadata' }),
  'for another recipient': () => ({ recipient: 'https://other.test/acs' }),
  'for another destination': () => ({ destination: 'https://other.test/acs' }),
  'of another issuer': () => ({ issuer: 'https://login.other.test' }),
  'whose assertion answers another request': () => ({ subjectInResponseTo: '_another' }),
  'whose assertion answers no request': () => ({
    beforeSigning: xml => xml.replace(/(SubjectConfirmationData) InResponseTo="[^"]*"/, '$1'),
  }),
  'without an audience': () => ({ beforeSigning: xml => xml.replace(/<saml:AudienceRestriction>.*Restriction>/s, '') }),
  'without a subject': () => ({ beforeSigning: xml => xml.replace(/<saml:Subject>.*<\/saml:Subject>/s, '') }),
  'with a second, laxer confirmation': () => ({
    beforeSigning: xml => xml.replace(/(<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>)/s, '$1$1'),
  }),
  'with a NameID for this session': () => ({ nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }),
  'that has expired': () => ({ notOnOrAfter: -2 * MINUTE }),
  'that is not valid yet': () => ({ notBefore: 2 * MINUTE }),
  'that reports a failure': () => ({ status: 'Responder' }),
}
for (const [name, answer] of Object.entries(hostile))
  test.serial(`a response ${name} is refused`, async t => {
    const { email } = await stage.workspace()
    const browser = providerBrowser(stage.kernel)
    t.is(await stage.signIn(email('ada'), answer(), browser), REFUSED)
    t.is(await browser.who(), null)
  })

test.serial('a NameID that no account could keep is refused with a sentence', async t => {
  const { owner, email } = await stage.workspace()
  const [longest, tooLong] = ['ü'.repeat(512), 'a'.repeat(1025)]
  t.is(await stage.signIn(email('ada'), { nameId: longest }), '/')
  t.is(await stage.signIn(email('grace'), { nameId: tooLong }), failed('subject_too_long'))
  const { text } = await providerBrowser(stage.kernel).open(failed('subject_too_long'))
  t.regex(text, /longer than 1,024 bytes\./)
  await stage.runTest(owner, { nameId: tooLong, attributes: { email: [email('grace')] } })
  t.regex(await problemOf(owner), /longer than 1,024 bytes\./)
})

test.serial('a comment in the NameID or in the address cuts nothing off', async t => {
  const { owner } = await stage.workspace()
  const nameId = 'ada@acme.test<!-- -->.attacker.test'
  await stage.runTest(owner, { nameId, attributes: { email: [nameId], displayName: ['Ada'] } })
  const { lastTest } = await connectionOf(owner)
  t.is(lastTest?.email, 'ada@acme.test.attacker.test')
  t.is(lastTest?.claims.NameID, 'ada@acme.test.attacker.test')
})

test.serial('a clock that differs by less than a minute is accepted', async t => {
  const { email } = await stage.workspace()
  t.is(await stage.signIn(email('ada'), { notBefore: 50_000 }), '/')
  t.is(await stage.signIn(email('ada'), { notOnOrAfter: -50_000 }), '/')
})

test.serial('a response is accepted once', async t => {
  const { email } = await stage.workspace()
  const browser = providerBrowser(stage.kernel)
  const request = await stage.start(email('ada'), browser)
  const attributes = { email: [email('ada')] }
  const answer = stage.provider.answer(request, { nameId: 'ada', attributes })
  const callback = await stage.post(answer)
  const copy = providerBrowser(stage.kernel, new Map(browser.cookies))
  t.is((await browser.open(callback)).location, '/')
  t.is((await browser.open(callback)).location, REFUSED)
  clock.forward(30 * SECOND)
  t.is((await copy.open(await stage.post(answer))).location, REFUSED)
  clock.forward(2 * MINUTE)
  t.is(await stage.post(answer), failed('sso_expired'))
})

test.serial('a response to a connection that has become another one is refused each time at once', async t => {
  const { owner, email } = await stage.workspace()
  const { kernel, provider } = stage
  const request = await stage.start(email('ada'))
  const answered = provider.answer(request, { attributes: { email: [email('ada')] } })
  t.is((await owner.put(CONNECTION, { ...CLIENT, issuer: stage.issuer.url })).status, 200)
  t.is(await stage.post(answered), failed('sso_expired'))
  const { rowCount } = await kernel.kernel.ports.systemDatabase
    .acrossTenants('a test looks for claimed requests')
    .query('select from identity_saml_requests where tenant_id = $1 and verified_at is null', [owner.tenantId])
  t.is(rowCount, 0)
  t.is(await stage.post(answered), failed('sso_expired'))
})

test.serial('a response that a browser posts twice at the same moment signs in once', async t => {
  const { email } = await stage.workspace()
  const browser = providerBrowser(stage.kernel)
  const request = await stage.start(email('ada'), browser)
  const attributes = { email: [email('ada')] }
  const answer = stage.provider.answer(request, { nameId: 'ada', attributes })
  const other = stage.provider.answer(request, { nameId: 'ada', attributes })
  const posted = await Promise.all([stage.post(answer), stage.post(answer)])
  t.is(posted[0], posted[1])
  t.is(await stage.post(other), failed('sso_expired'))
  const copy = providerBrowser(stage.kernel, new Map(browser.cookies))
  const opened = await Promise.all([browser.open(posted[0]), copy.open(await stage.post(answer))])
  t.deepEqual(
    opened.map(({ location }) => location),
    ['/', '/'],
  )
  t.not(await browser.who(), null)
  t.is(await copy.who(), await browser.who())
})

test.serial('another browser neither finishes a sign-in nor takes its response', async t => {
  const { owner, email } = await stage.workspace()
  const [browser, other] = [providerBrowser(stage.kernel), providerBrowser(stage.kernel)]
  const answer = { nameId: 'ada', attributes: { email: [email('ada')] } }
  const callback = await stage.post(stage.provider.answer(await stage.start(email('ada'), browser), answer))
  // With the cookie and without the code, as somebody who lured another person to answer their request.
  t.is((await browser.open(new URL(callbackOf(owner.tenantId)).pathname)).location, failed('sso_expired'))
  t.is(await browser.who(), null)
  await stage.start(email('ada'), other)
  t.is((await other.open(callback)).location, failed('sso_expired'))
  t.is(await other.who(), null)
  t.is((await providerBrowser(stage.kernel).open(callback)).location, REFUSED)
})

test.serial('a sign-in that starts at the provider, or takes too long, is refused with a sentence', async t => {
  const { email } = await stage.workspace()
  const attributes = { email: [email('ada')] }
  const unasked = stage.provider.answer(await stage.start(email('ada')), { inResponseTo: '', attributes })
  t.is(await stage.post(unasked), failed('sso_unsolicited'))
  const page = await providerBrowser(stage.kernel).open(failed('sso_unsolicited'))
  t.regex(page.text, /Sign-ins that start at the provider are not accepted/)
  const late = stage.provider.answer(await stage.start(email('ada')), { attributes })
  clock.forward(11 * MINUTE)
  t.is(await stage.post(late), failed('sso_expired'))
})

test.serial('a response for one workspace is refused by another one with the same provider', async t => {
  const [one, other] = [await stage.workspace(), await stage.workspace()]
  const answer = { attributes: { email: [other.email('ada')] } }
  const { response } = stage.provider.answer(await stage.start(one.email('ada')), answer)
  const path = new URL(readRequest(await stage.start(other.email('ada'))).acs).pathname
  t.is(await stage.post({ path, response }), failed('sso_expired'))
})

test.serial('metadata of more elements than any provider has is refused', async t => {
  const owner = await stage.kernel.register(newEmail('owner'))
  const metadata = stage.provider
    .metadata()
    .replace('</md:EntityDescriptor>', `${'<a/>'.repeat(10_000)}</md:EntityDescriptor>`)
  t.deepEqual(fieldErrors(await owner.put(SAML, { metadata })), ['/metadata invalid_metadata'])
})

test.serial('a response that answers a request is verified once, whatever else is posted for it', async t => {
  const { email } = await stage.workspace()
  const browser = providerBrowser(stage.kernel)
  const request = await stage.start(email('ada'), browser)
  const answer = { nameId: 'ada', attributes: { email: [email('ada')] } }
  const garbage = stage.provider.answer(request, { ...answer, signs: 'nothing' })
  const first = await stage.post(garbage)
  t.is(await stage.post(stage.provider.answer(request, answer)), failed('sso_expired'))
  t.is((await browser.open(first)).location, REFUSED)
})

test.serial('what is no response is refused, and what is too large', async t => {
  const { owner, email } = await stage.workspace()
  const path = `/sign-in/sso/${owner.tenantId}/acs`
  for (const text of ['', 'nothing', '<a/>', '<samlp:Response'])
    t.is(await stage.post({ path, response: Buffer.from(text).toString('base64') }), REFUSED)
  const [request, doctype] = [await stage.start(email('ada')), '<!DOCTYPE a [<!ENTITY b "c">]>']
  t.is(await stage.post(stage.provider.answer(request, { tamper: xml => doctype + xml })), REFUSED)
  const attributes = Array.from({ length: 100 }, (_, at) => `a${at}=""`).join(' ')
  for (const added of [
    ...['<a/>', '<!---->', '<?a b?>', '<![CDATA[]]>'].map(node => node.repeat(2000)),
    `<a ${attributes}/>`,
  ]) {
    const tamper = (xml: string) => xml.replace('</samlp:Response>', `${added}</samlp:Response>`)
    t.is(await stage.post(stage.provider.answer(request, { tamper })), REFUSED, added.slice(0, 20))
  }
  t.regex(await stage.post({ path, response: 'A'.repeat(300 * 1024) }), /^413 /)
})

test.serial('certificates can be pasted together, with text around them', async t => {
  const { provider } = stage
  const owner = await stage.kernel.register(newEmail('owner'))
  const [old, next] = [(await newSigningKey()).certificate, provider.signer.certificate]
  const parts = { issuer: provider.entityId, signInUrl: 'https://login.acme.test/sign-in' }
  const text = (pem: string) => `Certificate:\n    Data:\n        Version: 3 (0x2)\n${pem}`
  for (const certificates of [[old + next], [text(old) + text(next)], [old.replaceAll('\n', '\r\n') + next]]) {
    const put = await owner.put(SAML, { ...parts, certificates })
    t.is(put.body.saml?.certificates.length, 2)
  }
})

test.serial('keys of metadata that cannot be used are left out', async t => {
  const { provider } = stage
  const owner = await stage.kernel.register(newEmail('owner'))
  const weak = (await newSigningKey([-1, 365], 1024)).certificate
  provider.certificates = [weak, provider.signer.certificate]
  const put = await owner.put(SAML, {
    metadata: provider.metadata(),
  })
  t.is(put.body.saml?.certificates.length, 1)
  provider.certificates = [weak]
  t.deepEqual(fieldErrors(await owner.put(SAML, { metadata: provider.metadata() })), [
    '/certificates invalid_certificate',
  ])
  provider.certificates = [provider.signer.certificate]
})

test.serial('both certificates are accepted while a provider changes its own', async t => {
  const { provider } = stage
  const { owner, email } = await stage.workspace()
  const [former, next] = [provider.signer, await newSigningKey()]
  const certificates = [former.certificate, next.certificate]
  const { issuer, saml } = await connectionOf(owner)
  const changed = await owner.put(SAML, { issuer, signInUrl: saml?.signInUrl, certificates })
  t.true(changed.body.enabled)
  for (const signer of [former, next]) t.is(await stage.signIn(email('ada'), { signer }), '/')
  await owner.put(SAML, { issuer, signInUrl: saml?.signInUrl, certificates: [next.certificate] })
  t.is(await stage.signIn(email('ada'), { signer: former }), REFUSED)
})

test.serial('a job reads new certificates from the address of the metadata', async t => {
  const { kernel, provider } = stage
  const { owner, email } = await stage.workspace({
    configuration: { metadata: undefined, metadataUrl: provider.metadataUrl },
  })
  const next = await newSigningKey()
  const refresh = async () => {
    clock.forward(DAY)
    await kernel.kernel.ports.jobs.enqueue('identity.check_sso_domains', {})
    await kernel.settled()
  }
  t.teardown(() => Object.assign(provider, { certificates: [provider.signer.certificate] }))
  Object.assign(provider, { certificates: [provider.signer.certificate, next.certificate] })
  t.is(await stage.signIn(email('ada'), { signer: next }), REFUSED)
  await refresh()
  t.is(await stage.signIn(email('ada'), { signer: next }), '/')
  const { body } = await owner.get('/v1/identity/audit')
  t.true(body.data.some(({ action }) => action === 'sso.changed'))
  Object.assign(provider, { certificates: [] })
  await refresh()
  t.is((await connectionOf(owner)).saml?.certificates.length, 2)
})

test.serial('operators learn of metadata that cannot be read and of expired certificates', async t => {
  const { kernel, provider } = stage
  const { owner } = await stage.workspace({
    configuration: { metadata: undefined, metadataUrl: provider.metadataUrl },
  })
  const { issuer, saml } = await connectionOf(owner)
  const { body: login } = await kernel.post('/v1/auth/login', {
    email: operatorEmail,
    password: TEST_PASSWORD,
  })
  const problems = async () => {
    // The last result is kept for a minute.
    clock.forward(2 * MINUTE)
    const { body } = await kernel.as(login.token).get('/v1/platform/problems')
    // The workspaces of other tests are about the same provider.
    return body.data.map(({ problem }) => problem).filter(problem => /metadata|none of its|expires on/.test(problem))
  }
  t.deepEqual(await problems(), [])
  t.teardown(() => Object.assign(provider, { certificates: [provider.signer.certificate] }))
  Object.assign(provider, { certificates: [] })
  const [unread = ''] = await problems()
  t.regex(unread, /^The provider https:\/\/login.* changes its certificates unnoticed: its metadata has no certificate/)
  const [soon, expired] = await Promise.all([newSigningKey([-1, 20]), newSigningKey([-30, -1])])
  const enter = (...keys: readonly SigningKey[]) =>
    owner.put(SAML, { issuer, signInUrl: saml?.signInUrl, certificates: keys.map(({ certificate }) => certificate) })
  Object.assign(provider, { certificates: [provider.signer.certificate] })
  await enter(soon, stranger)
  t.deepEqual(await problems(), [])
  await enter(soon)
  t.regex((await problems()).join(), /^The certificate of the provider https:.* expires on \d.* the next one before\.$/)
  await enter(expired)
  const [invalid = ''] = await problems()
  t.regex(invalid, /of the workspace ".*" can't be used: none of its certificates is valid\.$/)
})

test.serial('an expired certificate is refused, and the owner learns it', async t => {
  const { owner, email } = await stage.workspace()
  const expired = await newSigningKey([-30, -1])
  const { issuer, saml } = await connectionOf(owner)
  const parts = { issuer, signInUrl: saml?.signInUrl }
  await owner.put(SAML, { ...parts, certificates: [expired.certificate, stranger.certificate] })
  t.is(await stage.signIn(email('ada'), { signer: expired }), REFUSED)
  await owner.put(SAML, { ...parts, certificates: [expired.certificate] })
  const location = await stage.start(email('ada'))
  t.is(location, failed('sso_certificate_expired'))
  t.regex((await providerBrowser(stage.kernel).open(location)).text, /certificate of your organization/)
  t.is(await stage.runTest(owner), '/workspace/sso?done=tested')
  t.regex(await problemOf(owner), /No certificate of the provider is valid/)
  const page = await stage.kernel.with({ cookie: owner.cookie, accept: 'text/html' }).get<string>('/workspace/sso')
  t.regex(String(page.body), /badge bad">Expired/)
})

test.serial('operators see the domains and the provider of a workspace', async t => {
  const { kernel } = stage
  const { owner, domain } = await stage.workspace()
  const credentials = { email: operatorEmail, password: TEST_PASSWORD }
  const { body: login } = await kernel.post('/v1/auth/login', credentials)
  const recordOf = async (tenantId: string) =>
    (await kernel.as(login.token).get(`/v1/identity/admin/tenants/${tenantId}`)).body
  const { issuer, saml } = await connectionOf(owner)
  const provider = { protocol: 'saml', issuer, enabled: true, required: false }
  t.like((await recordOf(owner.tenantId)).singleSignOn, {
    domains: [{ domain, missingSince: null }],
    provider: { ...provider, expiresAt: saml?.certificates[0]?.expiresAt },
  } as never)
  const other = await kernel.register(newEmail('owner'))
  t.is((await recordOf(other.tenantId)).singleSignOn, null)
})

test.serial('a failed test says why, and shows no claims', async t => {
  const { owner } = await stage.workspace()
  const problem = async (answer: Answer) => {
    await stage.runTest(owner, answer)
    t.deepEqual((await connectionOf(owner)).lastTest?.claims, {})
    return problemOf(owner)
  }
  t.regex(await problem({ signs: 'response' }), /no valid signature/)
  t.regex(await problem({ hash: 'sha1' }), /SHA-256/)
  t.regex(await problem({ notOnOrAfter: -5 * MINUTE }), /clocks/)
  t.regex(await problem({ audience: 'https://other.test' }), /audience/)
  const encrypted = (xml: string) => xml.replace('<saml:Assertion ', '<saml:EncryptedAssertion/><saml:Assertion ')
  t.regex(await problem({ tamper: encrypted }), /encrypts/)
})

test.serial('another entity ID, sign-in address or protocol turns single sign-on off', async t => {
  const { provider, kernel } = stage
  const parts = { issuer: provider.entityId, certificates: [provider.signer.certificate] }
  for (const change of [
    { ...parts, issuer: 'https://login.other.test', signInUrl: 'https://login.other.test' },
    { ...parts, signInUrl: 'https://login.other.test' },
  ]) {
    const { owner } = await stage.workspace({ required: true })
    const { body } = await owner.put(SAML, change)
    t.like(body, { enabled: false, required: false, testedAt: null } as never)
  }
  const { owner } = await stage.workspace()
  const replaced = await owner.put(CONNECTION, { ...CLIENT, issuer: stage.issuer.url })
  t.like(replaced.body, { protocol: 'oidc', saml: null, enabled: false } as never)
  const member = await kernel.register(newEmail('member'))
  t.is(codeOf(await member.with({ 'x-tenant-id': owner.tenantId }).put(SAML, {})), '403 not_a_member')
})

test.serial('a person moves from OpenID Connect to SAML with their account', async t => {
  const { kernel, provider } = stage
  const workspace = await stage.workspace()
  const [first, second] = [providerBrowser(kernel), providerBrowser(kernel)]
  await stage.signIn(workspace.email('ada'), {}, first)
  // The same name as that of the former provider, as at Keycloak.
  await workspace.owner.put(SAML, { metadata: provider.metadata() })
  await kernel.kernel.ports.systemDatabase.acrossTenants('a test lets the person come from another protocol').query(
    `update identity_sign_in_identities set provider = replace(provider, 'saml:', ''), subject = 'another'
       where email = $1`,
    [workspace.email('ada')],
  )
  t.is(await stage.signIn(workspace.email('ada'), {}, second), '/')
  t.is(await second.who(), await first.who())
})
