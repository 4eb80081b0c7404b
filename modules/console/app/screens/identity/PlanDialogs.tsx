/** What operators change about the plan and the credits of a workspace or of a customer. */

import { useRef, useState } from 'react'
import {
  type Api,
  api,
  Dialog,
  fill,
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
  const count = Number(amount)
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
