/**
 * The home screen: what needs attention, one chart beside the numbers of the product, and what happened last. Each part
 * appears when those above it are there, so that nothing moves.
 */
import { useDeferredValue } from 'react'
import {
  audience,
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
import { cardsOf } from './cards.ts'
import { useFindings, useNotices } from './findings.ts'
import styles from './Home.module.css'
import { MainChart } from './MainChart.tsx'
import { Numbers } from './Numbers.tsx'
import { homePlan } from './plan.ts'
import { Steps, useSteps } from './Steps.tsx'

export function Overview() {
  const language = useStore(languageStore)
  const { data: resources = [] } = useResources()
  const reader = { audience, hasArea, resources, ...usePermissions() }
  const plan = homePlan(reader)
  const { steps, isPending: areStepsPending } = useSteps(plan)
  const { findings, failed, isPending: areFindingsPending } = useFindings(plan)
  const { notices, isPending: areNoticesPending } = useNotices(plan, instant =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(instant)),
  )
  const { data: cards, isPending: areCardsPending } = useGet('/v1/console/home', { followsFocus: false })
  const { numbers, charts } = cardsOf(cards?.data ?? [], reader)
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
          <PlanUsage isShown={plan.showsUsage} />
          <Activity plan={plan} />
        </>
      )}
    </div>
  )
}

/** What a customer uses of their plan. */
function PlanUsage({ isShown }: { readonly isShown: boolean }) {
  const { data } = useGet('/v1/billing/entitlements', { isEnabled: isShown })
  return data && data.data.length > 0 ? <EntitlementUsage entitlements={data.data} /> : null
}
