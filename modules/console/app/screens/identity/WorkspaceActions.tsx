/** What operators do for a workspace: change its plan and credits, suspend and resume it, delete it. */

import { useRef, useState } from 'react'
import {
  type Api,
  api,
  Button,
  Dialog,
  fill,
  formatMoney,
  InlineCode,
  Menu,
  type MenuItem,
  ReasonDialog,
  type Resource,
  SelectField,
  TextField,
  useGet,
  useNavigate,
  usePermissions,
  useRefresh,
  useTexts,
} from '../../public.ts'
import { useWorkspaceTexts } from './workspace-texts.ts'

interface Props {
  /** The list of workspaces. */
  readonly resource: Resource
  readonly tenant: Api.TenantSummary
  /** Null if the recipe has no billing, or the person may not see it. */
  readonly entitlements: readonly Api.Entitlement[] | null
  /** Loads what the action has changed. */
  readonly onDone: () => Promise<unknown>
}
interface DialogProps extends Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}
type ActionName = 'plan' | 'credits' | 'suspend' | 'delete'

export function WorkspaceActions(props: Props) {
  const t = useTexts()
  const c = useWorkspaceTexts()
  const { mayOnPlatform } = usePermissions()
  const [open, setOpen] = useState<ActionName>()
  const { tenant, entitlements } = props
  const isSuspended = tenant.suspendedAt !== null
  const item = (id: ActionName, text: string, icon: string, danger = false): MenuItem => ({
    id,
    text,
    icon,
    danger,
    onAction: () => setOpen(id),
  })
  const maySuspend = mayOnPlatform('identity.tenant.suspend')
  const items = [
    ...(entitlements && mayOnPlatform('billing.subscription.update_all')
      ? [item('plan', c.changePlan, 'badge-euro')]
      : []),
    ...(entitlements?.some(isCredit) && mayOnPlatform('billing.credit.grant')
      ? [item('credits', c.changeCredits, 'coins')]
      : []),
    ...(maySuspend && !isSuspended ? [item('suspend', c.suspend, 'pause', true)] : []),
    ...(mayOnPlatform('identity.tenant.delete_all') ? [item('delete', c.deleteWorkspace, 'trash-2', true)] : []),
  ]
  const dialog = (name: ActionName) => ({ ...props, isOpen: open === name, onClose: () => setOpen(undefined) })
  return (
    <>
      {maySuspend && isSuspended && (
        <Button icon="play" onPress={() => setOpen('suspend')}>
          {c.resume}
        </Button>
      )}
      {items.length > 0 && (
        <Menu
          label={t('actions')}
          trigger={<Button kind="quiet" icon="ellipsis" label={`${t('actions')}: ${tenant.name}`} />}
          items={items}
        />
      )}
      <SuspensionDialog {...dialog('suspend')} />
      {open === 'plan' && <PlanDialog {...dialog('plan')} />}
      {open === 'credits' && <CreditsDialog {...dialog('credits')} />}
      {open === 'delete' && <DeletionDialog {...dialog('delete')} />}
    </>
  )
}

const isCredit = ({ kind }: Api.Entitlement): boolean => kind === 'credit'

function SuspensionDialog({ tenant, isOpen, onDone, onClose }: DialogProps) {
  const c = useWorkspaceTexts()
  const isSuspended = tenant.suspendedAt !== null
  const action = isSuspended ? 'resume' : 'suspend'
  return (
    <ReasonDialog
      title={fill(isSuspended ? c.resumeTitle : c.suspendTitle, { name: tenant.name })}
      text={isSuspended ? c.resumeText : c.suspendText}
      hint={c.mailedReason}
      confirm={isSuspended ? c.resume : c.suspend}
      danger={!isSuspended}
      message={isSuspended ? c.resumed : c.suspended}
      isOpen={isOpen}
      onConfirm={async reason => {
        await api.post(`/v1/identity/admin/tenants/{id}/${action}`, { path: { id: tenant.id }, body: { reason } })
        await onDone()
      }}
      onClose={onClose}
    />
  )
}

function DeletionDialog({ resource, tenant, onClose }: DialogProps) {
  const c = useWorkspaceTexts()
  const navigate = useNavigate()
  const refresh = useRefresh(resource)
  const [typed, setTyped] = useState('')
  return (
    <ReasonDialog
      title={fill(c.deleteTitle, { name: tenant.name })}
      text={c.deleteText}
      hint={c.deleteReason}
      confirm={c.deleteWorkspace}
      danger
      isReady={typed.trim() === tenant.name.trim()}
      isOpen
      message={c.deleted}
      onConfirm={async reason => {
        await api.post('/v1/identity/admin/tenants/{id}/delete', { path: { id: tenant.id }, body: { reason } })
        await navigate({ to: '/identity/workspaces' })
        await refresh([tenant.id])
      }}
      onClose={onClose}
    >
      {() => <TextField label={fill(c.deleteName, { name: tenant.name })} required value={typed} onChange={setTyped} />}
    </ReasonDialog>
  )
}

function PlanDialog({ tenant, onDone, onClose }: DialogProps) {
  const c = useWorkspaceTexts()
  const [chosen, setChosen] = useState('')
  const [checkoutUrl, setCheckoutUrl] = useState<string | null>(null)
  const { data } = useGet('/v1/billing/plans')
  const plans = data?.data.filter(({ key }) => key !== tenant.planKey) ?? []
  if (checkoutUrl !== null)
    return (
      <Dialog title={c.paymentTitle} isOpen onClose={onClose}>
        <p>{c.paymentText}</p>
        <pre className="code">{checkoutUrl}</pre>
      </Dialog>
    )
  return (
    <ReasonDialog
      title={fill(c.planTitle, { name: tenant.name })}
      text={c.planText}
      hint={c.loggedReason}
      confirm={c.changePlan}
      isReady={chosen !== ''}
      isOpen
      onConfirm={async reason => {
        const input = { path: { id: tenant.id }, body: { planKey: chosen, reason } }
        const changed = await api.put('/v1/billing/admin/tenants/{id}/subscription', input)
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
              ({ key, name, price, currency }) => [key, `${name} (${formatMoney(price, currency)})`] as const,
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

function CreditsDialog({ tenant, entitlements, onDone, onClose }: DialogProps) {
  const c = useWorkspaceTexts()
  const credits = entitlements?.filter(isCredit) ?? []
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
      title={fill(c.creditsTitle, { name: tenant.name })}
      hint={c.loggedReason}
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
        await api.post('/v1/billing/admin/tenants/{id}/credits', { path: { id: tenant.id }, body, idempotencyKey })
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
