/** Sign-in with methods that redirect: the browser goes to the provider and returns to the callback. */

import {
  type Caller,
  common,
  type Deps,
  KIB,
  Problem,
  type RawRequest,
  type RawResponse,
  type RequestFacts,
  rawRoute,
  Type,
} from '@larder-dev/larder/kernel'
import { signInAddressLimit } from '../../domain/rate-limits.ts'
import { SWITCH_PATH, safeReturnPath } from '../../domain/return-path.ts'
import { failurePath, isFailure } from '../domain/sign-in-failures.ts'
import type { ProvedPerson } from '../providers/provider-accounts.ts'
import { secondFactorRedirect } from '../second-factor/domain/second-factor-redirect.ts'
import type { SignInServices } from '../services.ts'
import { type FinishedSignIn, isSignedInAsOther } from '../sign-in-completion.ts'
import type { HeldLogin, SignInFlow } from '../sign-in-flows.ts'
import { SSO } from '../sign-in-methods.ts'
import type { SignInAnswer } from '../sign-in-returns.ts'
import type { SsoPerson } from '../sso/sso-method.ts'
import { languageOf } from './signed-in.ts'

interface Input {
  readonly caller: Caller | undefined
  readonly request: RequestFacts
}
/** Where the browser goes after the callback, with the state that it keeps. */
interface Ending {
  readonly location: string
  readonly cookies?: readonly string[]
  readonly kept?: SignInFlow
  readonly isFailure?: true
}
const ACCOUNT = '/account/sign-in-methods'
/** Asks whether to add the person at the provider to the account. */
const CONNECT = '/sign-in/connect'
const MAX_FORM_BYTES = 16 * KIB
/** The parameters of the response of OpenID Connect. Apple's also contains the name of the person. */
const RESPONSE = ['code', 'state', 'iss', 'error', 'error_description']

export function signInRedirects(deps: Deps<'product'> & SignInServices) {
  const { signIn, signInCompletion, signInReturns, flows, providerAccounts, ssoAccounts, product, settings } = deps

  async function run(
    flow: SignInFlow,
    request: RawRequest,
    response: RawResponse,
    input: Input,
  ): Promise<SignInAnswer> {
    Object.assign(request, { session: flow.session, caller: input.caller })
    // A strategy that redirects ends the response itself.
    let flowCookies = () => [flows.write(flow)]
    beforeHead(response, () => response.appendHeader('set-cookie', flowCookies()))
    response.setHeader('cache-control', 'no-store')
    const ending = await complete(flow, request, response, input)
    flowCookies = () => []
    if (ending === 'redirected') return { location: String(response.getHeader('location')), cookies: [] }
    return answerOf(ending, ending.isFailure === true && belongsToAnother(request))
  }

  const answerOf = ({ location, cookies = [], kept }: Ending, leavesFlow = false): SignInAnswer => ({
    location,
    cookies: leavesFlow ? cookies : [...cookies, kept ? flows.write(kept) : flows.clear],
  })

  function send(response: RawResponse, { location, cookies }: SignInAnswer): void {
    if (response.headersSent) return
    response.setHeader('cache-control', 'no-store')
    response.setHeader('set-cookie', cookies)
    response.status(303).location(location).end()
  }

  async function complete(flow: SignInFlow, request: RawRequest, response: RawResponse, input: Input) {
    const { method, linkTo } = flow
    try {
      const returned = await signIn.withRedirect(method, request, response)
      if (returned === 'redirected') return returned
      if (returned === null) return failed(flow)
      if (linkTo !== undefined) return 'person' in returned ? await link(flow, returned.person, input) : failed(flow)
      if ('person' in returned) return await signInPerson(flow, returned.person, input)
      if ('sso' in returned) return await signInSso(flow, returned.sso, input)
      const { authenticatedAt, ...account } = returned.account
      const options = { ...ofBrowser(input), authenticatedAt }
      return await signedIn(flow, await signInCompletion.finish(account, input.request, options), input)
    } catch (error) {
      const { redirect, headers } = secondFactorRedirect(error, flow.next) ?? {}
      if (redirect !== undefined) return { location: redirect, cookies: Object.values(headers ?? {}) }
      if (!Problem.is(error) || !isFailure(error.code)) throw error
      return failed(flow, error.code)
    }
  }

  function failed({ method, next, linkTo }: SignInFlow, reason?: string): Ending {
    if (linkTo === undefined) return { location: failurePath(method, next, reason), isFailure: true }
    const query = new URLSearchParams({ failed: method, ...(reason !== undefined && { reason }) })
    return { location: `${ACCOUNT}?${query}`, isFailure: true }
  }

  const ofBrowser = ({ caller }: Input) => ({ token: false, caller, keepsOthers: true })
  /** `locale` is that of a new account. */
  function optionsFor(input: Input) {
    const { locale = null } = languageOf(input.request, product.locales.available)
    return { ...ofBrowser(input), locale }
  }

  /** Any site can send a person to a provider that knows them as somebody else: then the page asks first. */
  async function signedIn(
    { method, next }: SignInFlow,
    finished: FinishedSignIn,
    { caller }: Input,
    tenantId?: string,
  ): Promise<Ending> {
    const { loginId, cookie, userId, email } = finished
    if (isSignedInAsOther(caller, userId)) {
      const held: HeldLogin = { loginId, cookie, userId, email, ...(tenantId !== undefined && { tenantId }) }
      return { location: SWITCH_PATH, kept: { method, next, session: {}, held } }
    }
    const { redirect, headers } = await signInCompletion.leadOn(finished, next)
    return { location: redirect, cookies: headers['set-cookie'] }
  }

  async function signInPerson(flow: SignInFlow, person: ProvedPerson, input: Input): Promise<Ending> {
    const found = await providerAccounts.signIn(person, input.request, { ...optionsFor(input), next: flow.next })
    if (found) return signedIn(flow, found, input)
    return proveFirst(flow, person)
  }

  /** The person proves the account first. Signing in leads to the page that connects. */
  function proveFirst({ method, next }: SignInFlow, person: NonNullable<SignInFlow['person']>): Ending {
    const { email } = person
    const filled = method === SSO && email !== undefined && { email }
    const query = new URLSearchParams({ connect: method, next: CONNECT, ...filled })
    return { location: `/sign-in?${query}`, kept: { method, next, session: {}, person } }
  }

  async function signInSso(flow: SignInFlow, person: SsoPerson, input: Input): Promise<Ending> {
    const found = await ssoAccounts.signIn(person, input.request, optionsFor(input))
    if ('prove' in found) return proveFirst(flow, found.prove)
    return signedIn(flow, found, input, person.sso.tenantId)
  }

  /** Links only for the user who started this on their account, in the same browser. */
  async function link(flow: SignInFlow, person: ProvedPerson, { caller }: Input): Promise<Ending> {
    if (!caller || caller.userId !== flow.linkTo || caller.impersonatedBy !== undefined) return failed(flow)
    await providerAccounts.link(caller, person)
    return { location: `${ACCOUNT}?done=connected` }
  }

  /** Reads the state of this method only: that of another one isn't for its provider. */
  function started(request: RawRequest): SignInFlow | undefined {
    const flow = flows.read(request.headers)
    const isStarted = flow?.method === methodOf(request) && flow.person === undefined && flow.held === undefined
    return isStarted ? flow : undefined
  }

  /** Whether a tab of this browser has started another sign-in since, which can still be completed. */
  function belongsToAnother({ headers, query }: RawRequest): boolean {
    const latest = flows.read(headers)
    return textOf(query.state) !== undefined && latest !== undefined && !isAnswered(latest, query)
  }

  async function receive(request: RawRequest, response: RawResponse, input: Input): Promise<void> {
    const flow = started(request)
    const complete = () => run(flow ?? flowOf(request), request, response, input)
    if (!flow || !isAnswered(flow, request.query)) return send(response, await complete())
    send(response, (await signInReturns.once(flow, complete)) ?? answerOf(failed(flow)))
  }

  const shared = { allow: 'public', limits: [signInAddressLimit] } as const
  const replies = { 302: null, 303: null }
  return [
    rawRoute({
      ...shared,
      method: 'get',
      path: '/sign-in/:method',
      operationId: 'startSignIn',
      summary: 'Starts a sign-in in a browser at a provider.',
      docs: { query: Type.Object({ next: Type.Optional(Type.String()), link: Type.Optional(Type.String()) }), replies },
      async handle(request, response, input) {
        const flow = { ...flowOf(request), next: safeReturnPath(textOf(request.query.next)) }
        const linkTo = request.query.link === undefined ? undefined : started(request)?.linkTo
        const answer = await run({ ...flow, ...(linkTo !== undefined && { linkTo }) }, request, response, input)
        send(response, answer)
      },
    }),
    rawRoute({
      ...shared,
      method: 'get',
      path: '/sign-in/:method/callback',
      operationId: 'completeSignIn',
      summary: 'Completes a sign-in when the provider returns the browser.',
      docs: { replies, problems: [common.not_found] },
      async handle(request, response, input) {
        if (methodOf(request) === SSO) throw common.not_found({ what: 'sign-in method' })
        await receive(request, response, input)
      },
    }),
    ...(settings.enterprise
      ? [
          rawRoute({
            ...shared,
            method: 'get',
            path: '/sign-in/sso/:workspace/callback',
            operationId: 'completeSingleSignOn',
            summary: 'Completes a sign-in when the provider of a workspace returns the browser.',
            docs: { replies },
            handle: receive,
          }),
        ]
      : []),
    rawRoute({
      ...shared,
      method: 'post',
      path: '/sign-in/:method/callback',
      operationId: 'forwardSignIn',
      summary: 'Forwards the response of a provider that posts a form to the callback.',
      docs: { replies: { 303: null } },
      // A post from another site has no cookie. The browser sends it with the request that follows.
      async handle({ params }, response, { readBody }) {
        const name = String(params.method)
        if (!signIn.links().some(link => link.name === name)) throw common.not_found({ what: 'sign-in method' })
        const form = new URLSearchParams((await readBody(MAX_FORM_BYTES)).toString('utf8'))
        const query = new URLSearchParams([...form].filter(([field]) => RESPONSE.includes(field)))
        response.setHeader('cache-control', 'no-store')
        response.status(303).location(`/sign-in/${name}/callback?${query}`).end()
      },
    }),
  ]
}

/** The address of single sign-on names the workspace instead of the method. */
const methodOf = ({ params }: RawRequest): string => String(params.method ?? SSO)

const flowOf = (request: RawRequest): SignInFlow => ({
  method: methodOf(request),
  next: safeReturnPath(undefined),
  session: {},
})

/** Whether a response is the one to this sign-in. Each strategy keeps the state in its own way. */
const isAnswered = ({ session }: SignInFlow, { state }: RawRequest['query']): boolean =>
  typeof state === 'string' && holds(session, state)

const holds = (kept: unknown, text: string): boolean =>
  typeof kept === 'object' && kept !== null ? Object.values(kept).some(value => holds(value, text)) : kept === text

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function beforeHead(response: RawResponse, write: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => RawResponse
  response.writeHead = (...given: unknown[]) => {
    write()
    return writeHead(...given)
  }
}
