/** The registry of sign-in methods: strategies of Passport, and methods that verify a body themselves. */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type Deps, once, Problem, together } from '@larder-dev/larder/kernel'
import type { SignInMethod, SignInRequest, StrategyMethod } from '../ports.ts'

/** Email and password. */
export const PASSWORD = 'password'
/** A code or a link from a mail. */
export const EMAIL_CODE = 'email-code'
export const PASSKEY = 'passkey'
/** The provider of a workspace. */
export const SSO = 'sso'
/** Methods that have their own routes, which validate the input. */
export const BUILT_IN: ReadonlySet<string> = new Set([PASSWORD, EMAIL_CODE, PASSKEY, SSO])
const NAME = /^[a-z][a-z0-9-]{0,39}$/

const SIGN_IN_RESULTS = ['accepted', 'refused', 'failed'] as const
type SignInResult = (typeof SIGN_IN_RESULTS)[number]

export interface SignInMethods {
  /** Email and password first. Throws an Error if two methods have the same name, or a name is invalid. */
  list(): readonly SignInMethod[]
  findVerifying(name: string): SignInMethod | undefined
  findRedirecting(name: string): StrategyMethod | undefined
  /**
   * Checks credentials. Returns what the method verified, or null if it refused. Errors of the method are thrown.
   * @param request what the strategy of a method reads, with the body
   */
  verify(method: SignInMethod, request: Pick<SignInRequest, 'body'>): Promise<object | null>
  /**
   * Runs the strategy of a method that redirects. Returns what it verified, null if it refused, and `redirected` once it has
   * sent the response. Errors of the strategy are thrown.
   */
  authenticate(
    method: StrategyMethod,
    request: SignInRequest,
    response: ServerResponse,
  ): Promise<object | null | 'redirected'>
  /** How often each method of this process had a result. `failed`: the method or its provider doesn't work. */
  counts(): readonly { readonly method: string; readonly result: SignInResult; readonly value: number }[]
}

// Loaded with the first sign-in: a worker never needs Passport.
const createPassport = async () => new (await import('passport')).default.Passport()
type Passport = Awaited<ReturnType<typeof createPassport>>

export function createSignInMethods({ registry }: Deps<'registry'>): SignInMethods {
  const list = once(() => {
    const registered = registry.collect<readonly SignInMethod[]>('signInMethods').flatMap(({ value }) => value)
    const methods = [
      ...registered.filter(({ name }) => name === PASSWORD),
      ...registered.filter(({ name }) => name !== PASSWORD),
    ]
    for (const [at, { name }] of methods.entries()) {
      if (!NAME.test(name)) throw new Error(`the sign-in method '${name}' needs a name that matches ${NAME.source}`)
      if (methods.findIndex(other => other.name === name) !== at)
        throw new Error(`two modules register the sign-in method '${name}'`)
    }
    return methods
  })

  const passport = once(createPassport)
  const strategies = new Map<string, Promise<Passport>>()
  const withStrategy = (method: StrategyMethod): Promise<Passport> => {
    const known = strategies.get(method.name)
    if (known) return known
    const added = addStrategy(method)
    strategies.set(method.name, added)
    // A strategy that could not be created, for example because a provider was unreachable, is created again.
    added.catch(() => strategies.delete(method.name))
    return added
  }
  async function addStrategy({ name, strategy }: StrategyMethod): Promise<Passport> {
    const { authenticator, created } = await together({ authenticator: passport(), created: strategy() })
    authenticator.use(name, created)
    return authenticator
  }

  const run: SignInMethods['authenticate'] = async (method, request, response) => {
    const authenticator = await withStrategy(method)
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, user: object | false | null | undefined) =>
        error ? reject(error) : resolve(user || null)
      response.once('finish', () => resolve('redirected'))
      authenticator.authenticate(method.name, { session: false }, settle)(request, response, (error: unknown) =>
        settle(error, null),
      )
    })
  }

  const counts = new Map<string, number>()
  function count({ name }: SignInMethod, result: SignInResult): void {
    const key = `${name} ${result}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  /** Counts the result of a sign-in. */
  async function counted<Result>(method: SignInMethod, run: () => Promise<Result>): Promise<Result> {
    try {
      const verified = await run()
      if (verified !== 'redirected') count(method, verified ? 'accepted' : 'refused')
      return verified
    } catch (error) {
      count(method, Problem.is(error) && error.status < 500 ? 'refused' : 'failed')
      throw error
    }
  }

  async function verifyByStrategy(method: StrategyMethod, request: SignInRequest): Promise<object | null> {
    const verified = await run(method, request, createUnsentResponse())
    if (verified === 'redirected')
      throw new Error(`the sign-in method '${method.name}' redirects, so its flow must be 'redirect'`)
    return verified
  }

  return {
    list,
    findVerifying: name => list().find(method => method.name === name && method.flow === 'credentials'),
    findRedirecting: name =>
      list().find((method): method is StrategyMethod => method.name === name && method.flow === 'redirect'),
    verify: (method, request) =>
      counted(method, () =>
        'verify' in method ? method.verify(request.body) : verifyByStrategy(method, request as SignInRequest),
      ),
    authenticate: (method, request, response) => counted(method, () => run(method, request, response)),
    counts: () =>
      list().flatMap(({ name: method }) =>
        SIGN_IN_RESULTS.map(result => ({ method, result, value: counts.get(`${method} ${result}`) ?? 0 })),
      ),
  }
}

/** Passport writes to it if a strategy that only verifies redirects. The route sends the response. */
function createUnsentResponse(): ServerResponse {
  const response = new EventEmitter()
  const sink = { statusCode: 200, setHeader: () => response, end: () => response.emit('finish') }
  return Object.assign(response, sink) as unknown as ServerResponse
}
