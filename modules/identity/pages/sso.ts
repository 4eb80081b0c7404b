/** Single sign-on of the current workspace: its domains and its provider. */
import { type Caller, createValidator, type PageResult, page } from '@larder-dev/larder/kernel'
import { ssoLimits } from '../domain/rate-limits.ts'
import { type RoleMapping, SsoConfiguration, type SsoConnection } from '../records/sso.ts'
import type { IdentityServices } from '../services.ts'
import { assertPermission, NO_ERRORS, submit } from './form.ts'
import { type RoleNames, readRoles } from './role-choices.ts'
import { workspaceTabs } from './workspace-tabs.ts'

const PATH = '/workspace/sso'
const MANAGE = 'identity.sso.manage'
/** Empty rows for further groups. */
const SPARE_ROWS = 3

type Form = Readonly<Record<string, string>>

export function ssoPages({ roles, settings, ssoConnections, ssoDomains }: IdentityServices) {
  if (!settings.enterprise) return []
  const checkConfiguration = createValidator().body(SsoConfiguration)

  async function view(caller: Caller, tenantId: string, done: string, form?: Form) {
    const [domains, connection, names] = await Promise.all([
      ssoDomains.list(tenantId),
      ssoConnections.find(tenantId),
      readRoles(roles, tenantId),
    ])
    return {
      tabs: workspaceTabs(caller, settings),
      ...{ done, ...NO_ERRORS, mayManage: caller.can(MANAGE) },
      newDomain: form?.domain ?? '',
      domains: domains.map(domain => ({ ...domain, isVerified: domain.verifiedAt !== null })),
      connection: connection ?? null,
      callbackUrl: ssoConnections.callbackUrl,
      tested: testView(connection),
      mayTurnOn: connection?.testedAt != null && domains.some(({ verifiedAt }) => verifiedAt !== null),
      ...draft(connection, form),
      ...choices(caller, names, connection, form),
    }
  }

  /** Values of the form of the provider. */
  function draft(connection: SsoConnection | undefined, form: Form | undefined) {
    const { issuer = '', clientId = '', scope = 'openid email profile', groupsClaim = 'groups' } = connection ?? {}
    return {
      issuer: form?.issuer ?? issuer,
      clientId: form?.clientId ?? clientId,
      scope: form?.scope ?? scope,
      groupsClaim: form?.groupsClaim ?? groupsClaim,
      syncRoles: form?.issuer === undefined ? (connection?.syncRoles ?? true) : form.syncRoles === '1',
    }
  }

  function choices(caller: Caller, names: RoleNames, connection: SsoConnection | undefined, form: Form | undefined) {
    const mappings = form?.issuer === undefined ? (connection?.roleMappings ?? []) : mappingsIn(form)
    const defaultRole = form?.defaultRole ?? connection?.defaultRole ?? settings.defaultRole
    const spare = Array.from({ length: SPARE_ROWS }, () => ({ group: '', role: '' }))
    const options = (chosen: string) =>
      names.choices(caller, [chosen]).map(({ key, name }) => ({ key, name, chosen: key === chosen }))
    return {
      rows: [...mappings, ...spare].map(({ group, role }, at) => ({ at, group, roles: options(role) })),
      defaultRoles: options(defaultRole),
    }
  }

  function configurationIn(form: Form): SsoConfiguration {
    const { issuer = '', clientId = '', clientSecret = '', scope = '', groupsClaim = '', defaultRole = '' } = form
    return checkConfiguration({
      ...{ issuer: issuer.trim(), clientId: clientId.trim(), roleMappings: mappingsIn(form) },
      ...(clientSecret !== '' && { clientSecret }),
      ...(scope !== '' && { scope }),
      ...(groupsClaim !== '' && { groupsClaim }),
      ...(defaultRole !== '' && { defaultRole }),
      syncRoles: form.syncRoles === '1',
    }) as SsoConfiguration
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
    if (intent === 'save') await ssoConnections.put(tenantId, configurationIn(form), caller)
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
      load: async ({ caller, tenantId, query }) => ({ data: await view(caller, tenantId, query.done ?? '') }),
      post: ({ caller, tenantId, form }): Promise<PageResult> =>
        submit(
          () => view(caller, tenantId, '', form),
          async () => ({ redirect: `${PATH}?done=${await change(caller, tenantId, form)}` }),
        ),
      limits: ssoLimits,
    }),
    page({
      name: 'identity.sso',
      path: `${PATH}/test`,
      title: 'Single sign-on',
      allow: MANAGE,
      load: async ({ tenantId }) => ({ redirect: await ssoConnections.testPath(tenantId) }),
    }),
  ]
}

const SWITCHES: Readonly<Record<string, { readonly enabled?: boolean; readonly required?: boolean }>> = {
  'turn-on': { enabled: true },
  'turn-off': { enabled: false },
  require: { required: true },
  allow: { required: false },
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
  const claims = Object.entries(test.claims).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
  return { ...test, claims }
}
