/**
 * Actions of operators on a workspace, and in a product of people on a member: changing and canceling the plan, extending
 * its trial, granting credits and taking them back.
 */
import {
  type Clock,
  common,
  DAY,
  type Deps,
  invalidField,
  NameOf,
  Nullable,
  named,
  type Registrations,
  reply,
  route,
  SECOND,
  type Static,
  Type,
  together,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { type Subject, workspaceOf } from '../domain/subject.ts'
import { problems } from '../problems.ts'
import { PlanKey } from '../recipe/sections.ts'
import { LedgerEntry } from '../records.ts'
import type { SubscriptionView } from '../services/subscription-service.ts'
import type { BillingServices } from '../services.ts'
import { CreditKey, ExpiresAt, MAX_AMOUNT, parseExpiry } from './credits.ts'
import { Subscription } from './subscription.ts'

const Reason = NameOf(500)

const PlanBody = Type.Object(
  { planKey: PlanKey, reason: Reason },
  { examples: [{ planKey: 'pro', reason: 'Agreed on the phone' }] },
)
const CancelBody = Type.Object({ reason: Reason }, { examples: [{ reason: 'Asked for it by phone' }] })
const TrialBody = Type.Object(
  {
    trialEndsAt: Type.String({
      format: 'date-time',
      maxLength: 40,
      description: 'After the present end of the trial, and at most a year from now',
    }),
    reason: Reason,
  },
  { examples: [{ trialEndsAt: '2026-12-24T18:00:00Z', reason: 'Needs more time for its import' }] },
)
const MAX_TRIAL_MS = 366 * DAY

const ChangedPlan = named(
  'ChangedPlan',
  Type.Object({
    subscription: Subscription,
    checkoutUrl: Nullable(
      Type.String({ description: 'Where the workspace pays for the plan first; null if the plan has changed' }),
    ),
  }),
)
const CreditsBody = Type.Object(
  {
    key: CreditKey,
    amount: Type.Integer({
      minimum: -MAX_AMOUNT,
      maximum: MAX_AMOUNT,
      description: 'A negative amount takes credits back',
    }),
    reason: Reason,
    refundOf: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'ID of the consumption that is refunded' }),
    ),
    expiresAt: ExpiresAt,
  },
  { examples: [{ key: 'ai.credits', amount: 100, reason: 'Outage on Monday' }] },
)

type RouteDeps = Deps<'systemDatabase' | 'clock' | 'registry'> &
  Pick<
    BillingServices,
    'billingSettings' | 'checkout' | 'credits' | 'subjects' | 'subscriptions' | 'tenants' | 'translator'
  >

export const operatorRoutes = (deps: RouteDeps) => [
  ...subjectRoutes(deps, {
    path: '/billing/admin/tenants',
    name: 'Tenant',
    whose: 'any workspace',
    payer: 'a workspace that',
    find: deps.tenants.workspace,
    async current(id) {
      const subject = workspaceOf(id)
      const { before } = await together({
        tenant: deps.tenants.assertExists(id),
        before: deps.subscriptions.get(subject),
      })
      return { subject, before }
    },
  }),
  ...(deps.subjects.arePeople
    ? subjectRoutes(deps, {
        path: '/billing/admin/members',
        name: 'Member',
        whose: 'any member',
        payer: 'a person who',
        find: deps.tenants.member,
        async current(id) {
          const subject = await deps.tenants.member(id)
          return { subject, before: await deps.subscriptions.get(subject) }
        },
      })
    : []),
]

/** The kind of subject that an operator acts on. */
interface SubjectKind {
  readonly path: `/${string}`
  readonly name: string
  readonly whose: string
  readonly payer: string
  find(id: string): Promise<Subject>
  /** The subscription of an ID that may be of nobody, in as few round trips as possible. */
  current(id: string): Promise<{ readonly subject: Subject; readonly before: SubscriptionView }>
}

function subjectRoutes(deps: RouteDeps, { path, name, whose, payer, find, current }: SubjectKind) {
  const { systemDatabase, clock, registry, billingSettings, checkout, credits, subscriptions, translator } = deps
  const allTenants = () => systemDatabase.acrossTenants('operators change the plan and the credits of any tenant')
  const record: Registrations['operatorActions'] = async (unit, action) => {
    for (const { value } of registry.collect<Registrations['operatorActions']>('operatorActions'))
      await value(unit, action)
  }

  const changePlan = route({
    method: 'put',
    path: `${path}/:id/subscription`,
    operationId: `change${name}Plan`,
    summary: `Changes the plan of ${whose}. Recorded in the audit log.`,
    description: `The plan begins without a trial. The default plan cancels the subscription at once. With a payment provider, ${payer} has not paid before gets a URL for the payment.`,
    allow: 'billing.subscription.update_all',
    body: PlanBody,
    replies: { 200: ChangedPlan },
    problems: PROVIDER_PROBLEMS,
    // The payment provider is called: no transaction stays open meanwhile.
    unit: 'own',
    async handle({ params: { id }, body: { planKey, reason }, caller, request }) {
      const { subject, before } = await current(id)
      const { planKey: previousPlanKey } = before
      const checkoutUrl = await setPlan(subject, planKey, translator.localeOf(request))
      const subscription = await subscriptions.get(subject)
      const details = {
        reason,
        planKey,
        previousPlanKey,
        ...memberOf(subject),
        ...(checkoutUrl !== null && { unpaid: true }),
      }
      const action = 'subscription.changed'
      await allTenants().transaction(unit =>
        record(unit, { caller, tenantId: subject.tenantId, action, subject: subscription.id, details }),
      )
      return { subscription, checkoutUrl }
    },
  })

  const cancelPlan = route({
    method: 'post',
    path: `${path}/:id/subscription/cancel`,
    operationId: `cancel${name}Plan`,
    summary: `Cancels the plan of ${whose} at the end of its period. Recorded in the audit log.`,
    description: 'A trial ends without a payment. Until then, the plan can be resumed. The default plan follows.',
    allow: 'billing.subscription.update_all',
    body: CancelBody,
    replies: { 200: Subscription },
    problems: PROVIDER_PROBLEMS,
    idempotent: false,
    // The payment provider is called: no transaction stays open meanwhile.
    unit: 'own',
    async handle({ params: { id }, body: { reason }, caller }) {
      const { subject } = await current(id)
      await checkout.cancel(subject)
      const subscription = await subscriptions.get(subject)
      const { planKey, currentPeriodEnd } = subscription
      const details = { reason, planKey, endsAt: currentPeriodEnd, ...memberOf(subject) }
      await allTenants().transaction(unit =>
        record(unit, {
          caller,
          tenantId: subject.tenantId,
          action: 'subscription.canceled',
          subject: subscription.id,
          details,
        }),
      )
      return subscription
    },
  })

  const extendTrial = route({
    method: 'post',
    path: `${path}/:id/subscription/trial`,
    operationId: `extend${name}Trial`,
    summary: `Moves the end of the trial of ${whose}. Recorded in the audit log.`,
    description: 'Credits of the plan expire with the new end. The same end again changes nothing.',
    allow: 'billing.subscription.update_all',
    body: TrialBody,
    replies: { 200: Subscription },
    problems: PROVIDER_PROBLEMS,
    idempotent: false,
    // The payment provider is called: no transaction stays open meanwhile.
    unit: 'own',
    async handle({ params: { id }, body, caller }) {
      const until = trialEndOf(body, clock)
      const { subject } = await current(id)
      const previous = await checkout.extendTrial(subject, until)
      const subscription = await subscriptions.get(subject)
      if (previous === until) return subscription
      const details = {
        reason: body.reason,
        trialEndsAt: subscription.trialEndsAt,
        previousTrialEndsAt: new Date(previous),
        ...memberOf(subject),
      }
      await allTenants().transaction(unit =>
        record(unit, {
          caller,
          tenantId: subject.tenantId,
          action: 'trial.extended',
          subject: subscription.id,
          details,
        }),
      )
      return subscription
    },
  })

  /** Returns where the plan is paid for, or null. */
  async function setPlan(subject: Subject, planKey: string, locale: string): Promise<string | null> {
    if (planKey === billingSettings.defaultPlan) {
      await checkout.cancel(subject, 'now')
      return null
    }
    const { status, url } = await checkout.buy(subject, { planKey, locale, isGiven: true })
    return status === 'open' ? url : null
  }

  const changeCredits = route({
    method: 'post',
    path: `${path}/:id/credits`,
    operationId: `change${name}Credits`,
    summary: `Grants credits to ${whose}, refunds them, or takes them back. Recorded in the audit log.`,
    description: 'Each Idempotency-Key changes them once.',
    allow: 'billing.credit.grant',
    body: CreditsBody,
    replies: { 201: LedgerEntry },
    problems: [common.not_found, problems.insufficient_credits],
    idempotent: 'required',
    // The workspace differs from that of the request.
    unit: 'own',
    async handle({ params: { id }, body, caller }) {
      const { key, amount, reason, refundOf } = body
      if (amount === 0) throw invalidField('/amount', 'too_small', wording('must not be 0'))
      if (amount < 0 && refundOf !== undefined)
        throw invalidField('/amount', 'too_small', wording('must be at least 1 for a refund'))
      credits.assertCreditKey(key)
      const expiresAt = parseExpiry(body, clock)
      const actor = { kind: caller.kind, id: caller.principalId }
      const details = { key, amount, reason, reference: refundOf ?? null, source: null, actor }
      const entry = await allTenants().transaction(async unit => {
        const subject = await find(id)
        const written = await write(unit, subject)
        if (!written) throw new Error('a grant without a source was taken for a repeated one')
        await record(unit, {
          caller,
          tenantId: subject.tenantId,
          action: amount > 0 ? 'credits.granted' : 'credits.taken_back',
          subject: written.id,
          details: { key, amount, reason, ...memberOf(subject), ...(refundOf !== undefined && { refundOf }) },
        })
        return written
      })
      return reply(201, entry)

      function write(unit: Unit, subject: Subject) {
        if (amount < 0) return credits.adjust(unit, subject, details)
        if (refundOf !== undefined) return credits.refund(unit, subject, { ...details, entryId: refundOf }, '/refundOf')
        return credits.grant(unit, subject, { ...details, expiresAt })
      }
    },
  })

  return [changePlan, cancelPlan, extendTrial, changeCredits]
}

/** Milliseconds since 1970. Providers know whole seconds. */
function trialEndOf({ trialEndsAt }: Static<typeof TrialBody>, clock: Clock): number {
  const until = Math.floor(Date.parse(trialEndsAt) / SECOND) * SECOND
  if (until <= clock.now()) throw invalidField('/trialEndsAt', 'past', wording('must be in the future'))
  if (until > clock.now() + MAX_TRIAL_MS)
    throw invalidField('/trialEndsAt', 'too_late', wording('must be at most a year from now'))
  return until
}

const PROVIDER_PROBLEMS = [common.not_found, common.invalid_state, problems.provider_failed, problems.no_provider]

const memberOf = ({ memberId }: Subject) => (memberId ? { memberId } : {})
