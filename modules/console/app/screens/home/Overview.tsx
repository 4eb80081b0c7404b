/**
 * The home screen: what needs attention, one chart beside the numbers of the product, and what happened last. Each part
 * appears when those above it are there, so that nothing moves.
 */
import { useDeferredValue } from 'react'
import {
  EntitlementUsage,
  hasArea,
  Loading,
  languageStore,
  useGet,
  usePermissions,
  useResources,
  useStore,
} from '../../public.ts'
import { Activity } from './Activity.tsx'
import { Attention } from './Attention.tsx'
import { useCards } from './cards.ts'
import { useFindings, useNotices } from './checks.ts'
import styles from './Home.module.css'
import { MainChart } from './MainChart.tsx'
import { Numbers } from './Numbers.tsx'
import { Steps, useSteps } from './Steps.tsx'

export function Overview() {
  const language = useStore(languageStore)
  // In the order of the screen, in which the requests begin: browsers send six of them at the same time.
  const { steps, isPending: areStepsPending } = useSteps()
  const { findings, failed, isPending: areFindingsPending } = useFindings()
  const { notices, isPending: areNoticesPending } = useNotices(instant =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(instant)),
  )
  const { numbers, charts, isPending: areCardsPending } = useCards()
  const isPending = areStepsPending || areFindingsPending || areNoticesPending || areCardsPending
  // Deferred, so that a long task is split.
  const isWaiting = useDeferredValue(isPending)
  if (areStepsPending) return <Loading />
  const hasBoth = numbers.length > 0 && charts.length > 0
  return (
    <div className={styles.home}>
      {steps.length > 0 && <Steps steps={steps} />}
      {isWaiting ? (
        <Loading />
      ) : (
        <>
          <Attention findings={findings} notices={notices} failed={failed} />
          {numbers.length + charts.length > 0 && (
            <div className={styles.middle} data-alone={!hasBoth || undefined}>
              <MainChart charts={charts} />
              {numbers.length > 0 && <Numbers cards={numbers} />}
            </div>
          )}
          {!hasArea('platform') && <PlanUsage />}
          <Activity />
        </>
      )}
    </div>
  )
}

/** What a customer uses of their plan. */
function PlanUsage() {
  const { may } = usePermissions()
  const { data: resources = [] } = useResources()
  const { data } = useGet('/v1/billing/entitlements', {
    isEnabled: may('billing.entitlement.read') && resources.some(({ module }) => module === 'billing'),
  })
  return data && data.data.length > 0 ? <EntitlementUsage entitlements={data.data} /> : null
}
