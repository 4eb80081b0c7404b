/** Where the bytes of an item stand in a storage: names of the server's own alone. Pure. */

export interface ItemKey {
  readonly tenantId: string
  readonly id: string
}
/** Where uploads arrive; nothing is ever served from here. */
export const quarantineKey = ({ tenantId, id }: ItemKey): string => `quarantine/${tenantId}/${id}`
/** The checked file, or one of its variants. */
export const fileKey = ({ tenantId, id }: ItemKey, variant?: string): string =>
  `files/${tenantId}/${id}${variant === undefined ? '' : `.${variant}`}`
