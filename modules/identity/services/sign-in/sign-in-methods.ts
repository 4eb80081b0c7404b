/** The registry of sign-in methods. Each is a Passport strategy under its name. */
import type { ServerResponse } from 'node:http'
import { type Deps, once, Problem, together } from '@larder-dev/larder/kernel'
import type { SignInMethod, SignInRequest } from '../../ports.ts'

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
  find(name: string, flow: SignInMethod['flow']): SignInMethod | undefined
  /**
   * Runs the strategy. Returns what it verified, null if it refused, and `redirected` once it has sent the response.
   * Errors of the strategy are thrown.
   */
  authenticate(
    method: SignInMethod,
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
  const withStrategy = (method: SignInMethod): Promise<Passport> => {
    const known = strategies.get(method.name)
    if (known) return known
    const added = addStrategy(method)
    strategies.set(method.name, added)
    // A strategy that could not be created, for example because a provider was unreachable, is created again.
    added.catch(() => strategies.delete(method.name))
    return added
  }
  async function addStrategy({ name, strategy }: SignInMethod): Promise<Passport> {
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

  return {
    list,
    find: (name, flow) => list().find(method => method.name === name && method.flow === flow),
    async authenticate(method, request, response) {
      try {
        const verified = await run(method, request, response)
        if (verified !== 'redirected') count(method, verified ? 'accepted' : 'refused')
        return verified
      } catch (error) {
        count(method, Problem.is(error) && error.status < 500 ? 'refused' : 'failed')
        throw error
      }
    },
    counts: () =>
      list().flatMap(({ name: method }) =>
        SIGN_IN_RESULTS.map(result => ({ method, result, value: counts.get(`${method} ${result}`) ?? 0 })),
      ),
  }
}
