/** What operators do for a workspace: change its plan and credits, suspend and resume it, delete it. */

import { useState } from 'react'
import {
  type Api,
  api,
  Button,
  fill,
  Menu,
  type MenuItem,
  ReasonDialog,
  type Resource,
  TextField,
  useNavigate,
  usePermissions,
  useRefresh,
  useTexts,
} from '../../public.ts'
import {
  CancelDialog,
  CreditsDialog,
  isCredit,
  isRunning,
  isTrial,
  type Payer,
  PlanDialog,
  TrialDialog,
} from './PlanDialogs.tsx'
import { useWorkspaceTexts } from './workspace-texts.ts'

interface Props {
  /** The list of workspaces. */
  readonly resource: Resource
  readonly tenant: Api.TenantSummary
  /** Null if the recipe has no billing, or the person may not see it. */
  readonly entitlements: readonly Api.Entitlement[] | null
  readonly subscription: Api.Subscription | null
  /** Loads what the action has changed. */
  readonly onDone: () => Promise<unknown>
}
interface DialogProps extends Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}
type ActionName = 'plan' | 'trial' | 'cancel' | 'credits' | 'suspend' | 'delete'

export function WorkspaceActions(props: Props) {
  const t = useTexts()
  const c = useWorkspaceTexts()
  const { mayOnPlatform } = usePermissions()
  const [open, setOpen] = useState<ActionName>()
  const { tenant, entitlements, subscription } = props
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
    ...(isTrial(subscription) && mayOnPlatform('billing.subscription.update_all')
      ? [item('trial', c.extendTrial, 'calendar-clock')]
      : []),
    ...(isRunning(subscription) && mayOnPlatform('billing.subscription.update_all')
      ? [item('cancel', c.cancelPlan, 'circle-x')]
      : []),
    ...(entitlements?.some(isCredit) && mayOnPlatform('billing.credit.grant')
      ? [item('credits', c.changeCredits, 'coins')]
      : []),
    ...(maySuspend && !isSuspended ? [item('suspend', c.suspend, 'pause', true)] : []),
    ...(mayOnPlatform('identity.tenant.delete_all') ? [item('delete', c.deleteWorkspace, 'trash-2', true)] : []),
  ]
  const onClose = () => setOpen(undefined)
  const dialog = (name: ActionName) => ({ ...props, isOpen: open === name, onClose })
  const payer: Payer = {
    at: '/v1/billing/admin/tenants',
    id: tenant.id,
    name: tenant.name,
    planKey: tenant.planKey,
    entitlements: entitlements ?? [],
    subscription,
    onDone: props.onDone,
  }
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
      {open === 'plan' && <PlanDialog {...payer} onClose={onClose} />}
      {open === 'trial' && <TrialDialog {...payer} onClose={onClose} />}
      {open === 'cancel' && <CancelDialog {...payer} onClose={onClose} />}
      {open === 'credits' && <CreditsDialog {...payer} onClose={onClose} />}
      {open === 'delete' && <DeletionDialog {...dialog('delete')} />}
    </>
  )
}

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
