/** A user of the installation, for operators: workspaces, logins, ways to sign in, API keys, recent changes. */

import { useState } from 'react'
import {
  type Api,
  api,
  audience,
  Badge,
  Button,
  ConfirmDialog,
  crumbsOf,
  ErrorState,
  type Fact,
  Facts,
  fieldLabel,
  fill,
  formatDate,
  Impersonate,
  Loading,
  Menu,
  Page,
  ReasonDialog,
  type ResourceScreenProps,
  ScreenLink,
  Section,
  SubscriptionBadge,
  useAction,
  useGet,
  useImpersonateTexts,
  useMe,
  usePermissions,
  useReload,
  useResources,
  useTexts,
} from '../../public.ts'
import { Logins } from './Logins.tsx'
import {
  listOf,
  MemberSections,
  memberIdOf,
  type PlanChange,
  PlanChangeDialog,
  planItems,
  useMemberBilling,
} from './Member.tsx'
import { PersonProfile } from './Profile.tsx'
import { RecentEntries } from './RecentEntries.tsx'
import { RoleBadges, useRoles } from './roles.tsx'
import { useIdentityTexts } from './texts.ts'
import { useWorkspaceTexts } from './workspace-texts.ts'
import './identity.css'

const MAX_KEYS = 20

export default function Person({ resource, id }: ResourceScreenProps) {
  const t = useTexts()
  const c = useIdentityTexts()
  const act = useImpersonateTexts()
  const { may, mayOnPlatform } = usePermissions()
  const { data: me } = useMe()
  const reload = useReload()
  const [isEnding, setEnding] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const [isImpersonating, setImpersonating] = useState(false)
  const [isSuspending, setSuspending] = useState(false)
  const [changing, setChanging] = useState<PlanChange>()
  const w = useWorkspaceTexts()
  const { data: resources = [] } = useResources()
  const path = { id }
  const refresh = () =>
    Promise.all([
      reload('/v1/identity/admin/users/{id}', path),
      reload('/v1/billing/admin/members/{id}', { id: memberIdOf(user) }),
      reload('/v1/platform/audit'),
    ])
  const { isBusy, run } = useAction({ onDone: refresh })
  const { data: user, error, isPending, refetch } = useGet('/v1/identity/admin/users/{id}', { path })
  const billing = useMemberBilling(user)
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  const name = user.name ?? user.email
  // Without the line in the recipe, the dialog says which one turns it on.
  const mayImpersonate = user.impersonable || (!user.impersonationEnabled && mayOnPlatform('identity.user.impersonate'))
  const facts: readonly Fact[] = [
    [fieldLabel('email'), 'email', user.email],
    [c.confirmed, 'emailVerified', user.emailVerified],
    [c.lastSignIn, 'lastSignInAt', user.lastSignInAt],
    [c.registered, 'createdAt', user.createdAt],
    [c.secondFactor, 'secondFactor', user.secondFactor],
    ['ID', 'id', user.id],
  ]

  const send = (action: 'password-reset' | 'verification', message: string) => () => {
    run(() => api.post(`/v1/identity/admin/users/{id}/${action}`, { path }), fill(message, { email: user.email }))
  }
  const listed = listOf(user, resource, resources)
  const isSuspended = user.suspendedAt !== null
  const maySuspend = mayOnPlatform('identity.customer.suspend') && user.isCustomer && !user.isStaff
  const items = [
    ...planItems(billing, setChanging, w),
    ...(mayImpersonate
      ? [{ id: 'impersonate', text: act.impersonate, icon: 'eye', onAction: () => setImpersonating(true) }]
      : []),
    ...(mayOnPlatform('identity.user.send_email')
      ? [{ id: 'reset', text: c.sendReset, icon: 'mail', onAction: send('password-reset', c.resetSent) }]
      : []),
    ...(mayOnPlatform('identity.user.send_email') && !user.emailVerified
      ? [{ id: 'confirm', text: c.sendConfirmation, icon: 'send', onAction: send('verification', c.confirmationSent) }]
      : []),
    ...(mayOnPlatform('identity.user.remove_second_factor') && user.secondFactor
      ? [{ id: 'factor', text: c.removeFactor, icon: 'shield-off', danger: true, onAction: () => setRemoving(true) }]
      : []),
    ...(maySuspend && !isSuspended
      ? [{ id: 'suspend', text: w.suspend, icon: 'pause', danger: true, onAction: () => setSuspending(true) }]
      : []),
    // The list of logins below has a button for people's own: it ends all but this one.
    ...(mayOnPlatform('identity.user.revoke_login') && user.id !== me?.user.id
      ? [{ id: 'end', text: c.endAll, icon: 'power', danger: true, onAction: () => setEnding(true) }]
      : []),
  ]
  return (
    <Page
      title={name}
      crumbs={crumbsOf(listed)}
      badge={
        <>
          {isSuspended && <Badge text="suspended" label={w.suspendedBadge} tone="danger" />}
          {billing.data && <SubscriptionBadge {...billing.data.subscription} />}
          {!user.emailVerified && <Badge text="pending" label={c.unconfirmed} />}
        </>
      }
      actions={
        <>
          {maySuspend && isSuspended && (
            <Button icon="play" onPress={() => setSuspending(true)}>
              {w.reinstate}
            </Button>
          )}
          {items.length > 0 && (
            <Menu
              label={t('actions')}
              trigger={<Button kind="quiet" icon="ellipsis" label={`${t('actions')}: ${name}`} isDisabled={isBusy} />}
              items={items}
            />
          )}
        </>
      }
    >
      <div className="stack">
        {user.suspendedAt !== null && (
          <p className="notice danger">
            {fill(w.suspendedNotice, { date: formatDate(user.suspendedAt), reason: user.suspensionReason ?? '' })}
          </p>
        )}
        <Facts facts={facts} />
        <PersonProfile
          values={user.profile}
          userId={id}
          mayChange={mayOnPlatform('identity.user.update_profile')}
          onDone={refresh}
        />
        {audience === 'teams' ? (
          <Section title={c.workspaces}>
            <Workspaces memberships={user.memberships} />
          </Section>
        ) : (
          <MemberSections user={user} billing={billing} />
        )}
        <Section title={c.logins}>
          <Logins userId={id} mayEnd={mayOnPlatform('identity.user.revoke_login')} />
        </Section>
        <Section title={c.signInMethods}>
          <SignInMethods userId={id} />
        </Section>
        <Section title={c.apiKeys}>
          <Keys userId={id} />
        </Section>
        {(may('platform.audit.read') || mayOnPlatform('platform.tenant.read_all')) && (
          <Section title={c.recent}>
            <RecentEntries query={{ 'filter[userId]': user.id }} />
          </Section>
        )}
      </div>
      {changing && billing.data && (
        <PlanChangeDialog
          change={changing}
          payer={{
            at: '/v1/billing/admin/members',
            id: billing.memberId,
            name,
            planKey: billing.data.subscription.planKey,
            entitlements: billing.data.entitlements,
            subscription: billing.data.subscription,
            onDone: refresh,
          }}
          onClose={() => setChanging(undefined)}
        />
      )}
      <ReasonDialog
        title={fill(isSuspended ? w.reinstateTitle : w.suspendTitle, { name })}
        text={isSuspended ? w.reinstateText : w.suspendCustomerText}
        hint={w.mailedToCustomer}
        confirm={isSuspended ? w.reinstate : w.suspend}
        danger={!isSuspended}
        message={isSuspended ? w.customerReinstated : w.customerSuspended}
        isOpen={isSuspending}
        onConfirm={async reason => {
          const action = isSuspended ? 'reinstate' : 'suspend'
          const input = { path: { id: memberIdOf(user) }, body: { reason } }
          await api.post(`/v1/identity/customers/{id}/${action}`, input)
          await refresh()
        }}
        onClose={() => setSuspending(false)}
      />
      <Impersonate user={user} isOpen={isImpersonating} onClose={() => setImpersonating(false)} />
      <ConfirmDialog
        title={fill(c.removeFactorTitle, { name })}
        text={c.removeFactorText}
        confirm={c.removeFactor}
        danger
        isOpen={isRemoving}
        isBusy={isBusy}
        onConfirm={() =>
          run(() => api.delete('/v1/identity/admin/users/{id}/second-factor', { path }), c.factorRemoved)
        }
        onClose={() => setRemoving(false)}
      />
      <ConfirmDialog
        title={fill(c.endAllTitle, { name })}
        text={c.endAllText}
        confirm={c.endAll}
        danger
        isOpen={isEnding}
        isBusy={isBusy}
        onConfirm={() => run(() => api.delete('/v1/identity/admin/users/{id}/logins', { path }), c.allEnded)}
        onClose={() => setEnding(false)}
      />
    </Page>
  )
}

function Workspaces({ memberships }: Pick<Api.UserDetails, 'memberships'>) {
  const c = useIdentityTexts()
  const { mayOnPlatform } = usePermissions()
  const { nameOf } = useRoles()
  if (memberships.length === 0) return <p className="muted">{c.noWorkspaces}</p>
  return (
    <ul className="entries panel">
      {memberships.map(({ id, roles, tenant }) => (
        <li key={id}>
          <div>
            {mayOnPlatform('identity.tenant.read_all') ? (
              <ScreenLink className="plain" to={`/identity/workspaces/${tenant.id}`}>
                {tenant.name}
              </ScreenLink>
            ) : (
              tenant.name
            )}
          </div>
          <RoleBadges keys={roles} nameOf={nameOf} />
        </li>
      ))}
    </ul>
  )
}

function SignInMethods({ userId }: { readonly userId: string }) {
  const c = useIdentityTexts()
  const { data, error, isPending, refetch } = useGet('/v1/identity/admin/users/{id}/sign-in-methods', {
    path: { id: userId },
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  if (data.data.length === 0) return <p className="muted">{c.noSignInMethods}</p>
  return (
    <ul className="entries panel">
      {data.data.map(({ id, method, label, email, createdAt, lastUsedAt }) => {
        const facts = [
          email,
          createdAt && fill(c.addedAt, { date: formatDate(createdAt) }),
          lastUsedAt && fill(c.usedAt, { date: formatDate(lastUsedAt) }),
        ].filter(Boolean)
        return (
          <li key={id}>
            <div>
              <p>{method === 'password' ? c.password : label}</p>
              {facts.length > 0 && <p className="muted">{facts.join(' · ')}</p>}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

function Keys({ userId }: { readonly userId: string }) {
  const c = useIdentityTexts()
  const { data, error, isPending, refetch } = useGet('/v1/identity/admin/users/{id}/api-keys', {
    path: { id: userId },
    query: { limit: MAX_KEYS },
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (isPending) return <Loading />
  if (data.data.length === 0) return <p className="muted">{c.noKeys}</p>
  return (
    <ul className="entries panel">
      {data.data.map(({ id, name, permissions, expiresAt, lastUsedAt, tenant }) => (
        <li key={id}>
          <div>
            <p>{name}</p>
            <p className="muted">
              {tenant.name} · <Scopes permissions={permissions} /> ·{' '}
              {lastUsedAt ? fill(c.usedAt, { date: formatDate(lastUsedAt) }) : c.neverUsed}
            </p>
          </div>
          {expiresAt !== null && (
            <span className="muted">
              {c.expires}: <Expiry at={expiresAt} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function Scopes({ permissions }: Pick<Api.UserApiKey, 'permissions'>) {
  const c = useIdentityTexts()
  if (permissions === null) return <>{c.allPermissions}</>
  const said = permissions.length === 1 ? c.oneScope : fill(c.someScopes, { count: permissions.length })
  return <span title={permissions.join(', ')}>{said}</span>
}

function Expiry({ at }: { readonly at: string }) {
  const c = useIdentityTexts()
  if (Date.parse(at) <= Date.now()) return <Badge text="expired" label={c.expired} />
  return <time dateTime={at}>{formatDate(at)}</time>
}
