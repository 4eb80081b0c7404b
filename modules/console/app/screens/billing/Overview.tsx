/** The plan of the workspace, and its usage per entitlement. */
import {
  api,
  areaCrumbs,
  Button,
  ConfirmButton,
  EntitlementUsage,
  ErrorState,
  Facts,
  Loading,
  Page,
  SubscriptionBadge,
  useAction,
  useGet,
  usePermissions,
  useReload,
  useScreenTexts,
} from '../../public.ts'
import { DevClock } from './DevClock.tsx'
import { texts } from './texts.ts'

export default function Overview() {
  const t = useScreenTexts(texts)
  const { may, mayOnPlatform } = usePermissions()
  const subscription = useGet('/v1/billing/subscription')
  const plans = useGet('/v1/billing/plans')
  const entitlements = useGet('/v1/billing/entitlements', {
    isEnabled: may('billing.entitlement.read'),
  })
  const reload = useReload()
  const refresh = () =>
    Promise.all([reload('/v1/billing/subscription'), reload('/v1/billing/plans'), reload('/v1/billing/entitlements')])
  const { isBusy, run } = useAction({ onDone: refresh })
  if (subscription.error) return <ErrorState error={subscription.error} onRetry={subscription.refetch} />
  if (subscription.isPending) return <Loading />
  const { state, planKey, currentPeriodEnd, trialEndsAt, graceEndsAt, cancelAtPeriodEnd, paymentPaused } =
    subscription.data
  const plan = plans.data?.data.find(({ key }) => key === planKey)
  const facts = [
    [t.plan, 'planKey', plan?.name ?? planKey],
    [cancelAtPeriodEnd ? t.planEnds : t.periodEnd, 'currentPeriodEnd', currentPeriodEnd],
    [t.trialEnds, 'trialEndsAt', state === 'trialing' ? trialEndsAt : null],
    [t.graceEnds, 'graceEndsAt', paymentPaused ? null : graceEndsAt],
  ] as const
  const canCancel = may('billing.subscription.update') && plan !== undefined && plan.price !== 0
  return (
    <Page
      title={t.overview}
      crumbs={areaCrumbs('billing')}
      badge={<SubscriptionBadge {...subscription.data} />}
      actions={
        canCancel &&
        (cancelAtPeriodEnd ? (
          <Button isDisabled={isBusy} onPress={() => run(() => api.post('/v1/billing/subscription/resume'), t.resumed)}>
            {t.resume}
          </Button>
        ) : (
          currentPeriodEnd !== null && (
            <ConfirmButton
              kind="quiet"
              title={t.cancel}
              text={t.cancelText}
              confirm={t.cancel}
              danger
              isBusy={isBusy}
              onConfirm={() => run(() => api.post('/v1/billing/subscription/cancel', { body: {} }), t.cancelled)}
            />
          )
        ))
      }
    >
      <div className="stack">
        {paymentPaused && <p role="status">{t.pausedText}</p>}
        <Facts facts={facts.filter(([, , value]) => value !== null)} />
        {entitlements.error && <ErrorState error={entitlements.error} onRetry={entitlements.refetch} />}
        {entitlements.data && <EntitlementUsage entitlements={entitlements.data.data} />}
        {mayOnPlatform('billing.clock.advance') && <DevClock onDone={refresh} />}
      </div>
    </Page>
  )
}
