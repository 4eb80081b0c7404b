/** Sign-in with methods that redirect: the browser goes to the provider and returns to the callback. */

import { type Caller, type RequestFacts, rawRoute, Type } from '@larder-dev/larder/kernel'
import type { Request, Response } from 'express'
import { signInAddressLimit } from '../domain/rate-limits.ts'
import { safeReturnPath } from '../domain/return-path.ts'
import type { SignInFlow } from '../services/sign-in/sign-in-flows.ts'
import type { IdentityServices } from '../services.ts'
import { loginOfCookie } from './signed-in.ts'

interface Input {
  readonly caller: Caller | undefined
  readonly request: RequestFacts
}

export function signInRedirects({ devices, logins, signIn, cookies, flows }: IdentityServices) {
  async function run(flow: SignInFlow, request: Request, response: Response, input: Input): Promise<void> {
    const { method, next, session } = flow
    Object.assign(request, { session })
    let isOver = false
    // A strategy that redirects ends the response itself.
    beforeHead(response, () => response.appendHeader('set-cookie', isOver ? flows.clear : flows.write(flow)))
    response.setHeader('cache-control', 'no-store')
    const signedIn = await signIn.withRedirect(method, request, response)
    if (signedIn === 'redirected') return
    isOver = true
    if (!signedIn) return response.redirect(303, `/sign-in?failed=${method}&next=${encodeURIComponent(next)}`)
    const { caller, request: facts } = input
    const { cookie } = await logins.start(signedIn, facts, {
      token: false,
      previousLoginId: loginOfCookie(caller),
    })
    const headers = cookies.signedIn(cookie, devices.remember(facts.headers, signedIn.email))
    response.setHeader('set-cookie', headers['set-cookie'] ?? [])
    response.redirect(303, next)
  }

  const common = { method: 'get', allow: 'public', limits: [signInAddressLimit] } as const
  const replies = { 302: null, 303: null }
  return [
    rawRoute({
      ...common,
      path: '/sign-in/:method',
      operationId: 'startSignIn',
      summary: 'Starts a sign-in in a browser with a method that a module registered.',
      docs: { query: Type.Object({ next: Type.Optional(Type.String()) }), replies },
      handle: (request, response, input) =>
        run({ ...flowOf(request), next: safeReturnPath(textOf(request.query.next)) }, request, response, input),
    }),
    rawRoute({
      ...common,
      path: '/sign-in/:method/callback',
      operationId: 'completeSignIn',
      summary: 'Completes a sign-in when the provider returns the browser.',
      docs: { replies },
      handle: (request, response, input) => {
        const started = flowOf(request)
        return run(flows.read(request.headers, started.method) ?? started, request, response, input)
      },
    }),
  ]
}

const flowOf = ({ params }: Request): SignInFlow => ({
  method: String(params.method),
  next: safeReturnPath(undefined),
  session: {},
})

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function beforeHead(response: Response, write: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => Response
  response.writeHead = (...given: unknown[]) => {
    write()
    return writeHead(...given)
  }
}
