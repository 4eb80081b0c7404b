/** Names of what the recipe's automations add. Pure. */

/** Roles of the button have it. */
export const pressPermission = (key: string) => `automations.${key}.run` as const

/** `approve-refund` → `pressApproveRefund`. A `_` stays, so that no two keys have the same name. */
export const pressOperation = (key: string): string => `press${pascal(key)}`
/** `receiveDeliveryOfApproveRefund` */
export const receiveOperation = (key: string): string => `receiveDeliveryOf${pascal(key)}`

const pascal = (key: string): string =>
  key
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
