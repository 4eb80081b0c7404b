/** Creates the services of all collections of the product. */
import type { Caller, Deps } from 'larder/kernel'
import { createAccessRules } from '../domain/access.ts'
import type { Collection, Collections, Row } from '../domain/collection.ts'
import type { ListedRow } from '../domain/list-query.ts'
import { createView, type View } from '../domain/view.ts'
import { permissionOf } from '../recipe/declarations.ts'
import { visibleRow } from './locked-rows.ts'
import { createRowBatch, type RowBatch } from './row-batch.ts'
import { createRowChanger, type RowChanger } from './row-changer.ts'
import { createRowCreator, type RowCreator } from './row-creator.ts'
import { createRowEvents } from './row-events.ts'
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
  readonly upserter: RowUpserter
  readonly batch: RowBatch
  view(caller: Caller | undefined, tenantId: string): View
  /** A row that was just written, as the caller may read it. Reads it again if it refers to rows that may be hidden. */
  shown(view: View, collection: Collection, row: Row): Promise<ListedRow>
}

type ServiceDeps = Deps<
  'database' | 'clock' | 'events' | 'access' | 'operator' | 'topics',
  'entitlements' | 'mediaItems'
>

export function createCollectionServices(deps: ServiceDeps, collections: Collections): CollectionServices {
  const { clock, access, operator } = deps
  const errors = createWriteErrors(collections)
  const events = createRowEvents(deps)
  const reader = createRowReader(deps)
  const creator = createRowCreator(deps, { events, errors })
  const changer = createRowChanger(deps, { events, errors })
  const remover = createRowRemover(deps, { events, errors })
  const upserter = createRowUpserter(deps, { creator, changer })
  const rules = createAccessRules(access, permissionOf)
  return {
    collections,
    reader,
    creator,
    changer,
    remover,
    trash: createRowTrash(deps, { events, errors }),
    upserter,
    batch: createRowBatch(deps, { creator, changer, remover, upserter }),
    view: (caller, tenantId) =>
      createView({ collections, rules, operatorTenantId: operator.tenantId, caller, tenantId, now: clock.now() }),
    async shown(view, collection, row) {
      const hiding = [...collection.fields.values()].filter(({ reference }) => {
        const target = reference && view.collections.get(reference.to)
        return target !== undefined && view.hides(target)
      })
      const visible = visibleRow(view, collection, row)
      if (hiding.length === 0) return { ...visible }
      // A change can put the row out of the caller's own reach. Then its references can't be checked.
      return reader.get(view, collection, row.id, {}).catch(() => {
        const hidden = hiding.filter(({ name }) => name in visible)
        return {
          ...visible,
          ...Object.fromEntries(hidden.map(({ name, reference }) => [name, reference?.many ? [] : null])),
        }
      })
    },
  }
}
