import type { Migration } from '@larder-dev/larder/kernel'

/**
 * Addresses in NFC, as they are looked up: one of 0.1.0 in another form would get mail again. Of several forms of one
 * address, one is enough.
 */
export const up: Migration = async ({ query }) => {
  await query(
    `update comms_suppression s set email = normalize(email, nfc)
     where email is not nfc normalized and not exists (
       select from comms_suppression o
       where o.tenant_id = s.tenant_id and o.category = s.category and normalize(o.email, nfc) = normalize(s.email, nfc)
         and (o.email is nfc normalized or o.id < s.id))`,
  )
}
