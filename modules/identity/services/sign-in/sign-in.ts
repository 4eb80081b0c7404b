/** Signs users in with a registered method. All methods end in the same login. */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { common, type Deps, type RawRequest, type RawResponse, type RequestFacts } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { isTrue, providedEmail, providedLabel, providedName } from '../../domain/provided.ts'
import { proofAt } from '../../domain/recent-proof.ts'
import { assertSubject } from '../../domain/subjects.ts'
import type { ProviderUser, SignInMethod, SignInRequest, VerifiedUser } from '../../ports.ts'
import { problems } from '../../problems.ts'
import { accountTable, type StoredAccount } from '../../records/account.ts'
import type { AuthenticationBody } from '../../records/passkey.ts'
import type { SignInMethodInfo } from '../../records/sign-in.ts'
import type { ProvedPerson, ProviderAccounts } from '../providers/provider-accounts.ts'
import type { SsoPerson } from '../sso/sso-method.ts'
import type { SignInChallenges } from './challenges.ts'
import type { EmailProof } from './email-code-method.ts'
import type { ProvedAddress } from './email-codes.ts'
import type { ProvedIdentity } from './identities.ts'
import type { VerifiedCredential } from './logins.ts'
import { BUILT_IN, EMAIL_CODE, PASSKEY, PASSWORD, type SignInMethods, SSO } from './sign-in-methods.ts'

export interface SignInLink {
  readonly name: string
  readonly label: string
}
export interface PasswordBody {
  readonly email: string
  readonly password: string
  /** The solution of a challenge. */
  readonly challenge?: string
}
export interface SignIn {
  /** Methods that start at `/sign-in/<name>`, without single sign-on, which needs an address first. */
  links(): readonly SignInLink[]
  /** All methods that are on. */
  methods(): readonly SignInMethodInfo[]
  /** Throws `invalid_credentials` or `challenge_required`. */
  withPassword(request: RequestFacts, body: PasswordBody): Promise<SignedIn>
  /** Throws `invalid_code`, or for a link `link_expired`. */
  withEmail(request: RequestFacts, proof: EmailProof): Promise<ProvedAddress>
  /** Throws `invalid_passkey`. */
  withPasskey(request: RequestFacts, body: AuthenticationBody): Promise<SignedIn>
  /** Throws `invalid_credentials`, and `not_found` if there is no such method with credentials. */
  withCredentials(method: string, request: RequestFacts, body: unknown): Promise<SignedIn>
  /**
   * Returns null if the method refused, and `redirected` once it has sent the response. Throws `not_found`, and problems
   * of the method.
   */
  withRedirect(method: string, request: RawRequest, response: RawResponse): Promise<Returned | null | 'redirected'>
}
/** Who returned to the callback: `person` is at a provider and may have no account, `sso` at the provider of a workspace. */
export type Returned =
  | { readonly account: SignedIn & { readonly authenticatedAt: string } }
  | { readonly person: ProvedPerson }
  | { readonly sso: SsoPerson }
export interface SignedIn extends VerifiedCredential {
  readonly email: string
}

type Needs = Deps<'systemDatabase' | 'clock'> & {
  readonly signInMethods: SignInMethods
  readonly providerAccounts: ProviderAccounts
  readonly challenges: SignInChallenges
}

export function createSignIn({
  systemDatabase,
  clock,
  signInMethods: methods,
  providerAccounts,
  challenges,
}: Needs): SignIn {
  /** Returns null unless the user has an account that this method may open. */
  async function findAccount(method: string, verified: VerifiedUser): Promise<SignedIn | null> {
    const unit = systemDatabase.acrossTenants('a sign-in method verified a user')
    if ('subject' in verified) return providerAccounts.find(toIdentity(method, verified))
    const byId = 'userId' in verified
    const email = byId || !isTrue(verified.emailVerified) ? undefined : providedEmail(verified.email)
    if (!byId && email === undefined) return null
    const account = await accountTable.find(unit, byId ? { id: verified.userId } : { emailKey: emailKey(email ?? '') })
    if (!account || (!byId && account.emailVerifiedAt === null)) return null
    return toSignedIn(account)
  }

  async function verify(method: SignInMethod, facts: RequestFacts, body: unknown): Promise<object | null> {
    const verified = await methods.authenticate(method, requestWithBody(facts, body), createUnsentResponse())
    if (verified === 'redirected')
      throw new Error(`the sign-in method '${method.name}' redirects, so its flow must be 'redirect'`)
    return verified
  }

  function find(name: string, flow: SignInMethod['flow']): SignInMethod {
    const method = methods.find(name, flow)
    if (!method) throw common.not_found({ what: 'sign-in method' })
    return method
  }

  return {
    links: () =>
      methods
        .list()
        .filter(({ name, flow }) => flow === 'redirect' && name !== SSO)
        .map(({ name, label }) => ({ name, label })),
    methods: () => methods.list().map(({ name, label, flow }) => ({ name, label, flow })),
    async withPassword(request, body) {
      const method = find(PASSWORD, 'credentials')
      const attempt = await challenges.start(request, body.email, body.challenge)
      const verified = await verify(method, request, body)
      if (!verified) {
        const challenge = await attempt.next()
        throw problems.invalid_credentials({}, challenge ? { challenge } : {})
      }
      await attempt.succeeded()
      return verified as SignedIn
    },
    async withEmail(request, proof) {
      const verified = await verify(find(EMAIL_CODE, 'credentials'), request, proof)
      if (!verified) throw 'token' in proof ? problems.link_expired() : problems.invalid_code()
      return verified as ProvedAddress
    },
    async withPasskey(request, body) {
      const verified = await verify(find(PASSKEY, 'credentials'), request, body)
      if (!verified) throw problems.invalid_passkey()
      return verified as SignedIn
    },
    async withCredentials(name, request, body) {
      if (BUILT_IN.has(name)) throw common.not_found({ what: 'sign-in method' })
      const verified = await verify(find(name, 'credentials'), request, body)
      const account = verified && (await findAccount(name, verified as VerifiedUser))
      if (!account) throw problems.invalid_credentials()
      return account
    },
    async withRedirect(name, request, response) {
      const verified = await methods.authenticate(find(name, 'redirect'), request, response)
      if (verified === null || verified === 'redirected') return verified
      if ('sso' in verified) return { sso: verified as SsoPerson }
      const user = verified as VerifiedUser
      const authenticatedAt = proofAt(user.authenticatedAt, clock.now())
      if ('subject' in user)
        return { person: { ...toIdentity(name, user), name: providedName(user.name) ?? null, authenticatedAt } }
      const account = await findAccount(name, user)
      return account && { account: { ...account, authenticatedAt } }
    },
  }
}

const toSignedIn = ({ id, email, passwordVersion }: StoredAccount): SignedIn => ({ userId: id, email, passwordVersion })

/** Throws `invalid_subject` and `subject_too_long`. */
function toIdentity(method: string, user: ProviderUser): ProvedIdentity {
  const { provider = method, subject, label, emailVerified } = user
  assertSubject(subject)
  // A strategy can be written in JavaScript: a text such as `false` would be true.
  const email = isTrue(emailVerified) ? providedEmail(user.email) : undefined
  return { method, provider, subject, label: providedLabel(label), email }
}

/** What strategies read of a request, with the body that was read and validated. */
function requestWithBody({ req, ip, path, id }: RequestFacts, body: unknown): SignInRequest {
  const { method, url, headers, socket } = req
  const query = Object.fromEntries(new URLSearchParams(new URL(url ?? '/', 'http://localhost').search))
  return { method, url, originalUrl: url, headers, socket, body, query, ip, path, id } as unknown as SignInRequest
}

/** A response for strategies that only verify. The response is sent by the route. */
function createUnsentResponse(): ServerResponse {
  const response = new EventEmitter()
  const sink = { statusCode: 200, setHeader: () => response, end: () => response.emit('finish') }
  return Object.assign(response, sink) as unknown as ServerResponse
}
