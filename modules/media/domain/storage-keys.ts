/** Keys of objects in storage. They contain ids only, no names chosen by users. */

export interface ItemKey {
  readonly tenantId: string
  readonly id: string
}
/** Target of uploads. Never served. */
export const quarantineKey = ({ tenantId, id }: ItemKey): string => `quarantine/${tenantId}/${id}`
/** The checked file or one of its variants. */
export const fileKey = ({ tenantId, id }: ItemKey, variant?: string): string =>
  `files/${tenantId}/${id}${variant === undefined ? '' : `.${variant}`}`
