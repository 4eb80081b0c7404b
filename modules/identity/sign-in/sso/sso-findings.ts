/** What doesn't work with the single sign-on of workspaces, for operators. */
import { DAY, type Deps } from '@larder-dev/larder/kernel'
import { timeAt } from '../../domain/time.ts'
import { describeFailure } from '../providers/provider-failures.ts'
import { isValidAt } from './domain/certificates.ts'
import { readProviderMetadata, SamlXmlError } from './domain/saml-xml.ts'
import { type SamlProvider, type StoredSsoConnection, ssoConnectionTable } from './records.ts'
import type { SsoConnections } from './sso-connections.ts'
import { lapsesAt } from './sso-domains.ts'
import type { SsoFetch } from './sso-fetch.ts'

/** The number of findings of each kind. */
const MAX_FINDINGS = 20
const EXPIRY_NOTICE_MS = 30 * DAY
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403])
/** In requests that start no sign-in. */
const EXAMINED = 'larder-doctor-starts-no-real-sign-in'

export interface SsoFindings {
  /** One sentence for each problem. Also asks the providers. */
  list(): Promise<readonly string[]>
  /** The same for domains whose record is missing, and certificates that expire. */
  stored(): Promise<readonly string[]>
  /** The same for providers, which are asked for their discovery document or their metadata. */
  live(): Promise<readonly string[]>
}
type Needs = Deps<'systemDatabase' | 'clock'> & {
  readonly ssoConnections: Pick<SsoConnections, 'callbackUrl'>
  readonly ssoFetch: SsoFetch
}
type ListedConnection = Pick<StoredSsoConnection, 'issuer' | 'clientId'> & { readonly tenant_id: string }

export function createSsoFindings({ systemDatabase, clock, ssoConnections, ssoFetch }: Needs): SsoFindings {
  const everywhere = () => systemDatabase.acrossTenants('operators see the single sign-on of every tenant')

  async function domains(): Promise<readonly string[]> {
    const { rows } = await everywhere().query<{ domain: string; name: string; missing_since: Date }>(
      `select d.domain, d.missing_since, t.name from identity_sso_domains d
       join identity_tenants t on t.tenant_id = d.tenant_id
       where d.verified_at is not null and d.missing_since is not null order by d.missing_since limit ${MAX_FINDINGS}`,
    )
    return rows.map(
      ({ domain, name, missing_since }) =>
        `The DNS record of ${domain}, a domain of the workspace "${name}", is missing. Single sign-on ends for it on ${lapsesAt(missing_since).toISOString()}.`,
    )
  }

  async function providers(): Promise<readonly string[]> {
    const found = await ssoConnectionTable.query<{ workspace: string; tenant_id: string }>(
      everywhere(),
      `select ${ssoConnectionTable.columns('c')}, c.tenant_id, t.name as workspace from identity_sso_connections c
       join identity_tenants t on t.tenant_id = c.tenant_id
       where c.enabled order by c.updated_at desc limit ${MAX_FINDINGS}`,
    )
    const failures = await Promise.all(
      found.map(async connection => {
        const { issuer, workspace, saml } = connection
        const failure = await (saml ? failureOfSaml(issuer, saml) : failureOf(connection))
        return failure === undefined ? [] : [`The provider ${issuer} of the workspace "${workspace}" ${failure}.`]
      }),
    )
    return failures.flat()
  }

  /** The end of a sentence about a provider of OpenID Connect. */
  async function failureOf({ issuer, clientId, tenant_id: tenantId }: ListedConnection): Promise<string | undefined> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    try {
      const found = JSON.parse(await ssoFetch.read(url)) as Readonly<Record<string, unknown>>
      if (!isSameUrl(String(found.issuer), issuer))
        return "can't be used: its discovery document is about another issuer"
      const redirectUri = ssoConnections.callbackUrl(tenantId)
      const status = await statusOfStart(found.authorization_endpoint, { clientId, redirectUri })
      // Before they ask who the person is, providers check the client and its redirect URI.
      return REFUSED.has(status)
        ? `refuses the start of a sign-in (${status}). Check the client ID, and enter this redirect URI there: ${redirectUri}`
        : undefined
    } catch (error) {
      return `can't be used: ${describeFailure(error)}`
    }
  }

  async function statusOfStart(
    endpoint: unknown,
    { clientId, redirectUri }: { readonly clientId: string | null; readonly redirectUri: string },
  ): Promise<number> {
    const url = new URL(String(endpoint))
    const parameters = {
      client_id: clientId ?? '',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: EXAMINED,
      nonce: EXAMINED,
      code_challenge: EXAMINED.padEnd(43, '-'),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return ssoFetch.statusOf(url.href)
  }

  /** The browser of a person reaches a provider of SAML, which may be in another network. Its metadata is read here. */
  async function failureOfSaml(issuer: string, { certificates, metadataUrl }: SamlProvider) {
    if (!certificates.some(certificate => isValidAt(certificate, clock.now())))
      return "can't be used: none of its certificates is valid"
    if (metadataUrl === null) return undefined
    const unread = 'changes its certificates unnoticed: its metadata'
    try {
      const { issuer: own } = readProviderMetadata(await ssoFetch.read(metadataUrl), clock.now())
      return own === issuer ? undefined : `${unread} is about another provider`
    } catch (error) {
      if (error instanceof SamlXmlError) return `${unread} ${error.message}`
      return `${unread} can't be read: ${describeFailure(error)}`
    }
  }

  /** Names providers whose last certificate expires soon: while a provider changes its certificate, it has two. */
  async function expiries(): Promise<readonly string[]> {
    const { rows } = await everywhere().query<{ issuer: string; name: string; expires_at: Date }>(
      `select c.issuer, t.name, e.expires_at from identity_sso_connections c
       join identity_tenants t on t.tenant_id = c.tenant_id
       cross join lateral (select max((entry ->> 'expiresAt')::timestamptz) as expires_at
         from jsonb_array_elements(c.saml -> 'certificates') entry) e
       where c.enabled and c.protocol = 'saml' and e.expires_at > $1 and e.expires_at < $2
       order by e.expires_at limit ${MAX_FINDINGS}`,
      [timeAt(clock), timeAt(clock, EXPIRY_NOTICE_MS)],
    )
    return rows.map(
      ({ issuer, name, expires_at: at }) =>
        `The certificate of the provider ${issuer} of the workspace "${name}" expires on ${at.toISOString()}. Ask an owner of the workspace to enter the next one before.`,
    )
  }

  const stored = async () => (await Promise.all([domains(), expiries()])).flat()
  return { stored, live: providers, list: async () => (await Promise.all([stored(), providers()])).flat() }
}

/** A root may be written with and without its slash. */
const isSameUrl = (one: string, other: string): boolean =>
  URL.canParse(one) && new URL(one).href === new URL(other).href
