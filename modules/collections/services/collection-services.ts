/** Creates the services of all collections of the product. */
import type { Caller, Deps } from '@larder-dev/larder/kernel'
import { type AccessRules, createAccessRules, UNLIMITED } from '../domain/access.ts'
import type { Collection, Collections, Field, Row } from '../domain/collection.ts'
import { referenceFields } from '../domain/field-lists.ts'
import type { ListedRow } from '../domain/list-query.ts'
import { isEmpty } from '../domain/row-values.ts'
import { createView, type View } from '../domain/view.ts'
import { permissionOf } from '../recipe/declarations.ts'
import { createExports, type Exports } from './exports/exports.ts'
import { createImports, type Imports } from './imports/imports.ts'
import { visibleRow } from './locked-rows.ts'
import { createRowBatch, type RowBatch } from './row-batch.ts'
import { createRowChanger, type RowChanger } from './row-changer.ts'
import { createRowCreator, type RowCreator } from './row-creator.ts'
import { createRowEvents } from './row-events.ts'
import { createRowHistory, type RowHistory } from './row-history.ts'
import { createHookRunner, type HookRunner } from './row-hooks.ts'
import { createRowReader, type RowReader } from './row-reader.ts'
import { createRowRemover, type RowRemover } from './row-remover.ts'
import { createRowTrash, type RowTrash } from './row-trash.ts'
import { createRowUpserter, type RowUpserter } from './row-upserter.ts'
import { createWriteErrors } from './write-errors.ts'

export interface CollectionServices {
  readonly collections: Collections
  readonly reader: RowReader
  readonly creator: RowCreator
  readonly changer: RowChanger
  readonly remover: RowRemover
  readonly trash: RowTrash
  readonly history: RowHistory
  readonly upserter: RowUpserter
  readonly batch: RowBatch
  readonly imports: Imports
  readonly exports: Exports
  readonly hooks: HookRunner
  view(caller: Caller | undefined, tenantId: string): View
  /** Every row and field of a workspace, for code. */
  systemView(tenantId: string): View
  /**
   * Rows that were just written, as the caller may read them. Returns at once unless they refer to rows that may be
   * hidden, which are then read again.
   */
  shown(view: View, collection: Collection, rows: readonly (Row | null)[]): ShownRows | Promise<ShownRows>
}

export type ShownRows = readonly (ListedRow | null)[]

type ServiceDeps = Deps<
  'database' | 'clock' | 'events' | 'jobs' | 'access' | 'operator' | 'topics' | 'registry' | 'log',
  'entitlements' | 'mediaItems' | 'people' | 'callerRights'
>

export function createCollectionServices(deps: ServiceDeps, collections: Collections): CollectionServices {
  const { clock, access, operator } = deps
  const errors = createWriteErrors(collections)
  const events = createRowEvents(deps)
  const reader = createRowReader(deps)
  const hooks = createHookRunner(deps, collections)
  const creator = createRowCreator(deps, { events, errors, hooks })
  const changer = createRowChanger(deps, { events, errors, hooks })
  const remover = createRowRemover(deps, { events, errors, hooks })
  const upserter = createRowUpserter(deps, { creator, changer })
  const rules = createAccessRules(access, permissionOf)
  const viewOf = (rules: AccessRules, caller: Caller | undefined, tenantId: string): View =>
    createView({ collections, rules, operatorTenantId: operator.tenantId, caller, tenantId, now: clock.now() })
  const view: CollectionServices['view'] = (caller, tenantId) => viewOf(rules, caller, tenantId)
  return {
    collections,
    reader,
    creator,
    changer,
    remover,
    trash: createRowTrash(deps, { events, errors, hooks }),
    history: createRowHistory(deps, { changer }),
    upserter,
    batch: createRowBatch(deps, { creator, changer, remover, upserter }),
    exports: createExports(deps, { reader, collections, view }),
    imports: createImports(deps, { creator, changer, collections, hooks, view }),
    hooks,
    view,
    systemView: tenantId => viewOf(UNLIMITED, undefined, tenantId),
    shown(view, collection, rows) {
      const hiding = hidingFields(view, collection)
      return hiding.length > 0
        ? readAgain(reader, view, collection, rows, hiding)
        : rows.map(row => row && visibleRow(view, collection, row))
    },
  }
}

/** References to rows that may be hidden from the caller. */
const hidingFields = (view: View, collection: Collection): readonly Field[] =>
  referenceFields(collection).filter(field => {
    const target = field.reference && view.collections.get(field.reference.to)
    return target !== undefined && view.hides(target) && view.allows(collection, field)
  })

async function readAgain(
  reader: RowReader,
  view: View,
  collection: Collection,
  rows: readonly (Row | null)[],
  hiding: readonly Field[],
): Promise<ShownRows> {
  const unknown = Object.fromEntries(hiding.map(({ name, reference }) => [name, reference?.many ? [] : null]))
  const refers = (row: Row) => hiding.some(({ name }) => !isEmpty(row[name] ?? null))
  const ids = rows.flatMap(row => (row && refers(row) ? row.id : []))
  const found = ids.length > 0 ? await reader.find(view, collection, ids).catch(() => undefined) : undefined
  // A change can put a row out of the caller's own reach. Then its references can't be checked.
  return rows.map(row => row && (found?.get(row.id) ?? { ...visibleRow(view, collection, row), ...unknown }))
}
