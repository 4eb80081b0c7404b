/** Sign-in at providers: the strategy of `openid-client` with PKCE, state, nonce and the issuer's check. */
import type { Deps, RawRequest } from '@larder-dev/larder/kernel'
import { importOptional } from '@larder-dev/larder/kernel/internal'
import type { Request } from 'express'
import type { Configuration } from 'openid-client'
import type { AuthenticateOptions } from 'openid-client/passport'
import type { StrategyCreatedStatic } from 'passport'
import type { IdentitySettings, Provider } from '../../options.ts'
import type { SignInMethod, SignInRequest, SignInStrategy } from '../../ports.ts'
import { connectProvider, openid, usesOpenId } from './provider-client.ts'
import { describeFailure, isRefusal, unavailable } from './provider-failures.ts'
import { readPerson, type Tokens } from './provider-people.ts'

type Needs = Deps<'product' | 'log'> & { readonly settings: IdentitySettings }

interface StrategyOptions extends Deps<'log'> {
  readonly publicUrl: string
  /** Where the provider returns the browser to: `/sign-in/<name>/callback` by default. */
  readonly callbackPath?: string
  /** `openid email profile` by default. */
  readonly scope?: string
  /** What the strategy verifies: a `ProviderUser` by default. */
  readonly read?: (tokens: Tokens) => Promise<object>
  /** Receives errors and refusals instead of the request. */
  readonly onFailure?: (error: Error) => void
}

export const createProviderMethods = (deps: Needs): readonly SignInMethod[] =>
  deps.settings.providers.map(provider => ({
    name: provider.name,
    label: provider.label,
    flow: 'redirect',
    strategy: () => createConnectingStrategy(provider, deps),
  }))

/** Connects for each request: a provider replaces its keys and endpoints at any time. */
async function createConnectingStrategy(provider: Provider, { product, log }: Needs): Promise<SignInStrategy> {
  const { Strategy } = (await import('passport')).default
  const connect = async () =>
    createStrategy(provider, await connectProvider(provider), { publicUrl: product.publicUrl, log })

  return new (class extends Strategy {
    override authenticate(request: RawRequest): void {
      connect().then(
        strategy => handOver(strategy, endingsOf(this), request),
        error => this.error(unavailable(log, { method: provider.name }, provider.label, error)),
      )
    }
  })() as SignInStrategy
}

type Endings = Pick<StrategyCreatedStatic, 'redirect' | 'success' | 'fail' | 'error'>

/** What Passport gives to the strategy of a request. */
export const endingsOf = (strategy: Endings): Endings => ({
  redirect: strategy.redirect.bind(strategy),
  success: strategy.success.bind(strategy),
  fail: strategy.fail.bind(strategy),
  error: strategy.error.bind(strategy),
})

/** Lets another strategy end the request. */
export function handOver(
  strategy: SignInStrategy,
  endings: Endings,
  request: SignInRequest,
  options: object = {},
): void {
  Object.assign(Object.create(strategy), endings).authenticate(request, options)
}

/** Names and addresses of people, and nothing else. Apple returns them by a form post only. */
function parametersFor(provider: Provider): Readonly<Record<string, string>> {
  if (provider.kind === 'github') return { scope: 'read:user user:email' }
  if (provider.kind === 'apple') return { scope: 'openid name email', response_mode: 'form_post' }
  return { scope: 'openid email profile' }
}

type WithSession = Request & { readonly session: Record<string, { max_age?: number } | undefined> }
/** Whether the person signs in to prove again who they are. */
export const isAgain = ({ query }: RawRequest): boolean => query.again !== undefined

export async function createStrategy(
  provider: Provider,
  configuration: Configuration,
  { publicUrl, callbackPath, log, scope, read, onFailure }: StrategyOptions,
): Promise<SignInStrategy> {
  const { name, label } = provider
  const { Strategy } = await importOptional('openid-client', () => import('openid-client/passport'))
  const { randomNonce, randomState } = await openid()
  const callbackURL = new URL(callbackPath ?? `/sign-in/${name}/callback`, publicUrl)

  const sessionKey = new URL(configuration.serverMetadata().issuer).host

  class ProviderStrategy extends Strategy {
    override authorizationRequestParams<O extends AuthenticateOptions>(request: Request, options: O): URLSearchParams {
      const parameters = new URLSearchParams({ ...parametersFor(provider), state: randomState() })
      // Asks for a new proof, and for its time. A provider that ignores it still signs in.
      if (isAgain(request)) parameters.set('max_age', '0')
      if (scope !== undefined) parameters.set('scope', scope)
      if (options.loginHint !== undefined) parameters.set('login_hint', options.loginHint)
      if (usesOpenId(provider)) parameters.set('nonce', randomNonce())
      return parameters
    }
    override currentUrl({ originalUrl }: Request): URL {
      return new URL(originalUrl, publicUrl)
    }
    override shouldInitiateAuthRequest(_request: Request, { pathname }: URL): boolean {
      return pathname !== callbackURL.pathname
    }
    override authenticate<O extends AuthenticateOptions>(
      this: ThisParameterType<InstanceType<typeof Strategy>['authenticate']>,
      request: Request,
      options: O,
    ): void {
      // The library would refuse a sign-in without a new proof, which is a sign-in, but no recent proof.
      delete (request as WithSession).session[sessionKey]?.max_age
      const report = this.error.bind(this)
      // Passport creates an object for each request. Errors of the library contain tokens, so they aren't logged as such.
      this.error = (error: Error) => {
        if (onFailure) onFailure(error)
        else if (isRefusal(error)) {
          log.warn({ method: name, reason: describeFailure(error) }, 'a response of a sign-in provider was refused')
          this.fail('refused')
        } else report(unavailable(log, { method: name }, label, error))
      }
      super.authenticate(request, options)
    }
  }
  return new ProviderStrategy(
    { name, sessionKey, config: configuration, callbackURL: callbackURL.href },
    (tokens, verified) => {
      const person = read ? read(tokens) : readPerson(provider, configuration, tokens)
      person.then(
        found => verified(null, found),
        (error: Error) => verified(error),
      )
    },
  ) as unknown as SignInStrategy
}
