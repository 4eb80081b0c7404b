/** Reads who signed in at a provider. */
import type { Configuration, IDToken, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import { authTimeOf } from '../../domain/recent-proof.ts'
import type { Provider } from '../../options.ts'
import type { ProviderUser, VerifiedUser } from '../../ports.ts'
import { isTrue } from './domain/provided.ts'
import { githubApi, MICROSOFT_PERSONAL, openid, usesOpenId } from './provider-client.ts'

export type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers
type Claims = Readonly<Record<string, unknown>>
type VerifiedPerson = ProviderUser & Pick<VerifiedUser, 'authenticatedAt'>

/** Rejects if the provider fails, or if its responses contradict each other. */
export const readPerson = (
  provider: Provider,
  configuration: Configuration,
  tokens: Tokens,
): Promise<VerifiedPerson> =>
  usesOpenId(provider) ? readOpenId(provider, configuration, tokens) : readGithub(provider, configuration, tokens)

/** Claims of the ID token, and of the endpoint for users if the token lacks one of the names. */
export async function readClaims(
  configuration: Configuration,
  tokens: Tokens,
  names: readonly string[],
): Promise<IDToken> {
  const token = tokens.claims()
  if (!token) throw new Error('the provider returned no ID token')
  const isComplete = names.every(name => token[name] !== undefined)
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return token
  // Rejects claims about another subject.
  const more = await (await openid()).fetchUserInfo(configuration, tokens.access_token, token.sub)
  // Only the signed token says when the person proved who they are.
  return { ...more, auth_time: undefined, ...token } as IDToken
}

async function readOpenId(provider: Provider, configuration: Configuration, tokens: Tokens): Promise<VerifiedPerson> {
  const claims = await readClaims(configuration, tokens, ['email'])
  const email = textOf(claims.email)
  const name = textOf(claims.name)
  return {
    provider: claims.iss,
    subject: claims.sub,
    email,
    emailVerified: email !== null && isVerified(provider, claims),
    authenticatedAt: authTimeOf(claims),
    ...(name !== null && { name }),
  }
}

/** Microsoft verifies personal addresses. Administrators of a directory can write any, unless its domain is theirs (`xms_edov`). */
function isVerified({ kind }: Provider, claims: Claims): boolean {
  if (kind === 'microsoft') return claims.tid === MICROSOFT_PERSONAL || isTrue(claims.xms_edov)
  return isTrue(claims.email_verified)
}

async function readGithub(provider: Provider, configuration: Configuration, tokens: Tokens): Promise<ProviderUser> {
  const { fetchProtectedResource } = await openid()
  const get = async (path: string): Promise<unknown> => {
    const url = githubApi(provider, path)
    const headers = new Headers({ accept: 'application/vnd.github+json' })
    const response = await fetchProtectedResource(configuration, tokens.access_token, url, 'GET', undefined, headers)
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    return response.json()
  }
  const user = (await get('/user')) as Claims
  if (!Number.isSafeInteger(user.id)) throw new Error('the user of the GitHub API has no ID')
  const addresses = (await get('/user/emails')) as readonly Claims[]
  const primary = addresses.find(address => address.primary === true)
  const name = textOf(user.name)
  return {
    provider: configuration.serverMetadata().issuer,
    subject: String(user.id),
    email: textOf(primary?.email),
    emailVerified: primary?.verified === true,
    ...(name !== null && { name }),
  }
}

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
