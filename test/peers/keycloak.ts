/** Keycloak with a realm, and the browsers of people who sign in there by its pages. */
import { freePort } from '../fixtures/free-port.ts'
import type { Post } from '../modules/identity/sign-in/sso/identity-provider.ts'
import { type PeerServer, startPeer } from './server.ts'

const REALM = 'acme'
const PASSWORD = 'a password that only tests may know of'
const ADMIN = { username: 'admin', password: PASSWORD }
/** Keycloak migrates its database at each start. Allows for a busy machine. */
const START_SECONDS = 600
const MAX_PAGES = 5

export interface KeycloakClient {
  readonly clientId: string
  readonly clientSecret: string
}
export interface KeycloakPerson {
  readonly id: string
  readonly username: string
}
export interface KeycloakUser {
  readonly email: string
  readonly emailVerified?: boolean
  /** Paths of groups. */
  readonly groups?: readonly string[]
}
export interface Keycloak extends PeerServer {
  /** The issuer of OpenID Connect, which is also the entity ID of SAML. */
  readonly issuer: string
  readonly metadataUrl: string
  /** Calls the admin API of the realm, as the admin console does. Returns the body, and the ID of what it creates. */
  admin<T = unknown>(method: string, path: string, body?: object | string): Promise<{ body: T; id: string }>
  createUser(user: KeycloakUser): Promise<KeycloakPerson>
  /** A client of OpenID Connect that requires PKCE. */
  createClient(client: KeycloakClient, redirectUris: readonly string[], mappers: readonly object[]): Promise<void>
  browser(person: KeycloakPerson): KeycloakBrowser
}
export interface KeycloakBrowser {
  /** Signs in with OpenID Connect. Returns where the browser leaves Keycloak for. */
  signIn(location: string): Promise<URL>
  /** Signs in with SAML. Returns what Keycloak lets the browser post. */
  answer(location: string): Promise<Post>
  /** How often Keycloak asked for the password. */
  readonly passwords: number
}

export async function startKeycloak(path: string): Promise<Keycloak> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await startPeer({
    path,
    args: folder => ['start', '--optimized', `-Djava.io.tmpdir=${folder}`],
    env: {
      KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
      KC_CACHE: 'local',
      KC_HOSTNAME_STRICT: 'false',
      KC_HTTP_ENABLED: 'true',
      KC_HTTP_HOST: '127.0.0.1',
      KC_HTTP_PORT: String(port),
    },
    isReady: async () => (await fetch(`${url}/realms/master`)).ok,
    seconds: START_SECONDS,
    signal: 'SIGTERM',
  })
  try {
    return await openRealm(url, server)
  } catch (error) {
    await server.close()
    throw error
  }
}

async function openRealm(url: string, server: PeerServer): Promise<Keycloak> {
  const issuer = `${url}/realms/${REALM}`
  const newToken = async (): Promise<string> => {
    const response = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMIN }),
    })
    const { access_token: token } = (await response.json()) as { access_token?: string }
    if (token === undefined) throw new Error(`Keycloak's administrator got ${response.status}`)
    return token
  }
  let token = await newToken()
  async function call<T>(method: string, at: string, body?: object | string): Promise<{ body: T; id: string }> {
    const response = await fetch(`${url}/admin/realms${at}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': typeof body === 'string' ? 'application/xml' : 'application/json',
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${at} was answered ${response.status}: ${text}`)
    const id = response.headers.get('location')?.split('/').at(-1) ?? ''
    return { body: (text === '' ? undefined : JSON.parse(text)) as T, id }
  }
  // Longer than the tests take.
  await call('PUT', '/master', { accessTokenLifespan: 3600 })
  token = await newToken()
  await call('POST', '', {
    realm: REALM,
    enabled: true,
    editUsernameAllowed: true,
    groups: [{ name: 'staff', subGroups: [{ name: 'leads' }] }],
  })
  const admin: Keycloak['admin'] = (method, path, body) => call(method, `/${REALM}${path}`, body)

  return {
    issuer,
    metadataUrl: `${issuer}/protocol/saml/descriptor`,
    close: server.close,
    admin,
    async createUser({ email, emailVerified = true, groups = [] }) {
      const { id } = await admin('POST', '/users', {
        username: email,
        email,
        emailVerified,
        groups,
        enabled: true,
        firstName: 'Ada',
        lastName: 'Lovelace',
        credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
      })
      return { id, username: email }
    },
    async createClient({ clientId, clientSecret }, redirectUris, protocolMappers) {
      await admin('POST', '/clients', {
        clientId,
        redirectUris,
        protocolMappers,
        protocol: 'openid-connect',
        // "Client authentication" in the admin console.
        publicClient: false,
        secret: clientSecret,
        attributes: { 'pkce.code.challenge.method': 'S256' },
      })
    },
    browser: person => keycloakBrowser(url, person),
  }
}

function keycloakBrowser(url: string, { username }: KeycloakPerson): KeycloakBrowser {
  const jar = new Map<string, string>()
  async function send(to: string | URL, fields?: Readonly<Record<string, string>>) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(to, {
      redirect: 'manual',
      headers: { cookie },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return { location: response.headers.get('location'), page: await response.text() }
  }

  /** Answers the pages of Keycloak until the browser leaves it. */
  async function leave(location: string): Promise<URL | Post> {
    let isEntered = false
    let shown = await send(location)
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const { location: to, page } = shown
      const response = fieldOf(page, 'SAMLResponse')
      if (to !== null) {
        if (!to.startsWith(`${url}/`)) return new URL(to)
        shown = await send(to)
      } else if (response !== undefined) return { path: new URL(actionOf(page)).pathname, response }
      else if (isEntered || !page.includes('name="password"'))
        throw new Error(`Keycloak shows: ${textOf(page).slice(0, 500)}`)
      else {
        isEntered = true
        browser.passwords++
        shown = await send(actionOf(page), { username, password: PASSWORD, credentialId: '' })
      }
    }
    throw new Error('Keycloak redirects in a circle')
  }

  const browser = {
    passwords: 0,
    async signIn(location: string) {
      const left = await leave(location)
      if (!(left instanceof URL)) throw new Error('Keycloak posts a response of SAML')
      return left
    },
    async answer(location: string) {
      const left = await leave(location)
      if (left instanceof URL) throw new Error(`Keycloak redirects to ${left.href}`)
      return left
    },
  }
  return browser
}

const unescaped = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'")
const actionOf = (page: string): string => unescaped(/<form[^>]* action="([^"]*)"/is.exec(page)?.[1] ?? '')
const fieldOf = (page: string, name: string): string | undefined =>
  new RegExp(`<input[^>]* name="${name}" value="([^"]*)"`, 'i').exec(page)?.[1]
const textOf = (page: string): string =>
  unescaped(page.replace(/<(script|style|head)\b.*?<\/\1>/gis, ' ').replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ')
