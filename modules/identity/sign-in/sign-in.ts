/** Signs users in with a registered method. All methods end in the same login. */
import { common, type Deps, type RawRequest, type RawResponse, type RequestFacts } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { proofAt } from '../domain/recent-proof.ts'
import type { IdentitySettings } from '../options.ts'
import type { ProviderUser, SignInRequest, VerifiedUser } from '../ports.ts'
import { accountProblems } from '../users/problems.ts'
import { accountTable, type StoredAccount } from '../users/records/account.ts'
import type { EmailProof } from './codes/email-code-method.ts'
import type { ProvedAddress } from './codes/email-codes.ts'
import { codeProblems } from './codes/problems.ts'
import type { ProvedIdentity } from './identities.ts'
import type { SignedIn } from './logins.ts'
import { passkeyProblems } from './passkeys/problems.ts'
import type { AuthenticationBody } from './passkeys/records.ts'
import type { SignInChallenges } from './password/challenges.ts'
import { signInProblems } from './problems.ts'
import { isTrue, providedEmail, providedLabel, providedName } from './providers/domain/provided.ts'
import { assertSubject } from './providers/domain/subjects.ts'
import type { ProvedPerson, ProviderAccounts } from './providers/provider-accounts.ts'
import type { SignInMethodInfo } from './records/sign-in.ts'
import { BUILT_IN, EMAIL_CODE, PASSKEY, PASSWORD, type SignInMethods, SSO } from './sign-in-methods.ts'
import type { SsoPerson } from './sso/sso-method.ts'

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
  withEmail(proof: EmailProof): Promise<ProvedAddress>
  /** Throws `invalid_passkey`. */
  withPasskey(body: AuthenticationBody): Promise<SignedIn>
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

type Needs = Deps<'systemDatabase' | 'clock'> & {
  readonly signInMethods: SignInMethods
  readonly providerAccounts: ProviderAccounts
  readonly challenges: SignInChallenges
  readonly settings: Pick<IdentitySettings, 'enterprise'>
}

export function createSignIn({
  systemDatabase,
  clock,
  signInMethods: methods,
  providerAccounts,
  challenges,
  settings,
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

  function known<Method>(method: Method | undefined): Method {
    if (!method) throw common.not_found({ what: 'sign-in method' })
    return method
  }
  const verify = (name: string, request: Pick<SignInRequest, 'body'>) =>
    methods.verify(known(methods.findVerifying(name)), request)

  return {
    links: () =>
      methods
        .list()
        .filter(({ name, flow }) => flow === 'redirect' && name !== SSO)
        .map(({ name, label }) => ({ name, label })),
    methods: () => methods.list().map(({ name, label, flow }) => ({ name, label, flow })),
    async withPassword(request, body) {
      const method = known(methods.findVerifying(PASSWORD))
      const attempt = await challenges.start(request, body.email, body.challenge)
      // The strategy reads the body only.
      const verified = await methods.verify(method, { body })
      if (!verified) {
        const challenge = await attempt.next()
        throw signInProblems.invalid_credentials({}, challenge ? { challenge } : {})
      }
      await attempt.succeeded()
      return verified as SignedIn
    },
    async withEmail(proof) {
      const verified = await verify(EMAIL_CODE, { body: proof })
      if (!verified) throw 'token' in proof ? accountProblems.link_expired() : codeProblems.invalid_code()
      return verified as ProvedAddress
    },
    async withPasskey(body) {
      const verified = await verify(PASSKEY, { body })
      if (!verified) throw passkeyProblems.invalid_passkey()
      return verified as SignedIn
    },
    async withCredentials(name, request, body) {
      if (BUILT_IN.has(name)) throw common.not_found({ what: 'sign-in method' })
      const verified = await verify(name, received(request, body))
      const account = verified && (await findAccount(name, verified as VerifiedUser))
      if (!account) throw signInProblems.invalid_credentials()
      return account
    },
    async withRedirect(name, request, response) {
      const verified = await methods.authenticate(known(methods.findRedirecting(name)), request, response)
      if (verified === null || verified === 'redirected') return verified
      if (name === SSO && settings.enterprise) return { sso: verified as SsoPerson }
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

/** The received request, with what Express adds to it and the body that was read and validated. */
function received({ req, ip, path, id }: RequestFacts, body: unknown): SignInRequest {
  const query = Object.fromEntries(new URLSearchParams(new URL(req.url ?? '/', 'http://localhost').search))
  const added = { originalUrl: req.url, body, query, ip, path, id }
  return Object.create(req, Object.getOwnPropertyDescriptors(added)) as SignInRequest
}
