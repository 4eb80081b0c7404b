/** Private services of collections. */
import type { ServicesOf } from '@larder-dev/larder/kernel'
import type { Collections } from './domain/declarations/collection.ts'
import { createCallerFacts } from './services/caller-facts.ts'
import { createExports } from './services/exports/exports.ts'
import { createGuestProofs } from './services/guest-proofs.ts'
import { createGuestRoom, createGuestRows } from './services/guest-rows.ts'
import { createImportRuns } from './services/imports/import-runs.ts'
import { createImports } from './services/imports/imports.ts'
import { createMarkdownFields } from './services/markdown-fields.ts'
import { createRowBatch } from './services/row-batch.ts'
import { createRowChanger } from './services/row-changer.ts'
import { createRowCreator } from './services/row-creator.ts'
import { createRowEvents } from './services/row-events.ts'
import { createRowHistory } from './services/row-history.ts'
import { createHooks } from './services/row-hooks.ts'
import { createRowReader } from './services/row-reader.ts'
import { createRowRemover } from './services/row-remover.ts'
import { createRowTrash } from './services/row-trash.ts'
import { createRowUpserter } from './services/row-upserter.ts'
import { createBareView, createShown, createSystemView, createView } from './services/views.ts'
import { createWriteErrors } from './services/write-errors.ts'

export const services = {
  bareView: createBareView,
  batch: createRowBatch,
  callerFacts: createCallerFacts,
  changer: createRowChanger,
  creator: createRowCreator,
  errors: createWriteErrors,
  exports: createExports,
  guestProofs: createGuestProofs,
  guestRoom: createGuestRoom,
  guestRows: createGuestRows,
  history: createRowHistory,
  hooks: createHooks,
  importRuns: createImportRuns,
  imports: createImports,
  markdownFields: createMarkdownFields,
  reader: createRowReader,
  remover: createRowRemover,
  rowEvents: createRowEvents,
  shown: createShown,
  systemView: createSystemView,
  trash: createRowTrash,
  upserter: createRowUpserter,
  view: createView,
}
/** With the map of `module.ts`, which reads the recipe. */
export type CollectionServices = ServicesOf<typeof services> & { readonly collectionMap: Collections }
