/** Providers that workspaces sign in at, and the tests of their settings. */
import {
  type Caller,
  type Deps,
  HOUR,
  invalidField,
  MINUTE,
  newId,
  type SealedColumn,
  sealedValues,
  together,
  trimmed,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { type AuditRecorder, actorOf, SYSTEM_ACTOR } from '../../audit/audit-log.ts'
import { namesEveryDirectory, ONE_DIRECTORY, pastedIssuer } from '../../domain/pasted.ts'
import { assertRecentProof } from '../../domain/recent-proof.ts'
import { seal, unseal } from '../../domain/sealed-values.ts'
import { timeAt } from '../../domain/time.ts'
import type { IdentitySettings } from '../../options.ts'
import type { RightsService } from '../../workspaces/roles/rights.ts'
import { lockTenant } from '../../workspaces/tenant-record.ts'
import { storableJson } from '../providers/domain/provided.ts'
import { describeFailure } from '../providers/provider-failures.ts'
import { SSO } from '../sign-in-methods.ts'
import { BATCH_SIZE, examineAll } from './examine-all.ts'
import { ssoProblems } from './problems.ts'
import {
  type SamlConfiguration,
  type SamlProvider,
  type SsoConfiguration,
  type SsoConnection,
  type SsoTest,
  type StoredSsoConnection,
  ssoConnectionTable,
} from './records.ts'
import type { SamlProviders } from './saml-provider.ts'
import { includesSso, requireSso } from './sso-entitlement.ts'
import type { SsoFetch } from './sso-fetch.ts'

export const CLIENT_SECRET_COLUMN: SealedColumn = {
  table: 'identity_sso_connections',
  key: ['id'],
  column: 'client_secret',
  purpose: 'sso_client_secret',
}
const TEST = 'sso_test'
const TEST_TTL_MS = 10 * MINUTE
const MAX_CLAIMS_LENGTH = 16_384
const METADATA_INTERVAL_MS = 20 * HOUR

/** A connection with what its requests need. */
export interface OpenSsoConnection extends StoredSsoConnection {
  readonly tenantId: string
  /** Null for SAML. */
  readonly clientSecret: string | null
}
export interface SsoConnections {
  /** Throws `not_found`. */
  get(tenantId: string): Promise<SsoConnection>
  find(tenantId: string): Promise<SsoConnection | undefined>
  /**
   * Creates or replaces the settings. Another issuer or client turns single sign-on off until it is tested. Throws
   * `entitlement_exceeded`, `forbidden` for roles that the caller can't grant, and 422.
   */
  put(tenantId: string, configuration: SsoConfiguration, caller: Caller): Promise<SsoConnection>
  /** Like `put`, for a provider of SAML. Another entity ID or sign-in address turns single sign-on off. */
  putSaml(tenantId: string, configuration: SamlConfiguration, caller: Caller): Promise<SsoConnection>
  /** Throws `sso_not_tested` and `sso_without_domain`. */
  turn(
    tenantId: string,
    patch: { readonly enabled?: boolean | undefined; readonly required?: boolean | undefined },
    caller: Caller,
  ): Promise<SsoConnection>
  /** Also forgets the people at the provider. Their accounts stay. */
  remove(tenantId: string, caller: Caller): Promise<void>
  /**
   * Registered at providers of OpenID Connect as redirect URI. Each workspace has its own, so that the response of one
   * provider never arrives as that of another one (RFC 9700, 4.4).
   */
  callbackUrl(tenantId: string): string
  /** The path of a sign-in that records its claims and signs nobody in. It works for the caller only. */
  testPath(tenantId: string, caller: Pick<Caller, 'userId'>): Promise<string>
  /** The connection of a test URL, and who asked for it. Undefined for a wrong or expired URL. */
  ofTest(token: string): Promise<{ readonly connection: OpenSsoConnection; readonly userId: string } | undefined>
  recordTest(connection: OpenSsoConnection, test: Omit<SsoTest, 'at'>): Promise<void>
  /** The connection that signs in addresses of this domain. Undefined if there is none, or if it is off. */
  forDomain(domain: string): Promise<OpenSsoConnection | undefined>
  /** The connection of a workspace, on or off. */
  ofTenant(tenantId: string): Promise<OpenSsoConnection | undefined>
  /** A connection that is on or that is tested. */
  open(id: string): Promise<OpenSsoConnection | undefined>
  /** Whether the connection is on and the plan of its workspace includes it. */
  isActive(connection: OpenSsoConnection): Promise<boolean>
  /** Whether the workspace has verified the domain. */
  covers(tenantId: string, domain: string): Promise<boolean>
  /** Forgets who people are at the provider: one former member, or all of a deleted workspace. */
  forgetPeople(tenantId: string, userId?: string): Promise<void>
  /** Reads metadata again, so that new certificates of providers are known. */
  refresh(signal: AbortSignal): Promise<void>
}
type Needs = Deps<
  'database' | 'systemDatabase' | 'clock' | 'events' | 'secrets' | 'log' | 'product',
  'entitlements'
> & {
  readonly audit: AuditRecorder
  readonly rights: RightsService
  readonly samlProviders: SamlProviders
  readonly settings: IdentitySettings
  readonly ssoFetch: SsoFetch
}
interface OpenColumns {
  readonly tenant_id: string
  readonly client_secret: Buffer | null
}
/** Settings of both protocols. */
type People = Pick<SsoConfiguration, 'groupsClaim' | 'roleMappings' | 'defaultRole' | 'syncRoles'>
const DEFAULT_PEOPLE = { groupsClaim: 'groups', roleMappings: [], defaultRole: null, syncRoles: true }
/** The settings of a provider. Those of the other protocol are null. */
type ProviderSettings = Pick<StoredSsoConnection, 'protocol' | 'issuer' | 'clientId' | 'scope' | 'saml'>

/**
 * Subjects are unique within the issuer of one workspace: another workspace can name the same issuer. A provider may have
 * the same name in both protocols, with other subjects.
 */
export const providerOf = ({
  tenantId,
  protocol,
  issuer,
}: Pick<OpenSsoConnection, 'tenantId' | 'protocol' | 'issuer'>): string =>
  `${tenantId}/${protocol === 'saml' ? 'saml:' : ''}${issuer}`

/** Where the provider of a workspace returns the browser to. */
export const ssoCallbackPath = (tenantId: string): string => `/sign-in/${SSO}/${tenantId}/callback`

async function forgetPeople(unit: Unit, tenantId: string, userId?: string): Promise<void> {
  await unit.query(
    `delete from identity_sign_in_identities
     where method = $1 and provider like $2 and ($3::text is null or user_id = $3)`,
    [SSO, `${tenantId}/%`, userId ?? null],
  )
}

const isSameProvider = (one: ProviderSettings, other: ProviderSettings): boolean =>
  one.protocol === other.protocol &&
  one.issuer === other.issuer &&
  one.clientId === other.clientId &&
  one.saml?.signInUrl === other.saml?.signInUrl

const fingerprintsOf = ({ certificates }: SamlProvider): string =>
  certificates.map(({ fingerprint }) => fingerprint).join()

export function createSsoConnections(deps: Needs): SsoConnections {
  const { database, systemDatabase, clock, events, log, product, audit, rights, settings } = deps
  const { samlProviders, ssoFetch } = deps
  const clientSecrets = sealedValues(deps, CLIENT_SECRET_COLUMN)
  const everywhere = () => systemDatabase.acrossTenants('people sign in before their tenant is known')
  const callbackUrl = (tenantId: string): string => product.publicUrl + ssoCallbackPath(tenantId)
  const toConnection = (stored: StoredSsoConnection, tenantId: string): SsoConnection => ({
    ...stored,
    callbackUrl: callbackUrl(tenantId),
  })

  async function openWhere(condition: string, values: readonly unknown[]): Promise<OpenSsoConnection | undefined> {
    const [found] = await ssoConnectionTable.query<OpenColumns>(
      everywhere(),
      `select ${ssoConnectionTable.columns('c')}, c.tenant_id, c.client_secret
       from identity_sso_connections c where ${condition}`,
      [...values],
    )
    if (!found) return undefined
    const { tenant_id: tenantId, client_secret: sealed, ...stored } = found
    const unreadable = ssoProblems.sso_secret_unreadable
    return { ...stored, tenantId, clientSecret: sealed && clientSecrets.open(sealed, unreadable, { tenantId }) }
  }

  async function announce(
    unit: Unit,
    action: 'changed' | 'removed' | 'turned_on' | 'turned_off' | 'required' | 'optional',
    tenantId: string,
    { id, issuer, enabled, required }: StoredSsoConnection,
    caller: Caller,
  ): Promise<void> {
    const actor = actorOf(caller)
    await audit.record(unit, { tenantId, action: `sso.${action}`, actor, subject: id, details: { issuer } })
    const on = action !== 'removed' && enabled
    const payload = { issuer, enabled: on, required: on && required }
    await events.publish('identity.sso.changed', { tenantId, subject: id, payload })
  }

  /** The caller must be able to grant every role that a sign-in can give. */
  async function assertRoles(tenantId: string, { roleMappings = [], defaultRole }: People, caller: Caller) {
    const roles = [...new Set([...roleMappings.map(({ role }) => role), defaultRole ?? settings.defaultRole])]
    await together({
      assignable: rights.assertAssignable(tenantId, roles),
      grantable: rights.assertCallerCanGrant(caller, tenantId, roles),
    })
  }

  function assertIssuer(text: string): void {
    const refusal =
      ssoFetch.refusal(text) ?? (/[?#]/.test(text) ? wording('must have no query and no fragment') : undefined)
    if (refusal !== undefined) throw invalidField('/issuer', 'wrong_format', refusal)
    if (namesEveryDirectory(text)) throw invalidField('/issuer', 'every_directory', ONE_DIRECTORY)
  }

  /**
   * Creates or replaces the settings. Single sign-on stays on and tested only with the same provider.
   * @param clientSecret undefined to keep the stored one, and null for none
   */
  const store = (
    tenantId: string,
    given: People,
    provider: ProviderSettings,
    clientSecret: string | null | undefined,
    caller: Caller,
  ): Promise<SsoConnection> =>
    database.tenant(tenantId).transaction(async unit => {
      const people = { ...DEFAULT_PEOPLE, ...ssoConnectionTable.pick(given) }
      const { before } = await together({
        lock: lockTenant(unit, tenantId),
        before: ssoConnectionTable.find(unit, { tenantId }),
        entitled: requireSso(deps, tenantId),
        roles: assertRoles(tenantId, people, caller),
      })
      const keeps = before !== undefined && isSameProvider(before, provider)
      if (clientSecret === undefined && !keeps) throw invalidField('/clientSecret', 'required', wording('is required'))
      // Certificates and roles of a provider that stays on decide at once who signs in as whom.
      if (keeps && before.enabled) assertRecentProof(caller, clock.now())
      const now = timeAt(clock)
      const values = {
        ...people,
        ...provider,
        updatedAt: now,
        clientSecret: typeof clientSecret === 'string' ? clientSecrets.seal(clientSecret) : clientSecret,
      }
      const off = { enabled: false, required: false, testedAt: null, lastTest: null }
      const stored = before
        ? await ssoConnectionTable.update(unit, { id: before.id }, { ...values, ...(!keeps && off) })
        : await ssoConnectionTable.insert(unit, {
            id: newId('sso', clock.now()),
            tenantId,
            ...values,
            ...off,
            createdAt: now,
          })
      await announce(unit, 'changed', tenantId, stored, caller)
      return toConnection(stored, tenantId)
    })

  async function put(tenantId: string, configuration: SsoConfiguration, caller: Caller): Promise<SsoConnection> {
    const { scope = 'openid email profile', ...given } = configuration
    const { issuer: entered, clientId: id, clientSecret, ...people } = given
    const [issuer, clientId] = [pastedIssuer(entered), trimmed(id)]
    assertIssuer(issuer)
    const provider = { protocol: 'oidc', issuer, clientId, scope, saml: null } as const
    return store(tenantId, people, provider, clientSecret?.trim(), caller)
  }

  async function putSaml(tenantId: string, configuration: SamlConfiguration, caller: Caller): Promise<SsoConnection> {
    const { issuer, ...saml } = await samlProviders.read(configuration)
    const provider = { protocol: 'saml', issuer, clientId: null, scope: null, saml } as const
    return store(tenantId, configuration, provider, null, caller)
  }

  const turn: SsoConnections['turn'] = (tenantId, patch, caller) =>
    database.tenant(tenantId).transaction(async unit => {
      const { before, domains } = await together({
        lock: lockTenant(unit, tenantId),
        before: ssoConnectionTable.get(unit, { tenantId }),
        domains: unit.query(
          'select from identity_sso_domains where tenant_id = $1 and verified_at is not null limit 1',
          [tenantId],
        ),
      })
      const enabled = patch.enabled ?? before.enabled
      const required = enabled && (patch.required ?? before.required)
      if (patch.required === true && !enabled) throw ssoProblems.sso_off()
      if ((enabled && !before.enabled) || (required && !before.required)) {
        assertRecentProof(caller, clock.now())
        await requireSso(deps, tenantId)
        if (before.testedAt === null) throw ssoProblems.sso_not_tested()
        if (domains.rowCount === 0) throw ssoProblems.sso_without_domain()
      }
      const changes = { ...patch, enabled, required, updatedAt: timeAt(clock) }
      const updated = await ssoConnectionTable.update(unit, { id: before.id }, changes)
      if (enabled !== before.enabled)
        await announce(unit, enabled ? 'turned_on' : 'turned_off', tenantId, updated, caller)
      if (required !== before.required && enabled)
        await announce(unit, required ? 'required' : 'optional', tenantId, updated, caller)
      return toConnection(updated, tenantId)
    })

  /** A provider that is down, or that became another one, changes nothing. */
  async function refreshOne({ tenant_id: tenantId, ...before }: StoredSsoConnection & { tenant_id: string }) {
    const { id, issuer, saml, updatedAt } = before
    if (saml?.metadataUrl == null) return
    const { metadataUrl, emailAttribute } = saml
    const read = await samlProviders.read({ metadataUrl, emailAttribute }).catch((error: unknown) => {
      log.warn(
        { method: SSO, tenantId, reason: describeFailure(error) },
        'the metadata of a sign-in provider could not be read',
      )
      return undefined
    })
    if (read?.issuer !== issuer || read.signInUrl !== saml.signInUrl) return
    const { issuer: _issuer, ...found } = read
    const isSame = fingerprintsOf(found) === fingerprintsOf(saml)
    await database.tenant(tenantId).transaction(async unit => {
      const { rowCount } = await unit.query(...ssoConnectionTable.updateStep({ id, updatedAt }, { saml: found }))
      if (rowCount === 0 || isSame) return
      const details = { issuer }
      await audit.record(unit, { tenantId, action: 'sso.changed', actor: SYSTEM_ACTOR, subject: id, details })
    })
  }

  return {
    get: async tenantId =>
      toConnection(await ssoConnectionTable.get(database.tenant(tenantId), { tenantId }), tenantId),
    async find(tenantId) {
      const found = await ssoConnectionTable.find(database.tenant(tenantId), { tenantId })
      return found && toConnection(found, tenantId)
    },
    put,
    putSaml,
    turn,

    async remove(tenantId, caller) {
      await everywhere().transaction(async unit => {
        const removed = await ssoConnectionTable.delete(unit, { tenantId })
        await forgetPeople(unit, tenantId)
        await announce(unit, 'removed', tenantId, removed, caller)
      })
    },

    callbackUrl,

    async testPath(tenantId, { userId }) {
      const {
        connection: { id },
      } = await together({
        entitled: requireSso(deps, tenantId),
        connection: ssoConnectionTable.get(database.tenant(tenantId), { tenantId }),
      })
      return `/sign-in/${SSO}?test=${seal(deps, TEST, { id, userId }, TEST_TTL_MS)}`
    },

    async ofTest(token) {
      const test = unseal<{ id: string; userId: string }>(deps, TEST, token)
      const connection = test && (await openWhere('c.id = $1', [test.id]))
      return connection && { connection, userId: test.userId }
    },

    async recordTest({ id, tenantId, updatedAt }, test) {
      const at = timeAt(clock)
      const text = storableJson(test)
      const { claims, ...found } = JSON.parse(text) as typeof test
      const lastTest = { ...found, claims: JSON.stringify(claims).length > MAX_CLAIMS_LENGTH ? {} : claims, at }
      // The test is of these settings only: they can have changed in between.
      const where = { id, updatedAt }
      const patch = { lastTest, ...(test.problem === null && { testedAt: at }) }
      await database.tenant(tenantId).query(...ssoConnectionTable.updateStep(where, patch))
    },

    forDomain: domain =>
      openWhere(
        `c.enabled and c.tenant_id = (select tenant_id from identity_sso_domains where domain = $1 and verified_at is not null)`,
        [domain],
      ),
    ofTenant: tenantId => openWhere('c.tenant_id = $1', [tenantId]),
    open: id => openWhere('c.id = $1', [id]),
    isActive: async ({ tenantId, enabled }) => enabled && (await includesSso(deps, tenantId)),

    async covers(tenantId, domain) {
      const { rowCount } = await everywhere().query(
        'select from identity_sso_domains where domain = $1 and verified_at is not null and tenant_id = $2',
        [domain, tenantId],
      )
      return rowCount > 0
    },

    forgetPeople: (tenantId, userId) => forgetPeople(everywhere(), tenantId, userId),

    refresh: signal =>
      examineAll(
        after =>
          ssoConnectionTable.query<{ tenant_id: string }>(
            everywhere(),
            `select ${ssoConnectionTable.columns('c')}, c.tenant_id from identity_sso_connections c
             where c.id > $1 and c.saml ->> 'metadataUrl' is not null and (c.saml ->> 'readAt')::timestamptz < $2
             order by c.id limit ${BATCH_SIZE}`,
            [after, timeAt(clock, -METADATA_INTERVAL_MS)],
          ),
        refreshOne,
        signal,
      ),
  }
}
