/** What operators see and change of a member of a product of people: roles, plan, usage and rows. */

import {
  type Api,
  EntitlementUsage,
  ErrorState,
  type Fact,
  Facts,
  labelIn,
  type MenuItem,
  pageAddress,
  type Resource,
  resourcePath,
  ScreenLink,
  Section,
  useCounts,
  useDocument,
  useGet,
  usePermissions,
  useResources,
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
import { RoleBadges, useRoles } from './roles.tsx'
import { useIdentityTexts } from './texts.ts'
import type { useWorkspaceTexts } from './workspace-texts.ts'

/** How often the numbers of rows are counted. */
const COUNT_MS = 60_000

type User = Api.UserDetails
type Billing = ReturnType<typeof useMemberBilling>
export type PlanChange = 'plan' | 'trial' | 'cancel' | 'credits'

/** The list in which the operator finds the person. */
export const listOf = ({ isCustomer, isStaff }: User, fallback: Resource, resources: readonly Resource[]): Resource => {
  const id = isStaff ? 'identity.staff' : isCustomer ? 'identity.customers' : fallback.id
  return resources.find(resource => resource.id === id) ?? fallback
}

/** Empty for a person who is no customer. */
export const memberIdOf = (user: User | undefined): string => (user?.isCustomer ? (user.memberships[0]?.id ?? '') : '')

/** Plan and usage of a customer; not loaded for anybody else. */
export function useMemberBilling(user: User | undefined) {
  const { mayOnPlatform } = usePermissions()
  const { data: resources = [] } = useResources()
  const hasBilling = resources.some(({ module }) => module === 'billing') && mayOnPlatform('billing.tenant.read_all')
  const memberId = memberIdOf(user)
  const { data, error, refetch } = useGet('/v1/billing/admin/members/{id}', {
    path: { id: memberId },
    isEnabled: hasBilling && memberId !== '',
  })
  const { data: plans } = useGet('/v1/billing/plans', { isEnabled: data !== undefined })
  return {
    data,
    error,
    refetch,
    memberId,
    hasPlans: (plans?.data.length ?? 0) > 1,
    mayChangePlan: mayOnPlatform('billing.subscription.update_all'),
    mayChangeCredits: mayOnPlatform('billing.credit.grant'),
  }
}

/** Commands on the plan and the credits. */
export function planItems(
  { data, hasPlans, mayChangePlan, mayChangeCredits }: Billing,
  open: (change: PlanChange) => void,
  w: ReturnType<typeof useWorkspaceTexts>,
): readonly MenuItem[] {
  if (!data) return []
  return [
    ...(hasPlans && mayChangePlan
      ? [{ id: 'plan', text: w.changePlan, icon: 'badge-euro', onAction: () => open('plan') }]
      : []),
    ...(isTrial(data.subscription) && mayChangePlan
      ? [{ id: 'trial', text: w.extendTrial, icon: 'calendar-clock', onAction: () => open('trial') }]
      : []),
    ...(isRunning(data.subscription) && mayChangePlan
      ? [{ id: 'cancel', text: w.cancelPlan, icon: 'circle-x', onAction: () => open('cancel') }]
      : []),
    ...(data.entitlements.some(isCredit) && mayChangeCredits
      ? [{ id: 'credits', text: w.changeCredits, icon: 'coins', onAction: () => open('credits') }]
      : []),
  ]
}

interface ChangeProps {
  readonly change: PlanChange
  readonly payer: Payer
  readonly onClose: () => void
}

const DIALOGS = { plan: PlanDialog, trial: TrialDialog, cancel: CancelDialog, credits: CreditsDialog }

export function PlanChangeDialog({ change, payer, onClose }: ChangeProps) {
  const Dialog = DIALOGS[change]
  return <Dialog {...payer} onClose={onClose} />
}

export function MemberSections({ user, billing }: { readonly user: User; readonly billing: Billing }) {
  const c = useIdentityTexts()
  const [membership] = user.memberships
  if (!membership) return <p className="notice">{c.noMember}</p>
  return (
    <>
      {user.isStaff && <Roles membership={membership} />}
      {user.isCustomer && <Plan billing={billing} />}
      <OwnRows memberId={membership.id} userId={user.id} />
    </>
  )
}

function Roles({ membership: { id, roles } }: { readonly membership: Api.MembershipWithTenant }) {
  const c = useIdentityTexts()
  const { may } = usePermissions()
  const { nameOf } = useRoles()
  return (
    <Section title={c.roles}>
      <div className="row panel member-roles">
        <RoleBadges keys={roles} nameOf={nameOf} />
        {may('identity.member.update') && (
          <a className="button secondary" href={pageAddress(`/workspace/members/${id}`)}>
            {c.changeRoles}
          </a>
        )}
      </div>
    </Section>
  )
}

function Plan({ billing: { data, error, refetch } }: { readonly billing: Billing }) {
  const c = useIdentityTexts()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return null
  const { subscription, planName, entitlements } = data
  const { state, currentPeriodEnd, trialEndsAt, graceEndsAt, cancelAtPeriodEnd, paymentPaused } = subscription
  const facts: readonly Fact[] = [
    [c.plan, 'planName', planName],
    [c.trialEnds, 'trialEndsAt', state === 'trialing' ? trialEndsAt : null],
    [cancelAtPeriodEnd ? c.planEnds : c.planRenews, 'currentPeriodEnd', state === 'trialing' ? null : currentPeriodEnd],
    [c.graceEnds, 'graceEndsAt', paymentPaused ? null : graceEndsAt],
  ]
  return (
    <>
      <Section title={c.plan}>
        <Facts facts={facts} label={c.plan} />
      </Section>
      {entitlements.length > 0 && <EntitlementUsage entitlements={entitlements} />}
    </>
  )
}

/** Lists of the collections, filtered by the fields that name the person. */
function OwnRows({ memberId, userId }: { readonly memberId: string; readonly userId: string }) {
  const c = useIdentityTexts()
  const { data: resources = [] } = useResources()
  const { data: document } = useDocument()
  const lists = resources
    .filter(({ within, offered }) => within === null && offered)
    .flatMap(resource => {
      const fields = Object.entries(document?.collection(resource.operations.list.id)?.fields ?? {})
      const ofMembers = fields.filter(([, { type }]) => type === 'member')
      // Who created a row says whose it is where no field does.
      const naming = ofMembers.length > 0 ? ofMembers : fields.filter(([, { type }]) => type === 'user')
      return naming.map(([field, { type, operators }]) => {
        const operator = operators.includes('eq') ? '' : '[contains]'
        const value = type === 'member' ? memberId : userId
        return { resource, field, filters: { [`filter[${field}]${operator}`]: value } }
      })
    })
  const counts = useCounts(lists, COUNT_MS)
  if (lists.length === 0) return null
  return (
    <Section title={c.rows}>
      <ul className="entries panel">
        {lists.map(({ resource, field, filters }, index) => (
          <li key={`${resource.id} ${field}`}>
            <div>
              <ScreenLink className="plain" to={resourcePath(resource)} search={{ filters }}>
                {`${resource.title}: ${labelIn(resource, field)}`}
              </ScreenLink>
            </div>
            <span className="muted">{counts[index]?.data?.text ?? ''}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
