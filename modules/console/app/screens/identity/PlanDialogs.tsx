/** What operators change about the plan and the credits of a workspace or of a customer. */

import { useRef, useState } from 'react'
import {
  type Api,
  api,
  Dialog,
  fill,
  formatDate,
  formatMoney,
  InlineCode,
  ReasonDialog,
  SelectField,
  TextField,
  useGet,
} from '../../public.ts'
import { useWorkspaceTexts } from './workspace-texts.ts'

const MEMBERS = '/v1/billing/admin/members'

/** Whose plan it is. */
export interface Payer {
  readonly at: '/v1/billing/admin/tenants' | typeof MEMBERS
  /** ID of the workspace or of the member. */
  readonly id: string
  readonly name: string
  readonly planKey: string | null
  readonly entitlements: readonly Api.Entitlement[]
  readonly subscription: Api.Subscription | null
  /** Loads what the action has changed. */
  readonly onDone: () => Promise<unknown>
}
interface DialogProps extends Payer {
  readonly onClose: () => void
}

export const isCredit = ({ kind }: Api.Entitlement): boolean => kind === 'credit'

export function PlanDialog({ at, id, name, planKey, onDone, onClose }: DialogProps) {
  const c = useWorkspaceTexts()
  const isPerson = at === MEMBERS
  const [chosen, setChosen] = useState('')
  const [checkoutUrl, setCheckoutUrl] = useState<string | null>(null)
  const { data } = useGet('/v1/billing/plans')
  const plans = data?.data.filter(({ key }) => key !== planKey) ?? []
  if (checkoutUrl !== null)
    return (
      <Dialog title={c.paymentTitle} isOpen onClose={onClose}>
        <p>{isPerson ? c.paymentOfPersonText : c.paymentText}</p>
        <pre className="code">{checkoutUrl}</pre>
      </Dialog>
    )
  return (
    <ReasonDialog
      title={fill(c.planTitle, { name })}
      text={c.planText}
      hint={isPerson ? c.operatorReason : c.loggedReason}
      confirm={c.changePlan}
      isReady={chosen !== ''}
      isOpen
      onConfirm={async reason => {
        const input = { path: { id }, body: { planKey: chosen, reason } }
        const changed = await api.put(`${at}/{id}/subscription`, input)
        await onDone()
        setCheckoutUrl(changed.body.checkoutUrl)
        return changed.body.checkoutUrl === null
      }}
      message={c.planChanged}
      onClose={onClose}
    >
      {() => (
        <SelectField
          label={c.newPlan}
          required
          value={chosen}
          options={[
            ['', c.choosePlan],
            ...plans.map(
              ({ key, name: title, price, currency }) => [key, `${title} (${formatMoney(price, currency)})`] as const,
            ),
          ]}
          onChange={setChosen}
        />
      )}
    </ReasonDialog>
  )
}

const RUNNING: readonly string[] = ['trialing', 'active', 'past_due'] satisfies Api.Subscription['state'][]
export const isTrial = (subscription: Api.Subscription | null): boolean =>
  subscription?.state === 'trialing' && !subscription.cancelAtPeriodEnd
export const isRunning = (subscription: Api.Subscription | null): boolean =>
  subscription !== null && RUNNING.includes(subscription.state) && !subscription.cancelAtPeriodEnd

/** The local day of a time, as an input of type `date` has it. */
function dayOf(time: number): string {
  const date = new Date(time)
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
const TWO_WEEKS = 14 * 86_400_000
const YEAR = 365 * 86_400_000

/** The trial ends on the chosen day at the same time of day as before. */
export function TrialDialog({ at, id, name, subscription, onDone, onClose }: DialogProps) {
  const c = useWorkspaceTexts()
  const end = Date.parse(subscription?.trialEndsAt ?? '') || Date.now()
  const [day, setDay] = useState(dayOf(end + TWO_WEEKS))
  return (
    <ReasonDialog
      title={fill(c.trialTitle, { name })}
      text={fill(c.trialText, { date: formatDate(new Date(end).toISOString()) })}
      hint={at === MEMBERS ? c.operatorReason : c.loggedReason}
      confirm={c.extendTrial}
      isReady={day !== ''}
      isOpen
      onConfirm={async reason => {
        const trialEndsAt = new Date(`${day}T${new Date(end).toTimeString().slice(0, 8)}`).toISOString()
        await api.post(`${at}/{id}/subscription/trial`, { path: { id }, body: { trialEndsAt, reason } })
        await onDone()
      }}
      message={c.trialExtended}
      fields={['/trialEndsAt']}
      onClose={onClose}
    >
      {errors => (
        <TextField
          label={c.trialUntil}
          error={errors.get('/trialEndsAt')}
          type="date"
          min={dayOf(end)}
          max={dayOf(Date.now() + YEAR)}
          required
          value={day}
          onChange={setDay}
        />
      )}
    </ReasonDialog>
  )
}

export function CancelDialog({ at, id, name, subscription, onDone, onClose }: DialogProps) {
  const c = useWorkspaceTexts()
  const end = subscription?.currentPeriodEnd ?? null
  return (
    <ReasonDialog
      title={fill(c.cancelTitle, { name })}
      text={end === null ? c.cancelText : fill(c.cancelAtText, { date: formatDate(end) })}
      hint={at === MEMBERS ? c.operatorReason : c.loggedReason}
      confirm={c.cancelPlan}
      danger
      isOpen
      onConfirm={async reason => {
        await api.post(`${at}/{id}/subscription/cancel`, { path: { id }, body: { reason } })
        await onDone()
      }}
      message={c.planCanceled}
      onClose={onClose}
    />
  )
}

const CHANGES = ['grant', 'refund', 'takeBack'] as const
type Change = (typeof CHANGES)[number]

export function CreditsDialog({ at, id, name, entitlements, onDone, onClose }: DialogProps) {
  const c = useWorkspaceTexts()
  const credits = entitlements.filter(isCredit)
  const [key, setKey] = useState(credits[0]?.key ?? '')
  const [change, setChange] = useState<Change>('grant')
  const [amount, setAmount] = useState('')
  const [refundOf, setRefundOf] = useState('')
  const isRefund = change === 'refund'
  // An input of numbers keeps `1.000`, which isn't one here.
  const count = /^\d+$/.test(amount) ? Number(amount) : Number.NaN
  const attempt = useRef({ change: '', idempotencyKey: '' })
  const balance = credits.find(entitlement => entitlement.key === key)?.limit ?? 0
  return (
    <ReasonDialog
      title={fill(c.creditsTitle, { name })}
      hint={at === MEMBERS ? c.operatorReason : c.loggedReason}
      confirm={c[change]}
      danger={change === 'takeBack'}
      isReady={Number.isInteger(count) && count > 0 && (!isRefund || refundOf.trim() !== '')}
      isOpen
      onConfirm={async reason => {
        const body = {
          key,
          amount: change === 'takeBack' ? -count : count,
          reason,
          ...(isRefund && { refundOf: refundOf.trim() }),
        }
        // A repeated attempt changes the credits once; another change is a new one.
        const text = JSON.stringify(body)
        if (attempt.current.change !== text) attempt.current = { change: text, idempotencyKey: crypto.randomUUID() }
        const { idempotencyKey } = attempt.current
        await api.post(`${at}/{id}/credits`, { path: { id }, body, idempotencyKey })
        await onDone()
      }}
      message={c.creditsChanged}
      fields={['/amount', '/refundOf']}
      onClose={onClose}
    >
      {errors => (
        <>
          <SelectField
            label={c.credits}
            hint={fill(c.balance, { count: String(balance) })}
            value={key}
            options={credits.map(entitlement => [entitlement.key, entitlement.name ?? entitlement.key])}
            onChange={setKey}
          />
          <SelectField
            label={c.change}
            value={change}
            options={CHANGES.map(each => [each, c[each]])}
            onChange={setChange}
          />
          <TextField
            label={c.amount}
            error={errors.get('/amount')}
            type="number"
            min={1}
            step={1}
            required
            value={amount}
            onChange={setAmount}
          />
          {isRefund && (
            <TextField
              label={c.refundOf}
              hint={<InlineCode text={c.refundHint} />}
              error={errors.get('/refundOf')}
              required
              value={refundOf}
              onChange={setRefundOf}
            />
          )}
        </>
      )}
    </ReasonDialog>
  )
}
