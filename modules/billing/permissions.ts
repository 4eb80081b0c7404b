export const permissions = {
  'billing.plan.read': 'See the plans on sale',
  'billing.subscription.read': 'See the plan of the workspace',
  'billing.subscription.update': 'Buy, change, cancel and resume the plan of the workspace',
  'billing.entitlement.read': 'See what the plan allows and what is used of it',
  'billing.credit.read': 'See credits and what became of them',
  'billing.credit.consume': 'Draw credits',
  'billing.credit.grant': { title: 'Grant, refund and adjust credits of any workspace', scope: 'platform' },
  'billing.clock.advance': { title: 'Walk the time of the development provider', scope: 'platform' },
} as const
