/** Sign-in at Ory Hydra, a certified issuer of OpenID Connect that keeps its state in PostgreSQL. */
import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { promisify } from 'node:util'
import anyTest, { type TestFn } from 'ava'
import { diagnoseProviders } from '../../modules/identity/sign-in/providers/provider-diagnosis.ts'
import { createTestDatabase, type TestDatabase } from '../../services/postgres/testing.ts'
import { startTestKernel, type TestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { newEmail } from '../modules/identity/fixtures.ts'
import { providerBrowser } from '../modules/identity/sign-in/providers/browser.ts'
import { CLIENT, signInAt, type TestIssuer } from '../modules/identity/sign-in/providers/issuer.ts'
import { goProgram, PROGRAMS } from './programs.ts'
import { type PeerServer, startPeer } from './server.ts'

interface Hydra extends PeerServer, Pick<TestIssuer, 'signIn'> {
  readonly url: string
  /** Who signs in there; null refuses. */
  person: { readonly sub: string; readonly email: string; readonly name: string } | null
}
const CALLBACK = 'http://localhost:8080/sign-in/hydra/callback'

const test = anyTest as TestFn<{ hydra: Hydra; kernel: TestKernel }>
const program = await goProgram(PROGRAMS.hydra)

/** Hydra asks an app who a person is and what they consent to. */
async function startHydra(path: string): Promise<Hydra> {
  const database: TestDatabase = await createTestDatabase({ migrations: [] })
  const [port, admin] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const call = async (method: string, at: string, body?: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${admin}/admin/${at}`, { method, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`Hydra answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Record<string, unknown>
  }
  async function decide(challenge: URLSearchParams): Promise<unknown> {
    const { person } = hydra
    const login = challenge.get('login_challenge')
    const at = (kind: 'login' | 'consent', does: string) => `oauth2/auth/requests/${kind}/${does}?${challenge}`
    if (login !== null && !person) return call('PUT', at('login', 'reject'), { error: 'access_denied' })
    if (login !== null) return call('PUT', at('login', 'accept'), { subject: person?.sub })
    return call('PUT', at('consent', 'accept'), {
      grant_scope: ['openid', 'email', 'profile'],
      session: { id_token: { email: person?.email, email_verified: true, name: person?.name } },
    })
  }
  const app: Server = createServer((request, response) => {
    decide(new URL(request.url ?? '', url).searchParams).then(
      decided => response.writeHead(303, { location: (decided as { redirect_to: string }).redirect_to }).end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  const appPort = await freePort()
  await new Promise<void>(resolve => app.listen(appPort, '127.0.0.1', resolve))
  const env = {
    DSN: `${database.ownerUrl}?sslmode=disable`,
    SECRETS_SYSTEM: 'a secret that only tests may know of',
    URLS_SELF_ISSUER: url,
    URLS_LOGIN: `http://127.0.0.1:${appPort}/`,
    URLS_CONSENT: `http://127.0.0.1:${appPort}/`,
    SERVE_PUBLIC_PORT: String(port),
    SERVE_ADMIN_PORT: String(admin),
    SQA_OPT_OUT: 'true',
  }
  await promisify(execFile)(path, ['migrate', 'sql', '--read-from-env', '--yes'], { env: { ...process.env, ...env } })
  const server = await startPeer({
    path,
    args: () => ['serve', 'all', '--dev'],
    env,
    // It makes its keys when they are first asked for, which can take longer than a sign-in waits.
    isReady: async () => (await fetch(`${url}/health/ready`)).ok && (await fetch(`${url}/.well-known/jwks.json`)).ok,
  })
  const hydra: Hydra = {
    url,
    person: null,
    signIn: signInAt,
    async close() {
      await server.close()
      app.closeAllConnections()
      app.close()
      await database.drop()
    },
  }
  await call('POST', 'clients', {
    client_id: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
    redirect_uris: [CALLBACK],
    scope: 'openid email profile',
    token_endpoint_auth_method: 'client_secret_post',
  })
  return hydra
}

test.before(async t => {
  const hydra = await startHydra(program)
  const providers = { hydra: { ...CLIENT, issuer: hydra.url, label: 'Hydra' } }
  const recipe = { modules: { identity: { signIn: { password: {}, providers } }, comms: {} } }
  t.context = { hydra, kernel: await startTestKernel({ recipe }) }
})
test.after.always(async ({ context: { hydra, kernel } }) => {
  await kernel?.stop()
  await hydra?.close()
})

test.serial('a person signs up with Hydra, and signs in again', async t => {
  const { hydra, kernel } = t.context
  hydra.person = { sub: 'ada', email: newEmail('ada'), name: 'Ada' }
  const first = providerBrowser(kernel)
  t.is(await first.signIn(hydra, 'hydra', '?next=/account'), '/account')
  const cookie = `platform_session=${first.cookies.get('platform_session')}`
  const { body } = await kernel.with({ cookie }).get('/v1/auth/me')
  t.like(body.user, { email: hydra.person.email, name: 'Ada', emailVerified: true } as never)
  const again = providerBrowser(kernel)
  t.is(await again.signIn(hydra, 'hydra'), '/')
  t.is(await again.who(), await first.who())
})

test.serial('a person who refuses at Hydra returns to the sign-in page', async t => {
  const { hydra, kernel } = t.context
  hydra.person = null
  t.is(await providerBrowser(kernel).signIn(hydra, 'hydra'), '/sign-in?failed=hydra&next=%2F')
})

test.serial("larder doctor accepts the client, and reports a wrong secret in Hydra's words", async t => {
  const { url: issuer } = t.context.hydra
  const diagnose = (client: typeof CLIENT) =>
    diagnoseProviders({ signIn: { providers: { hydra: { ...client, issuer } } } })
  t.deepEqual(await diagnose(CLIENT), [])
  const [found = ''] = await diagnose({ ...CLIENT, clientSecret: 'another secret' })
  t.regex(found, /^The sign-in provider "hydra" refuses the client: invalid_client: /)
})
