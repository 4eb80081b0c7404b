/** Single sign-on of the current workspace: its domains and its provider. */
import { type Caller, type Deps, defineTexts, type PageResult, page } from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'
import { ssoLimits } from '../../../domain/rate-limits.ts'
import { assertPermission, NO_ERRORS, submit } from '../../../pages/form.ts'
import { workspaceTabs } from '../../../workspaces/pages/workspace-tabs.ts'
import { type RoleNames, readRoles } from '../../../workspaces/roles/pages/role-choices.ts'
import type { SignInServices } from '../../services.ts'
import { isValidAt } from '../domain/certificates.ts'
import { type RoleMapping, SamlConfiguration, SsoConfiguration, type SsoConnection } from '../records.ts'

const PATH = '/workspace/sso'
const MANAGE = 'identity.sso.manage'
/** Empty rows for further groups. */
const SPARE_ROWS = 3
const OIDC = 'oidc'
const SAML = 'saml'
const SAVE = 'save'
const SAVE_SAML = 'save-saml'
const PEM = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

type Form = Readonly<Record<string, string>>

type Domains = readonly { readonly verifiedAt: Date | string | null }[]

/** What is left to do, in the order in which it works. */
function stepsOf(domains: Domains, connection: SsoConnection | undefined) {
  const steps = [
    {
      title: defineTexts('Verify a domain'),
      anchor: '#step-domain',
      done: domains.some(({ verifiedAt }) => verifiedAt !== null),
    },
    { title: defineTexts('Connect a provider'), anchor: '#step-provider', done: connection !== undefined },
    {
      title: defineTexts('Test'),
      anchor: connection ? '#step-test' : '#step-provider',
      done: connection?.testedAt != null,
    },
    {
      title: defineTexts('Activation'),
      anchor: connection ? '#step-activation' : '#step-provider',
      done: connection?.enabled === true,
    },
  ]
  const next = steps.find(({ done }) => !done)
  return steps.map(step => ({ ...step, current: step === next }))
}

export function ssoPages(deps: Deps<'clock'> & SignInServices) {
  const { clock, roles, samlClient, settings, ssoConnections, ssoDomains } = deps
  if (!settings.enterprise) return []
  const { body } = createValidator()
  const [checkConfiguration, checkSaml] = [body(SsoConfiguration), body(SamlConfiguration)]

  async function view(caller: Caller, tenantId: string, { done = '', protocol = '' }: Form, form?: Form) {
    const [domains, connection, names] = await Promise.all([
      ssoDomains.list(tenantId),
      ssoConnections.find(tenantId),
      readRoles(roles, tenantId, settings),
    ])
    const shown = protocolOf(connection, form, protocol)
    return {
      tabs: workspaceTabs(caller, settings),
      done,
      ...NO_ERRORS,
      mayManage: caller.can(MANAGE),
      newDomain: form?.domain ?? '',
      domains: domains.map(domain => ({ ...domain, isVerified: domain.verifiedAt !== null })),
      connection: connection ?? null,
      isSaml: shown === SAML,
      replaces: connection !== undefined && connection.protocol !== shown,
      callbackUrl: ssoConnections.callbackUrl(tenantId),
      ...samlClient.addresses(tenantId),
      certificates: (connection?.saml?.certificates ?? []).map(each => ({
        ...each,
        isExpired: !isValidAt(each, clock.now()),
      })),
      tested: testView(connection),
      mayTurnOn: connection?.testedAt != null && domains.some(({ verifiedAt }) => verifiedAt !== null),
      steps: stepsOf(domains, connection),
      ...draft(connection?.protocol === shown ? connection : undefined, form),
      ...choices(caller, names, connection, form),
    }
  }

  /** Values of the form of the provider. */
  function draft(connection: SsoConnection | undefined, form: Form | undefined) {
    const { groupsClaim = 'groups' } = connection ?? {}
    const given = isSaved(form) ? form : undefined
    return {
      ...oidcDraft(connection, given),
      ...samlDraft(connection, given),
      groupsClaim: given?.groupsClaim ?? groupsClaim,
      syncRoles: given ? given.syncRoles === '1' : (connection?.syncRoles ?? true),
    }
  }

  function choices(caller: Caller, names: RoleNames, connection: SsoConnection | undefined, form: Form | undefined) {
    const mappings = form && isSaved(form) ? mappingsIn(form) : (connection?.roleMappings ?? [])
    const defaultRole = form?.defaultRole ?? connection?.defaultRole ?? settings.defaultRole
    const spare = Array.from({ length: SPARE_ROWS }, () => ({ group: '', role: '' }))
    const options = (chosen: string) =>
      names.choices(caller, [chosen]).map(({ key, name }) => ({ key, name, chosen: key === chosen }))
    return {
      rows: [...mappings, ...spare].map(({ group, role }, at) => ({ at, group, roles: options(role) })),
      hasMappings: mappings.length > 0,
      defaultRoles: options(defaultRole),
    }
  }

  const oidcIn = (form: Form): SsoConfiguration => {
    const { issuer = '', clientId = '', clientSecret = '', scope = '' } = form
    return checkConfiguration({
      issuer: issuer.trim(),
      clientId: clientId.trim(),
      ...peopleIn(form),
      ...(clientSecret !== '' && { clientSecret }),
      ...(scope !== '' && { scope }),
    }) as SsoConfiguration
  }
  const samlIn = (form: Form): SamlConfiguration => {
    const { emailAttribute = '' } = form
    const more = { ...peopleIn(form), ...(emailAttribute !== '' && { emailAttribute }) }
    return checkSaml({ ...samlPartsIn(form), ...more }) as SamlConfiguration
  }

  async function change(caller: Caller, tenantId: string, form: Form): Promise<string> {
    assertPermission(caller, MANAGE)
    const { intent = '', id = '', domain = '' } = form
    if (intent === 'add-domain') {
      await ssoDomains.add(tenantId, domain, caller)
      return 'domain-added'
    }
    if (intent === 'verify-domain') {
      await ssoDomains.verify(tenantId, id, caller)
      return 'domain-verified'
    }
    if (intent === 'remove-domain') {
      await ssoDomains.remove(tenantId, id, caller)
      return 'domain-removed'
    }
    if (intent === SAVE) await ssoConnections.put(tenantId, oidcIn(form), caller)
    else if (intent === SAVE_SAML) await ssoConnections.putSaml(tenantId, samlIn(form), caller)
    else if (intent === 'remove') await ssoConnections.remove(tenantId, caller)
    else await ssoConnections.turn(tenantId, SWITCHES[intent] ?? {}, caller)
    return intent === 'remove' ? 'removed' : 'saved'
  }

  return [
    page({
      name: 'identity.sso',
      path: PATH,
      title: 'Single sign-on',
      allow: 'identity.sso.read',
      load: async ({ caller, tenantId, query }) => ({ data: await view(caller, tenantId, query) }),
      post: ({ caller, tenantId, form }): Promise<PageResult> =>
        submit(
          () => view(caller, tenantId, {}, form),
          async () => ({ redirect: `${PATH}?done=${await change(caller, tenantId, form)}` }),
        ),
      limits: ssoLimits,
    }),
    page({
      name: 'identity.sso',
      path: `${PATH}/test`,
      title: 'Single sign-on',
      allow: MANAGE,
      load: async ({ tenantId, caller }) => ({ redirect: await ssoConnections.testPath(tenantId, caller) }),
    }),
  ]
}

const SWITCHES: Readonly<Record<string, { readonly enabled?: boolean; readonly required?: boolean }>> = {
  'turn-on': { enabled: true },
  'turn-off': { enabled: false },
  require: { required: true },
  allow: { required: false },
}

/** Whether the form is that of the provider. */
const isSaved = (form: Form | undefined): boolean => form?.intent === SAVE || form?.intent === SAVE_SAML

/** The protocol of the form that the page shows: that of the provider, unless the person chose another one. */
function protocolOf(connection: SsoConnection | undefined, form: Form | undefined, chosen: string): string {
  if (form && isSaved(form)) return form.intent === SAVE_SAML ? SAML : OIDC
  return chosen === SAML || chosen === OIDC ? chosen : (connection?.protocol ?? OIDC)
}

function oidcDraft(connection: SsoConnection | undefined, form: Form | undefined) {
  const { issuer = '', clientId, scope } = connection ?? {}
  return {
    issuer: form?.issuer ?? issuer,
    clientId: form?.clientId ?? clientId ?? '',
    scope: form?.scope ?? scope ?? 'openid email profile',
  }
}

/** Leaves parts empty that come from a metadata address. */
function samlDraft(connection: SsoConnection | undefined, form: Form | undefined) {
  const { metadataUrl, emailAttribute, signInUrl = '', certificates = [] } = connection?.saml ?? {}
  const isEntered = metadataUrl === null
  return {
    metadata: form?.metadata ?? '',
    metadataUrl: form?.metadataUrl ?? metadataUrl ?? '',
    entityIdOfProvider: form?.issuer ?? (isEntered ? connection?.issuer : ''),
    signInUrl: form?.signInUrl ?? (isEntered ? signInUrl : ''),
    certificatesText: form?.certificates ?? (isEntered ? certificates.map(({ pem }) => pem).join('') : ''),
    emailAttribute: form?.emailAttribute ?? emailAttribute ?? '',
  }
}

/** Pasted metadata comes first, then its address. */
function samlPartsIn(form: Form) {
  const { metadata = '', metadataUrl = '', issuer = '', signInUrl = '', certificates = '' } = form
  if (metadata.trim() !== '') return { metadata }
  if (metadataUrl.trim() !== '') return { metadataUrl: metadataUrl.trim() }
  return {
    ...(issuer.trim() !== '' && { issuer: issuer.trim() }),
    ...(signInUrl.trim() !== '' && { signInUrl: signInUrl.trim() }),
    ...(certificates.trim() !== '' && { certificates: certificates.match(PEM) ?? [certificates] }),
  }
}

/** Whom the provider's people become. */
function peopleIn(form: Form) {
  const { groupsClaim = '', defaultRole = '' } = form
  return {
    roleMappings: mappingsIn(form),
    ...(groupsClaim !== '' && { groupsClaim }),
    ...(defaultRole !== '' && { defaultRole }),
    syncRoles: form.syncRoles === '1',
  }
}

/** Rows with a group. */
const mappingsIn = (form: Form): RoleMapping[] =>
  Object.keys(form)
    .filter(name => name.startsWith('group:') && form[name]?.trim() !== '')
    .map(name => ({ group: form[name]?.trim() ?? '', role: form[name.replace('group', 'role')] ?? '' }))

/** Claims as lines of text. */
function testView(connection: SsoConnection | undefined) {
  const test = connection?.lastTest
  if (!test) return null
  const claims = Object.entries(test.claims).map(([name, value]) => ({ name, value: claimText(value) }))
  return { ...test, claims }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** An attribute of SAML is a list, mostly of one text. */
function claimText(value: unknown): string {
  if (isText(value)) return value
  return Array.isArray(value) && value.every(isText) ? value.join(', ') : JSON.stringify(value)
}
