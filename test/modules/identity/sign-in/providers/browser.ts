/** A browser that signs in at a provider and returns to the product. */
import type { TestKernel } from '../../../../../testing/index.ts'
import type { TestIssuer } from './issuer.ts'

type Issuer = Pick<TestIssuer, 'signIn'>

export interface ProviderBrowser {
  cookies: Map<string, string>
  open(path: string): Promise<{ status: number; location: string; text: string }>
  submit(
    path: string,
    fields?: Readonly<Record<string, string>>,
  ): Promise<{ status: number; location: string; text: string }>
  /** Starts a sign-in and signs in at the issuer. Returns the callback's path with its query. */
  authorize(issuer: Issuer, method?: string, query?: string): Promise<string>
  /** Signs in completely. Returns where the product leads. */
  signIn(issuer: Issuer, method?: string, query?: string): Promise<string>
  /** The ID of the user who is signed in, or null. */
  who(): Promise<string | null>
}

export function providerBrowser(kernel: TestKernel, cookies = new Map<string, string>()): ProviderBrowser {
  async function send(path: string, init: RequestInit) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', cookie, ...(init.headers as Record<string, string>) }
    const response = await fetch(new URL(path, kernel.url), { ...init, redirect: 'manual', headers })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return { status: response.status, location: response.headers.get('location') ?? '', text: await response.text() }
  }
  const browser: ProviderBrowser = {
    cookies,
    open: path => send(path, {}),
    submit: (path, fields = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', origin: kernel.url },
        body: new URLSearchParams(fields),
      }),
    async authorize(issuer, method = 'acme', query = '') {
      const { location } = await browser.open(`/sign-in/${method}${query}`)
      const { pathname, search } = await issuer.signIn(location)
      return pathname + search
    },
    signIn: async (issuer, method, query) =>
      (await browser.open(await browser.authorize(issuer, method, query))).location,
    async who() {
      const cookie = `platform_session=${cookies.get('platform_session') ?? ''}`
      const { body } = await kernel.with({ cookie }).get('/v1/auth/me')
      return body.user?.id ?? null
    },
  }
  return browser
}
