/** A workspace of the installation, for operators: plan, usage, members, roles, API keys, audit log. */

import { useState } from 'react'
import {
  type Api,
  Badge,
  crumbsOf,
  EntitlementUsage,
  ErrorState,
  type Fact,
  Facts,
  fieldLabel,
  fill,
  formatDate,
  ImpersonateMember,
  Loading,
  MAX_PAGE,
  Page,
  type Resource,
  type ResourceScreenProps,
  RowMenu,
  relatedTabs,
  ScreenLink,
  Section,
  SubscriptionBadge,
  type TabPart,
  Tabs,
  useAddedTabs,
  useGet,
  useImpersonateTexts,
  useNavigate,
  usePermissions,
  useReload,
  useResources,
  useSearch,
  useTexts,
} from '../../public.ts'
import { MemberProfile } from './Profile.tsx'
import { RecentEntries } from './RecentEntries.tsx'
import { RoleBadges, useRoles } from './roles.tsx'
import { useIdentityTexts } from './texts.ts'
import { WorkspaceActions } from './WorkspaceActions.tsx'
import { useWorkspaceTexts } from './workspace-texts.ts'
import './identity.css'

/** The details include this list. */
const MEMBERS = 'identity.workspace-members'
const EMAILS: Resource['relations'][number] = {
  resource: 'comms.all-messages',
  parameters: { 'filter[tenantId]': 'id' },
}

export default function Workspace({ resource, id }: ResourceScreenProps) {
  const t = useTexts()
  const c = useIdentityTexts()
  const navigate = useNavigate()
  const search = useSearch()
  const { mayOnPlatform } = usePermissions()
  const { data: resources = [] } = useResources()
  const hasBilling = resources.some(({ module }) => module === 'billing') && mayOnPlatform('billing.tenant.read_all')
  const path = { id }
  const w = useWorkspaceTexts()
  const addedTabs = useAddedTabs()
  const reload = useReload()
  const { data: tenant, error, isPending, refetch } = useGet('/v1/identity/admin/tenants/{id}', { path })
  const billing = useGet('/v1/billing/admin/tenants/{id}', { path, isEnabled: hasBilling })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const { subscription, planName, entitlements = [] } = billing.data ?? {}
  const facts: readonly Fact[] = [
    [fieldLabel('slug'), 'slug', tenant.slug],
    ...(tenant.planKey === null ? [] : ([[c.plan, 'planKey', planName ?? tenant.planKey]] as const)),
    ...(subscription ? planFacts(subscription, c) : []),
    [c.members, 'members', tenant.members],
    [fieldLabel('createdAt'), 'createdAt', tenant.createdAt],
    ['ID', 'id', tenant.id],
  ]
  const details = () => (
    <div className="stack">
      {tenant.suspendedAt !== null && (
        <p className="notice danger">
          {fill(w.suspendedNotice, { date: formatDate(tenant.suspendedAt), reason: tenant.suspensionReason ?? '' })}
        </p>
      )}
      <Facts facts={facts} />
      {tenant.singleSignOn && (
        <Section title={w.singleSignOn}>
          <Facts facts={ssoFacts(tenant.singleSignOn, w)} isFull />
        </Section>
      )}
      {billing.error && <ErrorState error={billing.error} onRetry={billing.refetch} />}
      {entitlements.length > 0 && <EntitlementUsage entitlements={entitlements} />}
      <Section title={c.members}>
        <Members tenantId={tenant.id} total={tenant.members} />
      </Section>
    </div>
  )
  const tabs: TabPart[] = [
    { id: 'details', title: t('details'), render: details },
    ...addedTabs(resource, { ...tenant }),
    ...relatedTabs({ ...resource, relations: [...resource.relations, EMAILS] }, resources, { ...tenant }, search)
      .filter(({ id }) => id !== MEMBERS)
      .map(tab => (tab.id === EMAILS.resource ? { ...tab, title: w.emails } : tab)),
    ...(mayOnPlatform('platform.tenant.read_all')
      ? [
          {
            id: 'audit',
            title: c.recent,
            render: () => <RecentEntries query={{ 'filter[tenantId]': tenant.id }} />,
          },
        ]
      : []),
  ]
  return (
    <Page
      title={tenant.name}
      crumbs={crumbsOf(resource)}
      badge={
        tenant.suspendedAt === null ? (
          subscription && <SubscriptionBadge {...subscription} />
        ) : (
          <Badge text="suspended" label={w.suspendedBadge} tone="danger" />
        )
      }
      actions={
        <WorkspaceActions
          resource={resource}
          tenant={tenant}
          entitlements={billing.data?.entitlements ?? null}
          subscription={subscription ?? null}
          onDone={() =>
            Promise.all([
              reload('/v1/identity/admin/tenants/{id}', path),
              reload('/v1/billing/admin/tenants/{id}', path),
              reload('/v1/platform/audit'),
            ])
          }
        />
      }
    >
      <Tabs
        label={tenant.name}
        tabs={tabs}
        selected={tabs.find(({ id }) => id === search.tab)?.id ?? 'details'}
        onSelect={tab => navigate({ to: '.', search: { tab }, replace: true })}
      />
    </Page>
  )
}

const PROTOCOLS = { oidc: 'OpenID Connect', saml: 'SAML' } as const

function ssoFacts({ domains, provider }: Api.TenantSingleSignOn, w: ReturnType<typeof useWorkspaceTexts>) {
  const named = domains.map(({ domain, verifiedAt, missingSince }) => {
    if (missingSince !== null) return fill(w.ssoMissing, { domain })
    return verifiedAt === null ? fill(w.ssoUnverified, { domain }) : domain
  })
  const facts: Fact[] = [[w.ssoDomains, 'domains', named]]
  if (!provider) return [...facts, [w.ssoProvider, 'issuer', null]] as const
  const { issuer, protocol, enabled, required, testedAt, expiresAt } = provider
  facts.push(
    [w.ssoProvider, 'issuer', issuer],
    [w.ssoProtocol, 'protocol', PROTOCOLS[protocol]],
    [w.ssoState, 'enabled', enabled ? (required ? w.ssoRequired : w.ssoOn) : w.ssoOff],
    [w.ssoTested, 'testedAt', testedAt],
  )
  if (expiresAt !== null) facts.push([w.ssoExpires, 'expiresAt', expiresAt])
  return facts
}

type Words = ReturnType<typeof useIdentityTexts>

function planFacts({ state, currentPeriodEnd, trialEndsAt, cancelAtPeriodEnd }: Api.Subscription, c: Words) {
  const facts: Fact[] = []
  if (state === 'trialing' && trialEndsAt) facts.push([c.trialEnds, 'trialEndsAt', trialEndsAt])
  else if (currentPeriodEnd)
    facts.push([cancelAtPeriodEnd ? c.planEnds : c.planRenews, 'currentPeriodEnd', currentPeriodEnd])
  return facts
}

interface MembersProps {
  readonly tenantId: string
  readonly total: number
}

function Members({ tenantId, total }: MembersProps) {
  const c = useIdentityTexts()
  const act = useImpersonateTexts()
  const [impersonated, setImpersonated] = useState<string>()
  const { mayOnPlatform } = usePermissions()
  const { nameOf } = useRoles()
  const { data, error, isPending, refetch } = useGet('/v1/identity/admin/tenants/{id}/members', {
    path: { id: tenantId },
    query: { limit: MAX_PAGE },
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const { data: members } = data
  const mayImpersonate = mayOnPlatform('identity.user.impersonate') && mayOnPlatform('identity.user.read_all')
  return (
    <>
      <ul className="entries panel">
        {members.map(({ id, userId, name, email, roles, profile }) => (
          <li key={id}>
            <div>
              {mayOnPlatform('identity.user.read_all') ? (
                <ScreenLink className="plain" to={`/identity/people/${userId}`}>
                  {name ?? email}
                </ScreenLink>
              ) : (
                (name ?? email)
              )}
              {name !== null && <p className="muted">{email}</p>}
              <MemberProfile values={profile} />
            </div>
            <RoleBadges keys={roles} nameOf={nameOf} />
            {mayImpersonate && (
              <RowMenu
                label={name ?? email}
                items={[
                  {
                    id: 'impersonate',
                    text: act.impersonate,
                    icon: 'eye',
                    onAction: () => setImpersonated(userId),
                  },
                ]}
              />
            )}
          </li>
        ))}
      </ul>
      {impersonated !== undefined && (
        <ImpersonateMember userId={impersonated} tenantId={tenantId} onClose={() => setImpersonated(undefined)} />
      )}
      {members.length < total && (
        <p className="muted more">{fill(c.firstMembers, { count: String(members.length), total: String(total) })}</p>
      )}
    </>
  )
}
