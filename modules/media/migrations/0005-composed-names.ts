import type { Migration } from '@larder-dev/larder/kernel'

/** Folders and names in NFC, as requests name them. Files of 0.1.0 can have another form. */
export const up: Migration = async ({ query }) => {
  await query(
    `update media_items set folder = normalize(folder, nfc), file_name = normalize(file_name, nfc)
     where folder is not nfc normalized or file_name is not nfc normalized`,
  )
}
