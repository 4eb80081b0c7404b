/** Workspaces with single sign-on at a test issuer. */

import { randomUUID } from 'node:crypto'
import {
  type Client,
  type Person,
  startTestKernel,
  TEST_PASSWORD,
  type TestKernel,
  type TestResponse,
} from '../../../../../testing/index.ts'
import type { SsoConnection as Connection, SsoDomain as Domain } from '../../../../fixtures/api-types.ts'
import type { TestClock } from '../../../../fixtures/clock.ts'
import { codeOf, newEmail, role } from '../../fixtures.ts'
import { type ProviderBrowser, providerBrowser } from '../providers/browser.ts'
import { CLIENT, startIssuer, type TestIssuer } from '../providers/issuer.ts'
import { type NameServer, startNameServer } from './name-server.ts'

export type { Connection, Domain }

export const CONNECTION = '/v1/identity/sso/connection'
export const DOMAINS = '/v1/identity/sso/domains'
/** The redirect URI of a workspace. */
export const callbackOf = (tenantId: string): string => `http://localhost:8080/sign-in/sso/${tenantId}/callback`
const CALLBACKS = /^http:\/\/localhost:8080\/sign-in\/sso\/ten_[^/]+\/callback$/

export interface SsoWorkspace {
  readonly owner: Person
  readonly domain: string
  /** An address of the domain. */
  email(name: string): string
}
export interface WorkspaceOptions {
  readonly configuration?: object
  readonly required?: boolean
  readonly ownerEmail?: (domain: string) => string
  /** Called before the setup. */
  readonly registered?: (owner: Person) => Promise<unknown>
}
export interface SsoStage {
  readonly kernel: TestKernel
  readonly issuer: TestIssuer
  readonly names: NameServer
  /** A verified domain, and a provider that is tested and on. */
  workspace(options?: WorkspaceOptions): Promise<SsoWorkspace>
  addDomain(client: Client, domain: string): Promise<Domain>
  /** Puts somebody at the issuer, and signs them in with single sign-on. Returns where the product leads. */
  signIn(
    person: { email: string; sub?: string; groups?: readonly string[] },
    browser?: ProviderBrowser,
  ): Promise<string>
  /** Signs somebody in who has an account of an owner: they prove it with their password, and connect the two. */
  signInAsOwner(
    person: { email: string; sub: string; groups?: readonly string[] },
    browser?: ProviderBrowser,
  ): Promise<string>
  stop(): Promise<void>
}

let domains = 0
export const newDomain = (): string => `acme-${process.pid}-${++domains}.com`

export async function startSso(
  clock: TestClock,
  more: { readonly modules?: object; readonly recipe?: object; readonly signIn?: object } = {},
): Promise<SsoStage> {
  const issuer = await startIssuer(CALLBACKS)
  const names = await startNameServer()
  const signIn = { password: {}, emailLink: {}, enterprise: { dnsServers: [names.address] }, ...more.signIn }
  const kernel = await startTestKernel({
    recipe: { ...more.recipe, modules: { identity: { signIn }, comms: {}, ...more.modules } },
    clock,
  })

  async function addDomain(client: Client, domain: string): Promise<Domain> {
    const added = await client.post(DOMAINS, { domain })
    if (added.status !== 201) throw new Error(`the domain was answered ${codeOf(added)}`)
    names.records.set(domain, ['v=spf1 -all', added.body.record])
    return added.body
  }

  const signInAt: SsoStage['signIn'] = ({ sub = randomUUID(), ...person }, browser = providerBrowser(kernel)) => {
    issuer.person = { sub, name: 'Ada', ...person }
    return browser.signIn(issuer, 'sso', `?${new URLSearchParams({ email: person.email })}`)
  }

  return {
    kernel,
    issuer,
    names,
    addDomain,
    workspace: (options = {}) =>
      setUpWorkspace({ kernel, addDomain }, options, async (owner, domain) => {
        const put = await owner.put(CONNECTION, { ...CLIENT, issuer: issuer.url, ...options.configuration })
        issuer.person = { sub: randomUUID(), email: `tester@${domain}` }
        await runTest(kernel, owner, issuer)
        return put
      }),
    signIn: signInAt,
    async signInAsOwner(person, browser = providerBrowser(kernel)) {
      const { email } = person
      const asked = await signInAt(person, browser)
      if (asked !== proofOf(email)) return asked
      await browser.submit('/sign-in', { email, password: TEST_PASSWORD, next: '/sign-in/connect' })
      const { location } = await browser.submit('/sign-in/connect')
      const returned = await issuer.signIn((await browser.open(location)).location)
      return (await browser.open(returned.pathname + returned.search)).location
    },
    async stop() {
      await kernel?.stop()
      await issuer?.stop()
      await names?.stop()
    },
  }
}

/** @param connect sets the provider and tests it. Returns the response to the settings. */
export async function setUpWorkspace(
  { kernel, addDomain }: Pick<SsoStage, 'kernel' | 'addDomain'>,
  { required = false, ownerEmail = () => newEmail('owner'), registered }: WorkspaceOptions,
  connect: (owner: Person, domain: string) => Promise<TestResponse<unknown>>,
): Promise<SsoWorkspace> {
  const domain = newDomain()
  const owner = await kernel.register(ownerEmail(domain))
  await registered?.(owner)
  const { id } = await addDomain(owner, domain)
  const verified = await owner.post(`${DOMAINS}/${id}/verify`)
  const put = await connect(owner, domain)
  const on = await owner.patch(CONNECTION, { enabled: true, required })
  for (const reply of [verified, put, on])
    if (reply.status !== 200) throw new Error(`a step of the setup was answered ${codeOf(reply)}`)
  return { owner, domain, email: name => `${name}@${domain}` }
}

/** Where an owner proves their account before single sign-on opens it. */
export const proofOf = (email: string): string =>
  `/sign-in?${new URLSearchParams({ connect: 'sso', next: '/sign-in/connect', email })}`

export const failed = (reason: string): string => `/sign-in?failed=sso&reason=${reason}&next=%2F`

export async function rolesOf({ owner }: { readonly owner: Pick<Client, 'get'> }, email: string) {
  const { body } = await owner.get(`/v1/identity/members?filter[email]=${encodeURIComponent(email)}`)
  return body.data[0]?.roles.toSorted()
}

/** Creates the roles of two groups. */
export async function newRoleMappings(owner: Client) {
  return [
    { group: 'Staff', role: await role(owner, 'team.staff', ['identity.member.read']) },
    { group: 'Leads', role: await role(owner, 'team.leads', ['identity.member.invite']) },
  ]
}

/** A browser in which somebody is signed in. */
export function browserOf(kernel: TestKernel, { cookie = '' }: Pick<Person, 'cookie'>): ProviderBrowser {
  const [name = '', value = ''] = cookie.split('=')
  return providerBrowser(kernel, new Map([[name, value]]))
}

/** Opens the URL of a test and signs in at the issuer. Returns where the product leads. */
export async function runTest(
  kernel: TestKernel,
  owner: Person,
  issuer: Pick<TestIssuer, 'url' | 'signIn'>,
  browser = browserOf(kernel, owner),
): Promise<string> {
  const { body } = await owner.post(`${CONNECTION}/test`)
  const { pathname, search } = new URL(body.url)
  const started = await browser.open(pathname + search)
  if (!started.location.startsWith(issuer.url)) return started.location
  const returned = await issuer.signIn(started.location)
  return (await browser.open(returned.pathname + returned.search)).location
}
