import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import test from 'ava'
import { newId } from '../../../../../kernel/base/ids.ts'
import { MINUTE } from '../../../../../kernel/base/units.ts'
import { type Person, startTestKernel } from '../../../../../testing/index.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { codeOf, identityRecipe, newEmail, startIdentity } from '../../fixtures.ts'

const { kernel, clock, ada } = withPeople(
  test,
  { recipe: identityRecipe({ signIn: { passkeys: {} } }), clock: true },
  { ada: 'owner' },
)

const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} }
const assertion = { ...credential, response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' } }
const attestation = { ...credential, response: { clientDataJSON: 'e30', attestationObject: 'AAAA' } }
const REGISTER = '/v1/auth/me/passkeys'
const VERIFY = '/v1/auth/passkey/verify'

test('options name the domain of the product and the account, with a fresh challenge', async t => {
  const [first, second] = [await ada.post(`${REGISTER}/options`), await ada.post(`${REGISTER}/options`)]
  t.is(first.status, 200)
  t.like(first.body.options, { rp: { id: 'localhost', name: 'Test' }, user: { name: ada.email } })
  t.not(first.body.options.challenge, second.body.options.challenge)
  t.is(codeOf(await kernel.post(`${REGISTER}/options`)), '401 unauthenticated')
  t.is((await kernel.as(ada.apiKey).post(`${REGISTER}/options`)).status, 403)
})

test('a challenge of another user, of a sign-in, or an expired one registers nothing', async t => {
  const eve = await kernel.register(newEmail('eve'))
  const theirs = await eve.post(`${REGISTER}/options`)
  const signIn = await kernel.post('/v1/auth/passkey/options')
  const own = await ada.post(`${REGISTER}/options`)
  clock.forward(5 * MINUTE)
  for (const { body } of [theirs, signIn, own])
    t.is(codeOf(await ada.post(REGISTER, { challenge: body.challenge, response: attestation })), '401 invalid_passkey')
})

test('a response that is not from an authenticator is refused and uses up the challenge', async t => {
  const { body } = await ada.post(`${REGISTER}/options`)
  for (let n = 0; n < 2; n++)
    t.is(codeOf(await ada.post(REGISTER, { challenge: body.challenge, response: attestation })), '401 invalid_passkey')
  const started = await kernel.post('/v1/auth/passkey/options')
  t.is(
    codeOf(await kernel.post(VERIFY, { challenge: started.body.challenge, response: assertion })),
    '401 invalid_passkey',
  )
})

test('refuses bodies of the wrong shape and unknown fields', async t => {
  const { body } = await kernel.post('/v1/auth/passkey/options')
  const { challenge } = body
  for (const wrong of [
    {},
    { challenge },
    { challenge: 'pkc_1', response: assertion },
    { challenge, response: assertion, more: 1 },
    { challenge, response: { ...assertion, id: 'not base64url!' } },
    { challenge, response: { ...assertion, type: 'password' } },
    { challenge, response: { ...assertion, response: { ...assertion.response, signature: 7 } } },
  ])
    t.is(codeOf(await kernel.post(VERIFY, wrong)), '422 validation_failed', JSON.stringify(wrong))
  t.is(codeOf(await kernel.post('/v1/auth/login/passkey', { challenge, response: assertion })), '404 not_found')
})

test('an unverified account that must verify its address cannot add a passkey', async t => {
  const own = await startIdentity({ signIn: { passkeys: {} }, requireVerifiedEmail: true })
  t.teardown(() => own.stop())
  const person = await own.register(newEmail('unverified'))
  t.is(codeOf(await person.post(`${REGISTER}/options`)), '403 email_not_verified')
})

test('the pages load their script from this site', async t => {
  const { status, headers } = await kernel.get('/sign-in/passkey/script.js')
  t.is(status, 200)
  t.regex(headers.get('content-type') ?? '', /javascript/)
  const { body } = await kernel.get<string>('/sign-in', { headers: { accept: 'text/html' } })
  t.regex(body, /data-passkey="sign-in" hidden/)
})

test('a recipe with passkeys needs a domain with https, and another way to sign up', async t => {
  const recipeAt = (publicUrl: string, signIn: object) => ({
    product: { key: 'test', name: 'Test', publicUrl },
    modules: { identity: { signIn }, comms: {} },
  })
  for (const publicUrl of ['http://app.acme.test', 'http://192.0.2.1', 'https://192.0.2.1', 'https://[2001:db8::1]']) {
    const error = await t.throwsAsync(startTestKernel({ recipe: recipeAt(publicUrl, { passkeys: {} }) }))
    t.regex(String(error?.message), /Browsers don't allow passkeys at/, publicUrl)
  }
  const alone = await t.throwsAsync(
    startTestKernel({ recipe: recipeAt('https://app.acme.test', { password: false, passkeys: {} }) }),
  )
  t.regex(String(alone?.message), /turns off the only way to sign in/)
})

/** A passkey of the person, as their authenticator answers with it. */
async function passkeyOf({ userId }: Person) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const head = (bytes: string) => Buffer.from(bytes, 'hex')
  const cose = Buffer.concat([
    head('a5010203262001215820'),
    Buffer.from(x, 'base64url'),
    head('225820'),
    Buffer.from(y, 'base64url'),
  ])
  const [id, identity] = [randomBytes(16).toString('base64url'), newId('sid')]
  const database = kernel.kernel.ports.systemDatabase.acrossTenants('a test adds a passkey')
  await database.query(
    `insert into identity_sign_in_identities (id, user_id, method, provider, subject, label, created_at)
     values ($1, $2, 'passkey', 'localhost', $3, 'Key', now())`,
    [identity, userId, id],
  )
  await database.query(
    `insert into identity_passkeys (identity_id, public_key, counter, transports) values ($1, $2, 0, '{}')`,
    [identity, cose],
  )
  return async (more: object, inner: object) => {
    const { body } = await kernel.post('/v1/auth/passkey/options')
    const { origin } = new URL(kernel.kernel.ports.product.publicUrl)
    const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge: body.options.challenge, origin }))
    const data = Buffer.concat([createHash('sha256').update('localhost').digest(), head('0500000000')])
    const signature = sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), privateKey)
    const response = {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      ...inner,
    }
    const answer = { id, rawId: id, type: 'public-key', response, ...more }
    return codeOf(await kernel.post(VERIFY, { challenge: body.challenge, response: answer }))
  }
}
const handleOf = ({ userId }: Person) => Buffer.from(userId).toString('base64url')

test('the user handle of another person is refused', async t => {
  const eve = await kernel.register(newEmail('eve'))
  const signIn = await passkeyOf(ada)
  t.is(await signIn({}, { userHandle: handleOf(eve) }), '401 invalid_passkey')
  t.is(await signIn({}, { userHandle: handleOf(ada) }), '200')
})

test('what browsers add and leave out does not stop a sign-in', async t => {
  const signIn = await passkeyOf(ada)
  t.is(await signIn({ authenticatorAttachment: null, clientExtensionResults: null }, { userHandle: null }), '200')
  t.is(
    await signIn({ clientExtensionResults: { credProps: { rk: true } }, future: [1] }, { userHandle: '', more: {} }),
    '200',
  )
  t.is(await signIn({}, {}), '200')
})

test('unused and empty members of a registration are no error of the request', async t => {
  const { body } = await ada.post(`${REGISTER}/options`)
  const { clientExtensionResults: _, ...bare } = credential
  const response = { ...attestation.response, transports: null, publicKey: null, publicKeyAlgorithm: 'x', more: 1 }
  const given = { ...bare, authenticatorAttachment: null, response }
  t.is(codeOf(await ada.post(REGISTER, { challenge: body.challenge, response: given })), '401 invalid_passkey')
})
