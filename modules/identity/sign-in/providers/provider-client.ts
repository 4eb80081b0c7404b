/** Clients of providers, by `openid-client`. */
import { importOptional } from '@larder-dev/larder/kernel/internal'
import type { ClientAuth, Configuration, CustomFetch, ServerMetadata } from 'openid-client'
import type { Provider } from '../../options.ts'

/** Seconds. */
const TIMEOUT = 10
const GITHUB = 'https://github.com'
/** The directory of personal accounts. */
export const MICROSOFT_PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad'
/** In discovery documents for several directories of Entra ID. */
const ANY_DIRECTORY = '{tenantid}'
const NOT_ONE_DIRECTORY =
  'this issuer signs in people of every directory of Microsoft; enter that of one directory, such as https://login.microsoftonline.com/<directory ID>/v2.0'
const APPLE = 'https://appleid.apple.com'
const APPLE_SECRET_LIFETIME = '5m'

// Loaded with the first sign-in at a provider.
export const openid = () => importOptional('openid-client', () => import('openid-client'))

export const usesOpenId = ({ kind }: Provider): boolean => kind !== 'github'

function issuerOf({ kind, issuer = '', tenant = 'common' }: Provider): URL {
  if (kind === 'google') return new URL('https://accounts.google.com')
  if (kind === 'microsoft') return new URL(`https://login.microsoftonline.com/${encodeURIComponent(tenant)}/v2.0`)
  return new URL(kind === 'apple' ? APPLE : issuer)
}

const githubUrl = ({ url = GITHUB }: Provider): URL => new URL(url)

/** The endpoint of users and of their email addresses. */
export function githubApi(provider: Provider, path: string): URL {
  const url = githubUrl(provider)
  return url.origin === GITHUB ? new URL(path, 'https://api.github.com') : new URL(`/api/v3${path}`, url)
}

function githubServer(provider: Provider): ServerMetadata {
  const { origin } = githubUrl(provider)
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/login/oauth/authorize`,
    token_endpoint: `${origin}/login/oauth/access_token`,
    code_challenge_methods_supported: ['S256'],
  }
}

/** GitHub reports errors of its token endpoint with status 200. */
const githubFetch =
  (send: CustomFetch): CustomFetch =>
  async (url, options) => {
    const response = await send(url, options)
    if (!response.ok || !new URL(url).pathname.endsWith('/access_token')) return response
    const { headers } = response
    const body = await response.text()
    const failed = headers.get('content-type')?.startsWith('application/json') && 'error' in JSON.parse(body)
    return new Response(body, { status: failed ? 400 : 200, headers })
  }

/** What a sign-in reads of the response to a code. */
const TOKEN_MEMBERS = ['access_token', 'token_type', 'id_token', 'error', 'error_description', 'error_uri']

/**
 * Leaves out what nothing reads of responses to a code, and members without a value of discovery documents: the library
 * refuses their type. Claims stay as they are.
 */
const withUsedMembers =
  (send: CustomFetch): CustomFetch =>
  async (url, options) => {
    const response = await send(url, options)
    const isJson = /^application\/([\w.-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')
    if (!response.ok || !isJson || !(options.method === 'POST' || url.includes('/.well-known/'))) return response
    const { status, headers } = response
    const text = await response.text()
    return new Response(usedMembers(text, options.method === 'POST'), { status, headers })
  }

function usedMembers(text: string, isTokenResponse: boolean): string {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return text
    return JSON.stringify(
      Object.fromEntries(
        Object.entries(body).filter(
          ([name, value]) => value !== null && value !== '' && (!isTokenResponse || TOKEN_MEMBERS.includes(name)),
        ),
      ),
    )
  } catch {
    // The library says what is wrong.
    return text
  }
}

/** Apple's secrets are signed by a key and expire. */
function appleAuth({ clientId, teamId = '', keyId = '', privateKey = '' }: Provider): ClientAuth {
  return async (_server, _client, body) => {
    const { importPKCS8, SignJWT } = await importOptional('jose', () => import('jose'))
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(APPLE)
      .setIssuedAt()
      .setExpirationTime(APPLE_SECRET_LIFETIME)
      .sign(await importPKCS8(privateKey, 'ES256'))
    body.set('client_id', clientId)
    body.set('client_secret', secret)
  }
}

/** In the body if the server accepts it, otherwise in the header, which is the default of the standard. */
async function secretAuth({ clientSecret = '' }: Provider): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost } = await openid()
  const [header, body] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)]
  return (server, ...rest) => {
    const accepted = server.token_endpoint_auth_methods_supported ?? []
    return (accepted.includes('client_secret_post') ? body : header)(server, ...rest)
  }
}

/**
 * Reads the provider's discovery document, except for GitHub, which has none. Rejects if the provider can't be reached.
 * @param rawSend `fetch` by default
 */
export async function connectProvider(
  provider: Provider,
  rawSend: CustomFetch = (url, options) => fetch(url, options as RequestInit),
): Promise<Configuration> {
  const send = withUsedMembers(rawSend)
  const client = await openid()
  const { clientId, clientSecret } = provider
  if (!usesOpenId(provider)) {
    const configuration = new client.Configuration(
      githubServer(provider),
      clientId,
      clientSecret,
      client.ClientSecretPost(clientSecret),
    )
    configuration.timeout = TIMEOUT
    configuration[client.customFetch] = githubFetch(send)
    // The check of the recipe allows http for servers on this machine only.
    if (githubUrl(provider).protocol === 'http:') client.allowInsecureRequests(configuration)
    return configuration
  }
  const issuer = issuerOf(provider)
  const auth = provider.kind === 'apple' ? appleAuth(provider) : await secretAuth(provider)
  const configuration = await client.discovery(issuer, clientId, clientSecret, auth, {
    timeout: TIMEOUT,
    [client.customFetch]: send,
    // Signatures count, too, although the token comes from the provider itself.
    execute: [
      client.enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  })
  const { issuer: found } = configuration.serverMetadata()
  // Administrators of any directory can give people any address, which only the method `microsoft` expects.
  if (provider.kind === 'issuer' && [ANY_DIRECTORY, MICROSOFT_PERSONAL].some(part => found.includes(part)))
    throw new Error(NOT_ONE_DIRECTORY)
  return configuration
}
