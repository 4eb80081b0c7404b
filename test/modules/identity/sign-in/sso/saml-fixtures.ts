/** Workspaces with single sign-on by SAML at a test identity provider. */
import type { Person, TestKernel } from '../../../../../testing/index.ts'
import type { TestClock } from '../../../../fixtures/clock.ts'
import { type ProviderBrowser, providerBrowser } from '../providers/browser.ts'
import {
  browserOf,
  CONNECTION,
  type SsoStage,
  type SsoWorkspace,
  setUpWorkspace,
  startSso,
  type WorkspaceOptions,
} from './fixtures.ts'
import { type Answer, type IdentityProvider, type Post, startIdentityProvider } from './identity-provider.ts'

export const SAML = `${CONNECTION}/saml`

export interface SamlStage extends Omit<SsoStage, 'workspace' | 'signIn'> {
  readonly provider: IdentityProvider
  /** A verified domain, and a provider that is tested and on. */
  workspace(options?: WorkspaceOptions): Promise<SsoWorkspace>
  /** Starts a sign-in. Returns the request: the address of the provider. */
  start(email: string, browser?: ProviderBrowser): Promise<string>
  /** Posts a response from the provider's site, as a browser without a cookie. Returns where the product leads. */
  post(post: Post): Promise<string>
  /** Signs in somebody with this address. Returns where the product leads. */
  signIn(email: string, answer?: Answer, browser?: ProviderBrowser): Promise<string>
  /** Runs a test of the settings. */
  runTest(owner: Person, answer?: Answer): Promise<string>
}

/** Posts a response from another site, as a browser without a cookie. Returns where the product leads. */
export async function postResponse(kernel: TestKernel, site: string, { path, response }: Post): Promise<string> {
  const headers = { 'sec-fetch-site': 'cross-site', origin: new URL(site).origin }
  const body = new URLSearchParams({ SAMLResponse: response })
  const reply = await fetch(new URL(path, kernel.url), { method: 'POST', redirect: 'manual', headers, body })
  return reply.headers.get('location') ?? `${reply.status} ${await reply.text()}`
}

export async function startSaml(clock: TestClock, more: Parameters<typeof startSso>[1] = {}): Promise<SamlStage> {
  const stage = await startSso(clock, more)
  const { kernel } = stage
  const provider = await startIdentityProvider()

  const withAddress = (email: string, answer: Answer): Answer => ({
    nameId: `id-of-${email}`,
    ...answer,
    attributes: { email: [email], displayName: ['Ada'], ...answer.attributes },
  })
  const post = (response: Post) => postResponse(kernel, provider.entityId, response)
  async function start(email: string, browser = providerBrowser(kernel)): Promise<string> {
    return (await browser.open(`/sign-in/sso?${new URLSearchParams({ email })}`)).location
  }
  async function runTest(owner: Person, answer: Answer = {}): Promise<string> {
    const { body } = await owner.post(`${CONNECTION}/test`)
    const { pathname, search } = new URL(body.url)
    const browser = browserOf(kernel, owner)
    const { location } = await browser.open(pathname + search)
    if (location.startsWith('/')) return location
    return (await browser.open(await post(provider.answer(location, answer)))).location
  }

  return {
    ...stage,
    provider,
    post,
    start,
    runTest,
    workspace: (options = {}) =>
      setUpWorkspace(stage, options, async (owner, domain) => {
        const put = await owner.put(SAML, { metadata: provider.metadata(), ...options.configuration })
        await runTest(owner, withAddress(`tester@${domain}`, {}))
        return put
      }),
    async signIn(email, answer = {}, browser = providerBrowser(kernel)) {
      const request = await start(email, browser)
      const location = await post(provider.answer(request, withAddress(email, answer)))
      return (await browser.open(location)).location
    },
    async stop() {
      await stage.stop()
      await provider.stop()
    },
  }
}
