import test from 'ava'
import { diagnoseProviders } from '../../../../../modules/identity/sign-in/providers/provider-diagnosis.ts'
import { CLIENT, startIssuer, type TestIssuer } from './issuer.ts'

let issuer: TestIssuer
test.before(async () => {
  issuer = await startIssuer(['http://localhost:8080/sign-in/acme/callback'])
})
test.after.always(() => issuer?.stop())
test.beforeEach(() => issuer.behave())
const diagnose = (more: object = {}) =>
  diagnoseProviders({ signIn: { providers: { acme: { ...CLIENT, issuer: issuer.url, ...more } } } })

test.serial('finds nothing wrong with a provider that works', async t => {
  t.deepEqual(await diagnose(), [])
  t.deepEqual(await diagnoseProviders({}), [])
})

test.serial('reports a provider that is down, and one that fails', async t => {
  const [down = '', ...more] = await diagnose({ issuer: 'http://127.0.0.1:9' })
  t.regex(down, /^The sign-in provider "acme" can't be used: fetch failed/)
  t.deepEqual(more, [])
  issuer.failing = 503
  t.regex((await diagnose())[0] ?? '', /can't be used: unexpected HTTP response status code/)
})

test.serial('reports a wrong secret', async t => {
  t.deepEqual(await diagnose({ clientSecret: 'wrong' }), [
    'The sign-in provider "acme" refuses the client: invalid_client: client authentication failed. Check clientId and the secret in the recipe.',
  ])
})

test.serial('reports an issuer whose document is about another one', async t => {
  const { port } = new URL(issuer.url)
  t.regex(
    (await diagnose({ issuer: `http://localhost:${port}` }))[0] ?? '',
    /can't be used: discovered metadata issuer does not match/,
  )
})

test.serial('reports a clock that is off', async t => {
  issuer.clockError = 5 * 60_000
  t.regex(
    (await diagnose())[0] ?? '',
    /The clock of this machine is (299|300|301) seconds behind that of the sign-in provider "acme"/,
  )
  issuer.clockError = -5 * 60_000
  t.regex((await diagnose())[0] ?? '', /seconds ahead of that/)
})
